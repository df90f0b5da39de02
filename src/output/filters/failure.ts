/**
 * What failure looks like in text. Two strengths: `isFailureLine` (a line worth keeping when a command failed) and
 * `showsFailure` (text that says a run failed whatever its exit code was). Neither decides how a command ended: the
 * exit code does that.
 */

/** Stems that every telling line has one of; six to thirty times as fast as the word test, which few lines then need. */
const FAILURE_STEM =
  /err|fail|fatal|panic|excep|traceback|abort|segm|core dump|undef|not found|no such|denied|refused|can(?:no|')t|could|unable|unresol|unexp|invalid|unknown|missing|timed? ?out|kill|assert|expect|receiv|mismatch|not ok|[✗✘×✖✕❌⨯]|^\s*(?:E[: ]|> )/i;

const FAILURE_WORD =
  /\b(?:errors?|err!|fail(?:s|ed|ure|ures|ing)?|fatal|panic(?:ked)?|exception|traceback|abort(?:ed|ing)?|segmentation fault|core dumped|undefined reference|not found|no such file|denied|refused|cannot|can't|could not|couldn't|unable to|unresolved|unexpected|invalid|unknown|missing|timed out|timeout|killed|assert(?:ion)?|expected|received|mismatch)\b|[A-Z][A-Za-z]*(?:Error|Exception|Failure)\b|\bERR_[A-Z_]+|^\s*(?:✗|✘|×|✖|✕|❌|⨯|not ok\b|FAIL\b|E\s{2,}|E:\s|>\s{2,}|npm ERR!)/iu;

/** Says "nothing went wrong" with the words of failure: `0 errors`, `no failures`, a module named errors. */
const HARMLESS =
  /\b(?:0|no|zero|without)\s+(?:errors?|failures?|failed|failing|warnings?|problems?|issues?|exceptions?)\b(?!.*\b[1-9]\d*\s+(?:errors?|fail))|^\s*(?:PASS|ok|✓|✔|√|PASSED)\b/i;

/** Lines that no successful run prints. Anchored and specific: a false alarm makes an agent repair code that is right. */
const UNMISTAKABLE: readonly RegExp[] = [
  /^(?:error|Error|ERROR)(?:\[[A-Z]\d+\])?: /m,
  /^(?:[\w$]+\.)*[A-Z]\w*(?:Error|Exception)(?:: \S|$)/m,
  /^Exception in thread /m,
  /^(?:fatal|FATAL|panic|E:): ?\S/m,
  /^Traceback \(most recent call last\):/m,
  /^thread '.*' (?:\(\d+\) )?panicked at/m,
  /^(?:npm ERR!|npm error) /m,
  /^\s*(?:FAILED|FAIL)(?:[:\s]|$)/m,
  /^--- FAIL: /m,
  /^not ok \d+/m,
  /^(?:Segmentation fault|Aborted|Killed)\b/m,
  /\bBUILD (?:FAILED|FAILURE)\b/,
  /\b(?!0\b)\d+ (?:(?:tests?|suites?|specs?|checks?|examples?|jobs?|steps?|targets?|tasks?) )?(?:failed|failing|failures?)\b/i,
  /\b(?:Failures|Errors|Failed): +[1-9]/,
  /^(?:Found )?[1-9]\d* errors?\b/m,
  /^g?make(?:\[\d+\])?: \*\*\* /m,
  /^\s*[✗✘✖✕❌] /mu,
  /: (?:command not found|[Pp]ermission denied|No such file or directory)$/m,
  /"(?:state|status|conclusion|result)"\s*:\s*"(?:FAILURE|FAILED|ERROR|failure|failed|error)"/,
  /^An error occurred \(\w+\)/m,
  /^(?:[\w./-]+:\d+(?::\d+)?: )(?:fatal )?error\b/m,
  /^Unhandled(?:Promise)?Rejection|^Uncaught \w*(?:Error|Exception)/m,
];

export function isFailureLine(line: string): boolean {
  return FAILURE_STEM.test(line) && FAILURE_WORD.test(line) && !HARMLESS.test(line);
}

/** Text that says a run failed, although the exit code may be 0 (a pipeline's last command, a request that only reports). */
export function showsFailure(text: string): boolean {
  return UNMISTAKABLE.some((pattern) => pattern.test(text));
}

const SUCCESS_WORD =
  /\b(?:success(?:ful|fully)?|succeeded|passed|all good|up[ -]to[ -]date|no (?:issues|errors|problems|failures|changes|tests|warnings)|nothing to (?:do|report|commit)|clean|completed|identical|ok)\b/i;

/** A sentence of ours (not of the raw text) that would read as success. */
export function claimsSuccess(line: string): boolean {
  return SUCCESS_WORD.test(line);
}
