/** Tells files that nobody wrote by hand, and would only be noise in an answer: minified code, bundles, lock files, source maps. */

const LOCK_FILES = new Set([
  "package-lock.json",
  "npm-shrinkwrap.json",
  "yarn.lock",
  "pnpm-lock.yaml",
  "bun.lock",
  "cargo.lock",
  "poetry.lock",
  "uv.lock",
  "pdm.lock",
  "pipfile.lock",
  "gemfile.lock",
  "composer.lock",
  "go.sum",
  "mix.lock",
  "pubspec.lock",
  "podfile.lock",
  "package.resolved",
  "flake.lock",
  "packages.lock.json",
]);

/** Lines beyond this are not written by hand. */
const LONG_LINE = 1000;
/** Below this size even one long line is cheap, and may be a fixture somebody cares for. */
const MIN_MINIFIED_CHARS = 4096;

const BUNDLERS: readonly [RegExp, string][] = [
  [/__webpack_require__|webpackBootstrap|\/\*{6}\/ \(/, "a webpack bundle"],
  [/^\/\/ node_modules\/.+\n/m, "a bundle of node_modules"],
  [/^\(function e\(t,n,r\)\{/, "a browserify bundle"],
];

/** Why a text counts as generated; undefined when it does not. `isCode` is false for data, which may well be one long line. */
export function generatedReason(path: string, text: string, isCode: boolean): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  if (LOCK_FILES.has(name)) return "a lock file";
  if (name.endsWith(".map") && /^\s*\{[\s\S]{0,200}"(version|mappings|sources)"/.test(text.slice(0, 400)))
    return "a source map";
  if (!isCode) return undefined;
  if (/\.(?:min|bundle)\.(?:js|mjs|cjs|css)$/.test(name) && text.length > 1024) return "minified, by its name";
  if (text.length < MIN_MINIFIED_CHARS) return undefined;
  const longShare = shareOfLongLines(text);
  if (longShare > 0.6)
    return `minified: ${Math.round(longShare * 100)} % of it is in lines of over ${LONG_LINE} characters`;
  if (/\.[cm]?jsx?$/.test(name)) {
    const head = text.slice(0, 2000);
    for (const [pattern, what] of BUNDLERS) if (pattern.test(head)) return what;
  }
  return undefined;
}

function shareOfLongLines(text: string): number {
  let long = 0;
  let start = 0;
  for (;;) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    if (end - start > LONG_LINE) long += end - start;
    if (found < 0) break;
    start = found + 1;
  }
  return long / text.length;
}
