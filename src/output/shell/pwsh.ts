/**
 * PowerShell, as far as it can be proven without its parser: one external program with plain words. Cmdlets, aliases
 * of cmdlets (`ls`, `cat`, `diff`, `curl`), variables, pipes, script blocks: not understood, and so left alone.
 */
import { refuse } from "./cursor.ts";
import type { CommandLine, Redirection, Word } from "./types.ts";
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

/** The approved verbs; any other hyphenated name (`docker-compose`) is a program. */
const CMDLET =
  /^(?:add|approve|assert|backup|block|build|checkpoint|clear|close|compare|complete|compress|confirm|connect|convert|convertfrom|convertto|copy|debug|deny|deploy|disable|disconnect|dismount|edit|enable|enter|exit|expand|export|find|foreach|format|get|grant|group|hide|import|initialize|install|invoke|join|limit|lock|measure|merge|mount|move|new|open|optimize|out|ping|pop|protect|publish|push|read|receive|redo|register|remove|rename|repair|request|reset|resize|resolve|restart|restore|resume|revoke|save|search|select|send|set|show|skip|sort|split|start|step|stop|submit|suspend|switch|sync|tee|test|trace|unblock|undo|uninstall|unlock|unprotect|unpublish|unregister|update|use|wait|watch|where|write)-[a-z]/i;

const WORD =
  /(?:'(?:[^'\u2018\u2019\u201a\u201b\r\n]|'')*'|"[^"$`\u201c\u201d\u201e\r\n]*"|[\p{L}\p{M}\p{N}\p{So}_./\\:=+,%~^*?![\]-])+/uy;
const BLANKS = /[ \t]*/y;
const REDIRECTION = /2>(?:&1|\$null)/y;

/** Reads a line that is one external command; refuses everything else. */
export function readPwshLine(source: string): CommandLine {
  const words: Word[] = [];
  const redirections: Redirection[] = [];
  let at = skip(BLANKS, source, 0);
  const start = at;
  let end = at;
  while (at < source.length) {
    const next = skip(REDIRECTION, source, at);
    if (next > at) {
      const raw = source.slice(at, next);
      const target = word(source, raw.endsWith("&1") ? next - 1 : at + 2, next);
      redirections.push({ start: at, end: next, raw, operator: raw.endsWith("&1") ? ">&" : ">", fd: 2, target });
    } else {
      const wordEnd = skip(WORD, source, at);
      // `2>file`, `3>&1` and words behind a redirection
      if (wordEnd === at || redirections.length > 0) refuse();
      words.push(word(source, at, wordEnd));
    }
    end = skip(next > at ? REDIRECTION : WORD, source, at);
    at = skip(BLANKS, source, end);
    if (at === end && at < source.length) refuse();
  }
  const program = words[0];
  if (!program || !isProgram(program) || words.some(({ raw }) => raw === "--%")) refuse();
  const segment = {
    start,
    end,
    text: source.slice(start, end),
    words,
    assignments: [],
    redirections,
    compound: undefined,
    operator: undefined,
    piped: false,
    negated: false,
    timed: false,
    hasHeredoc: false,
    hasSubstitution: false,
  } as const;
  return {
    source,
    dialect: "pwsh",
    segments: [segment],
    hasHeredoc: false,
    hasSubstitution: false,
    hasBackground: false,
    isCompound: false,
  };
}

function isProgram({ raw }: Word): boolean {
  return /^[\p{L}_.][\p{L}\p{N}_.+\\/:-]*$/u.test(raw) && !ALIASES.has(raw.toLowerCase()) && !CMDLET.test(raw);
}

function word(source: string, start: number, end: number): Word {
  const raw = source.slice(start, end);
  const quotes = /^(['"])(.*)\1$/s.exec(raw);
  const text = quotes ? (quotes[2] ?? "").replaceAll("''", "'") : raw;
  const isStatic = quotes ? !(quotes[2] ?? "").includes(`${quotes[1]} `) : !/['"~*?[\],%]/.test(raw);
  return { start, end, raw, text, value: isStatic ? text : undefined };
}

/** The place behind a match of a sticky pattern at `at`; `at` when there is none. */
function skip(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(source) ? pattern.lastIndex : at;
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
