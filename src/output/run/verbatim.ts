/** Commands that print a text as it is: a file, a patch, a selection. An agent edits by those lines, so only the ceiling may touch them. */

const PRINTERS =
  /^(?:cat|bat|batcat|head|tail|sed|awk|gawk|mawk|nl|tac|rev|cut|paste|tr|fold|column|strings|xxd|od|hexdump|base64|base32|jq|yq|xmllint|xmlstarlet|diff|colordiff|cmp|comm|patch|printf|echo|type|Get-Content|gc|openssl|gpg|iconv|envsubst|git\s+(?:show|diff|format-patch|cat-file|blame|annotate|stash\s+show)|git\s+log\b(?=.*\s(?:-p|-u|--patch)\b)|gh\s+pr\s+diff|hg\s+diff|svn\s+(?:diff|cat))(?=\s|$)/;

export function printsVerbatim(candidates: readonly string[]): boolean {
  return candidates.some((candidate) => PRINTERS.test(candidate.replace(/^\S*[\\/]/, "")));
}
