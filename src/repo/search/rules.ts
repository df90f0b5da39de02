/**
 * The ranking rules after fusion. Each takes the pool's scores and moves them by what the path, the name and the
 * definitions say; the comments give what NDCG@10 lost without the rule in the trials. Scores in and out are relative
 * to the best of the pool, so no rule depends on corpus size.
 */
import { type DefinitionHit, type DefinitionWeights, definitionBonus } from "./definitions.ts";
import { fileNameShares } from "./names.ts";
import type { Question } from "./question.ts";
import type { ChunkHead } from "./source.ts";

export interface RuleWeights extends DefinitionWeights {
  /** Share of the top score given to the best chunk of the file with the most summed score. */
  readonly coherence: number;
  /** Times the top score for a file name that covers every content word of a prose question, rare ones more so. */
  readonly fileName: number;
  /** What each further chunk of a file keeps. */
  readonly repeat: number;
  readonly testPenalty: number;
  readonly examplePenalty: number;
  readonly barrelPenalty: number;
  readonly typesPenalty: number;
  /** Prose, configuration and data: a question about code wants code. Change logs more so. */
  readonly documentPenalty: number;
  readonly changelogPenalty: number;
  /** `v3/` where the pool also has `v4/`. */
  readonly oldVersionPenalty: number;
  /** `win/pipe.c` on another system, where the pool also has `unix/pipe.c`. */
  readonly otherPlatformPenalty: number;
  /** `os390.c`, `haiku/`: systems that hardly anybody asks about without naming them. */
  readonly rarePlatformPenalty: number;
}

export const RULES: RuleWeights = {
  coherence: 0.3,
  fileName: 1.25,
  definition: 3,
  definitionFileFactor: 1.5,
  embeddedDefinition: 1.5,
  slightDefinition: 0.5,
  repeat: 0.5,
  testPenalty: 0.3,
  examplePenalty: 0.3,
  barrelPenalty: 0.5,
  typesPenalty: 0.7,
  documentPenalty: 0.5,
  changelogPenalty: 0.3,
  oldVersionPenalty: 0.3,
  otherPlatformPenalty: 0.4,
  rarePlatformPenalty: 0.6,
};

/** Among places that are alike, a second one of a file is worth more than among answers. */
export const SIMILAR_REPEAT = 0.8;

export type Reason = "lexical" | "semantic" | "definition" | "file-name" | "symbol" | "demoted";

/** A pool entry while it is ranked. */
export interface Ranked {
  readonly head: ChunkHead;
  score: number;
  readonly reasons: Set<Reason>;
}

const TEST_PATH =
  /(?:^|\/)(?:tests?|__tests__|specs?|testing|testdata|fixtures)(?:\/|$)|(?:^|\/)(?:test_[^/]*|[^/]*(?:_test|_spec|Tests?|Spec|\.test|\.spec))\.\w+$/;
const EXAMPLE_PATH =
  /(?:^|\/)(?:compat|legacy|_?examples?|samples?|demos?|bench(?:marks?|es)?|docs?_src|single_include)(?:\/|$)/;
const BARREL = new Set(["__init__.py", "package-info.java"]);

const DOCUMENT = /\.(?:md|mdx|markdown|rst|adoc|txt|html?|ya?ml|json|toml|ini|cfg|xml|csv|lock|svg|css|scss)$/i;
const CHANGELOG = /(?:^|\/)(?:change(?:s|log)|history|news|releases?)(?:\.\w+)?$/i;
const VERSION_FOLDER = /(?:^|\/)v(\d+)\//;
const PLATFORM_FOLDER = /(?:^|\/)(win|win32|windows|unix|posix|linux|darwin|macos|osx|bsd)\//;

const RARE_PLATFORM =
  /(?:^|[/_-])(sunos|solaris|os390|zos|ibmi|aix|haiku|hurd|netbsd|openbsd|dragonfly|cygwin|qnx|vxworks|fuchsia)(?=[/._-])/i;

/** True for places where tests really live; content is never looked at. */
export function isTestPath(path: string): boolean {
  return TEST_PATH.test(path);
}

export function pathFactor(path: string, question: Question, weights: RuleWeights): number {
  let factor = 1;
  if (!question.wants.tests && TEST_PATH.test(path)) factor *= weights.testPenalty;
  if (!question.wants.examples && EXAMPLE_PATH.test(path)) factor *= weights.examplePenalty;
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (!question.wants.barrels && BARREL.has(name)) factor *= weights.barrelPenalty;
  if (!question.wants.types && name.endsWith(".d.ts")) factor *= weights.typesPenalty;
  if (!question.wants.documents && DOCUMENT.test(name))
    factor *= CHANGELOG.test(path) ? weights.changelogPenalty : weights.documentPenalty;
  return factor;
}

