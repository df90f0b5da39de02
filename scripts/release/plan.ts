/**
 * What the next release is, from the conventional commits since the last tag: `feat` raises the second number, `fix` and
 * `perf` the third, `!` or a `BREAKING CHANGE:` footer the first (the second before 1.0). Other types cut no release.
 * The type is read from the subject alone; the body is searched for the footer only, so that a commit that talks about
 * `fix: …` does not cut one.
 */
export interface Commit {
  readonly id: string;
  readonly subject: string;
  readonly body: string;
}

export interface Plan {
  readonly version: string;
  readonly previous: string;
  readonly notes: string;
}

type Level = "major" | "minor" | "patch";

const SUBJECT = /^(?<type>[a-z]+)(?:\((?<scope>[^()]{1,40})\))?(?<breaking>!)?: (?<text>.+)$/;
const HEADINGS = { breaking: "Breaking changes", feat: "New", fix: "Fixed", perf: "Faster" } as const;

/** The plan, or undefined when nothing since `previous` asks for a release. */
export function planRelease(previous: string, commits: readonly Commit[]): Plan | undefined {
  const sections: Record<keyof typeof HEADINGS, string[]> = { breaking: [], feat: [], fix: [], perf: [] };
  let level: Level | undefined;
  for (const { id, subject, body } of commits) {
    const groups = SUBJECT.exec(subject)?.groups;
    if (!groups) continue;
    const { type, scope, breaking, text } = groups;
    const breaks = breaking === "!" || /^BREAKING[ -]CHANGE: /m.test(body);
    const line = `- ${scope ? `**${scope}:** ` : ""}${text} (${id.slice(0, 12)})`;
    if (breaks) sections.breaking.push(line);
    if (type === "feat" || type === "fix" || type === "perf") sections[type].push(line);
    else if (!breaks) continue;
    level = highest(level, breaks ? "major" : type === "feat" ? "minor" : "patch");
  }
  if (!level) return undefined;
  const notes = (Object.keys(HEADINGS) as (keyof typeof HEADINGS)[])
    .filter((name) => sections[name].length > 0)
    .map((name) => `## ${HEADINGS[name]}\n${sections[name].join("\n")}\n`)
    .join("\n");
  return { previous, version: raised(previous, level), notes };
}

function highest(a: Level | undefined, b: Level): Level {
  const order: readonly Level[] = ["patch", "minor", "major"];
  return a && order.indexOf(a) > order.indexOf(b) ? a : b;
}

function raised(version: string, level: Level): string {
  const [major = 0, minor = 0, patch = 0] = version.replace(/^v/, "").split(".").map(Number);
  if (level === "patch") return `${major}.${minor}.${patch + 1}`;
  if (level === "minor" || major === 0) return `${major}.${minor + 1}.0`;
  return `${major + 1}.0.0`;
}
