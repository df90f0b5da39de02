/**
 * PowerShell, as far as it can be proven without its parser: one external program with plain words. Cmdlets, aliases
 * of cmdlets (`ls`, `cat`, `diff`, `curl`), variables, pipes, script blocks: not understood, and so left alone.
 */
import { refuse } from "./cursor.ts";
import { readOneCommand, type Syntax } from "./plain-command.ts";
import type { CommandLine, Word } from "./types.ts";
import { wordList } from "./word-list.ts";

/** Aliases of Windows PowerShell and PowerShell 7, and the functions both define. */
const ALIASES = wordList(`
  ac asnp cat cd cd.. cd\\ cd/ chdir clc clear clhy cli clp cls clv cnsn compare copy cp cpi cpp curl cvpa dbp del diff
  dir dnsn ebp echo epal epcsv epsn erase etsn exsn fc fhx fl foreach ft fw gal gbp gc gcb gci gcm gcs gdr gerr ghy gi
  gin gjb gl gm gmo gp gps gpv group gsn gsnp gsv gtz gu gv gwmi h help history icm iex ihy ii ike inmo ipal ipcsv ipmo
  ipsn irm ise iwmi iwr kill lp ls man md measure mi mkdir mount move mp mv nal ndr ni nmo npssc nsn nv ogv oh oss pause
  popd prompt ps pushd pwd r rbp rcjb rcsn rd rdr ren ri rjb rm rmdir rmo rni rnp rp rsn rsnp rujb rv rvpa rwmi sajb sal
  saps sasv sbp sc scb select set shcm si sl sleep sls sort sp spjb spps spsv start stz sujb sv swmi tabexpansion2 tee
  trcm type wget where wjb write mkdir oss
  begin break catch class continue data define do dynamicparam else elseif end enum exit filter finally for from function
  hidden if in param process return static switch throw trap try until using var while workflow parallel sequence
`);

/** Made when a line of PowerShell comes; see `cmd.ts`. */
function syntax(): Syntax {
  const program = /^[\p{L}_.][\p{L}\p{N}_.+\\/:-]*$/u;
  // The approved verbs; any other hyphenated name (`docker-compose`) is a program.
  const cmdlet =
    /^(?:add|approve|assert|backup|block|build|checkpoint|clear|close|compare|complete|compress|confirm|connect|convert|convertfrom|convertto|copy|debug|deny|deploy|disable|disconnect|dismount|edit|enable|enter|exit|expand|export|find|foreach|format|get|grant|group|hide|import|initialize|install|invoke|join|limit|lock|measure|merge|mount|move|new|open|optimize|out|ping|pop|protect|publish|push|read|receive|redo|register|remove|rename|repair|request|reset|resize|resolve|restart|restore|resume|revoke|save|search|select|send|set|show|skip|sort|split|start|step|stop|submit|suspend|switch|sync|tee|test|trace|unblock|undo|uninstall|unlock|unprotect|unpublish|unregister|update|use|wait|watch|where|write)-[a-z]/i;
  return {
    dialect: "pwsh",
    word: /(?:'(?:[^'\u2018\u2019\u201a\u201b\r\n]|'')*'|"[^"$`\u201c\u201d\u201e\r\n]*"|[\p{L}\p{M}\p{N}\p{So}_./\\:=+,%~^*?![\]-])+/uy,
    redirection: /2>(?:&1|\$null)/y,
    wordOf: readWord,
    isProgram: ({ raw }) => program.test(raw) && !ALIASES.has(raw.toLowerCase()) && !cmdlet.test(raw),
  };
}

/** Reads a line that is one external command; refuses everything else. */
export function readPwshLine(source: string): CommandLine {
  const line = readOneCommand(source, syntax());
  if (line.segments[0]?.words.some(({ raw }) => raw === "--%")) refuse();
  return line;
}

function readWord(source: string, start: number, end: number): Word {
  const raw = source.slice(start, end);
  const quotes = /^(['"])(.*)\1$/s.exec(raw);
  const text = quotes ? (quotes[2] ?? "").replaceAll("''", "'") : raw;
  const isStatic = quotes ? !(quotes[2] ?? "").includes(`${quotes[1]} `) : !/['"~*?[\],%]/.test(raw);
  return { start, end, raw, text, value: isStatic ? text : undefined };
}

/**
 * `& 'exe' run --shell pwsh '<command>'`: the command goes to a PowerShell of its own, as one quoted word, because
 * only PowerShell finds what it finds (`npm.ps1`). Undefined where Windows PowerShell would hand on other text.
 */
export function rewritePwsh(
  line: CommandLine,
  prefix: readonly string[],
): { command: string; wrapped: number } | undefined {
  const segment = line.segments[0];
  if (!segment || /["\u2018\u2019\u201a\u201b]/.test(segment.text) || /\\$/.test(segment.text)) return undefined;
  const [exe = "", ...rest] = prefix;
  if (
    exe === "" ||
    /["\u2018\u2019\u201a\u201b\r\n]/.test(exe) ||
    !rest.every((part) => /^[A-Za-z][A-Za-z-]*$/.test(part))
  ) {
    return undefined;
  }
  const call = [`& ${quote(exe)}`, ...rest, "--shell pwsh", quote(segment.text)].join(" ");
  const quoted = /'((?:[^']|'')*)'$/.exec(call)?.[1]?.replaceAll("''", "'");
  if (quoted !== segment.text) return undefined;
  return { command: line.source.slice(0, segment.start) + call + line.source.slice(segment.end), wrapped: 1 };
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
