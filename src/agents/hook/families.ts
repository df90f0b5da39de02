/**
 * Commands whose *failure* is long (tests, builds, linters), or whose output goes past what an agent keeps.
 * Claude Code gives such output to no hook, so they are the ones worth wrapping there; everything else is
 * shrunk afterwards, with the command left as it is.
 */
const ALONE = new Set(
  (
    "pytest py.test tox nox jest vitest mocha ava tap karma cypress rspec phpunit pest ctest busted bats unittest " +
    "tsc vue-tsc svelte-check eslint biome oxlint stylelint ruff mypy pyright basedpyright flake8 pylint black isort " +
    "rubocop standardrb golangci-lint staticcheck shellcheck hadolint ktlint detekt swiftlint clang-tidy cppcheck " +
    "phpstan psalm phpcs credo dialyzer hlint make gmake ninja cmake meson bazel bazelisk buck2 gradle gradlew mvn mvnw " +
    "ant sbt mill msbuild xcodebuild rebar3 stack cabal dune webpack rollup esbuild turbo nx lerna gcc g++ cc c++ clang " +
    "clang++ rustc javac kotlinc ghc rake just task pre-commit trunk coverage terraform tofu terragrunt pulumi " +
    "ansible-playbook packer journalctl"
  ).split(" "),
);

const WITH_VERB: Readonly<Record<string, ReadonlySet<string>>> = {
  cargo: verbs("test t build b check c clippy run r bench nextest doc fmt install publish"),
  go: verbs("test build vet install run generate mod"),
  dotnet: verbs("test build publish restore run pack"),
  npm: verbs("test t run run-script install i ci add update audit exec"),
  pnpm: verbs("test t run install i add update audit exec build lint"),
  yarn: verbs("test run install add build lint"),
  bun: verbs("test run install add build"),
  deno: verbs("test lint check task run"),
  mix: verbs("test compile credo dialyzer format deps.get"),
  zig: verbs("build test"),
  swift: verbs("build test"),
  flutter: verbs("test analyze build pub"),
  dart: verbs("test analyze compile pub"),
  composer: verbs("install update require test validate"),
  bundle: verbs("install exec update"),
  pip: verbs("install wheel check"),
  pip3: verbs("install wheel check"),
  poetry: verbs("install add update check build"),
  uv: verbs("sync add pip lock build"),
  docker: verbs("build buildx compose logs"),
  podman: verbs("build logs"),
  "docker-compose": verbs("build up logs"),
  kubectl: verbs("logs describe apply get"),
  helm: verbs("install upgrade lint template"),
  git: verbs("log diff show"),
  vite: verbs("build"),
  next: verbs("build lint"),
  playwright: verbs("test"),
  prettier: verbs("--check -c"),
};

/** @param candidates a command under the names a filter would know it by, wrappers and global options taken off. */
export function failsLong(candidates: readonly string[]): boolean {
  return candidates.some((candidate) => {
    const words = candidate.trim().split(/\s+/, 2);
    const name = baseName(words[0] ?? "");
    if (ALONE.has(name)) return true;
    const known = Object.hasOwn(WITH_VERB, name) ? WITH_VERB[name] : undefined;
    return known?.has(words[1] ?? "") === true;
  });
}

/** A cheap look before anything is parsed: no word of the line is one of ours, so no command of it can be. */
export function mayFailLong(line: string): boolean {
  const words = line.match(/[A-Za-z0-9_.+-]+/g) ?? [];
  return words.some((word) => {
    const name = baseName(word);
    if (ALONE.has(name)) return true;
    const known = Object.hasOwn(WITH_VERB, name) ? WITH_VERB[name] : undefined;
    return known !== undefined && words.some((verb) => known.has(verb));
  });
}

export function baseName(word: string): string {
  const name = word.slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1);
  return name.replace(/\.(?:exe|cmd|bat)$/i, "");
}

function verbs(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}
