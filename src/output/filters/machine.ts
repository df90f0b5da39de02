/**
 * Commands whose output is made for a program: the user asked for JSON, a template, NUL-separated names, a stable format.
 * Such output is left as it is; who wrote a selector has already shrunk it.
 */

/** How every flag of the pattern begins. */
const BEGINNINGS = "--js --jq -q --te --fo --pr --po --nu -pri --me --rep --out -o -z --cs --xm --ya";

export function asksForMachineFormat(command: string): boolean {
  if (!mayAsk(command)) return false;
  const flag =
    /(?:^|\s)(?:--json(?:=\S*)?|--jsonl|--jq(?:=\S*)?|-q\s+\.\S*|--template(?:=\S*)?|--format(?:=\S*)?|--pretty=\S*|--porcelain(?:=\S*)?|--null|--print0|-print0|-printf|--message-format(?:=\S*)?|--reporter[= ](?:json|xml|junit|ndjson|jsonl)\S*|--output[= ](?:json|yaml|xml|csv|tsv|text|name|jsonpath|go-template|custom-columns)\S*|--output-format[= ](?:json|junit|xml|sarif|csv)\S*|-o\s*=?\s*(?:json|yaml|xml|csv|name|jsonpath|go-template|custom-columns)\S*|-z|--csv|--xml|--yaml)(?=\s|$)/;
  const match = flag.exec(command);
  // `-z` alone is an option of many archive and test tools that has nothing to do with NUL bytes.
  return match !== null && !(match[0].trim() === "-z" && /^(?:tar|zip|gzip|rsync|test|\[)\b/.test(command));
}

/** Most commands have no such flag; looking for a beginning of one spares compiling the pattern. */
function mayAsk(command: string): boolean {
  if (!command.includes("-")) return false;
  for (const beginning of BEGINNINGS.split(" ")) if (command.includes(beginning)) return true;
  return false;
}