/** Applies every rule and returns the pool, best first. */
export function applyRules(
  pool: Ranked[],
  question: Question,
  definitions: readonly DefinitionHit[],
  weights: RuleWeights = RULES,
): Ranked[] {
  if (pool.length === 0) return pool;
  liftCoherentFiles(pool, weights);
  const top = pool.reduce((best, entry) => Math.max(best, entry.score), 0);

  const byId = new Map(pool.map((entry) => [entry.head.id, entry]));
  const bonus = definitionBonus(definitions, weights);
  for (const hit of definitions) {
    const entry = byId.get(hit.id);
    if (!entry) continue;
    entry.score += top * bonus(hit, entry.head.path);
    entry.reasons.add("definition");
  }
  const paths = [...new Set(pool.map((entry) => entry.head.path))];
  const twins = new Twins(paths, question, weights);
  const shares = question.symbol === undefined ? fileNameShares(paths, question.keywords) : undefined;
  const factors = new Map<string, number>();
  for (const entry of pool) {
    const { path } = entry.head;
    let factor = factors.get(path);
    if (factor === undefined) {
      factor = pathFactor(path, question, weights) * twins.factor(path);
      factors.set(path, factor);
    }
    const share = shares?.get(path);
    if (share !== undefined) {
      entry.score += top * share * weights.fileName;
      entry.reasons.add("file-name");
    }
    if (factor < 1) {
      entry.score *= factor;
      entry.reasons.add("demoted");
    }
  }
  return oneChunkAFileFirst(pool, weights.repeat);
}

/**
 * Two copies of one thing side by side, an old version beside the newer and a platform beside another: the one that
 * this reader works with comes first, unless the question names the other.
 */
class Twins {
  private readonly newest = new Map<string, number>();
  private readonly native = new Set<string>();
  private readonly namesPlatform: boolean;

  constructor(
    paths: readonly string[],
    private readonly question: Question,
    private readonly weights: RuleWeights,
  ) {
    this.namesPlatform = NAMES_PLATFORM.test(question.lower);
    for (const path of paths) {
      const version = VERSION_FOLDER.exec(path);
      if (version) {
        const place = path.slice(0, version.index);
        this.newest.set(place, Math.max(this.newest.get(place) ?? 0, Number(version[1])));
      }
      const platform = PLATFORM_FOLDER.exec(path)?.[1];
      if (platform && !isForeign(platform)) this.native.add(path.replace(PLATFORM_FOLDER, "/*/"));
    }
  }

  factor(path: string): number {
    let factor = 1;
    const version = this.newest.size > 0 ? VERSION_FOLDER.exec(path) : undefined;
    if (version && !this.question.lower.includes(`v${version[1]}`)) {
      if (Number(version[1]) < (this.newest.get(path.slice(0, version.index)) ?? 0))
        factor *= this.weights.oldVersionPenalty;
    }
    const platform = this.native.size > 0 && !this.namesPlatform ? PLATFORM_FOLDER.exec(path)?.[1] : undefined;
    if (platform && isForeign(platform) && this.native.has(path.replace(PLATFORM_FOLDER, "/*/")))
      factor *= this.weights.otherPlatformPenalty;
    const rare = RARE_PLATFORM.exec(path)?.[1];
    if (rare && !this.question.lower.includes(rare.toLowerCase())) factor *= this.weights.rarePlatformPenalty;
    return factor;
  }
}

const NAMES_PLATFORM = /\b(?:win(?:32|dows)?|mac(?:os)?|osx|darwin)\b/;

/** Windows code is foreign everywhere else; on Windows, the others are. */
function isForeign(platform: string): boolean {
  return platform.startsWith("win") !== (process.platform === "win32");
}

/** Worth little for words alone, .014 on architecture questions with vectors. */
function liftCoherentFiles(pool: Ranked[], weights: RuleWeights): void {
  if (weights.coherence === 0) return;
  const sums = new Map<string, number>();
  const best = new Map<string, Ranked>();
  let top = 0;
  for (const entry of pool) {
    const { path } = entry.head;
    sums.set(path, (sums.get(path) ?? 0) + entry.score);
    const leader = best.get(path);
    if (!leader || entry.score > leader.score) best.set(path, entry);
    top = Math.max(top, entry.score);
  }
  let most = 0;
  for (const sum of sums.values()) most = Math.max(most, sum);
  if (most <= 0) return;
  for (const [path, entry] of best) entry.score += (weights.coherence * top * (sums.get(path) ?? 0)) / most;
}

/** Each further chunk of a file is worth half the one before: without it .031 is lost, the largest single rule. */
export function oneChunkAFileFirst(pool: Ranked[], repeat: number): Ranked[] {
  const order = (a: Ranked, b: Ranked): number => b.score - a.score || a.head.id - b.head.id;
  pool.sort(order);
  const seen = new Map<string, number>();
  for (const entry of pool) {
    const before = seen.get(entry.head.path) ?? 0;
    entry.score *= repeat ** before;
    seen.set(entry.head.path, before + 1);
  }
  return pool.sort(order);
}
