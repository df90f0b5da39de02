/**
 * Commands whose *failure* is long (tests, builds, linters), or whose output goes past what an agent keeps.
 * Claude Code gives such output to no hook, so they are the ones worth wrapping there; everything else is
 * shrunk afterwards, with the command left as it is.
 */

import { wordList } from "../../output/shell/word-list.ts";
import { anyOf } from "../../platform/lists.ts";

const ALONE = wordList(
  "pytest py.test tox nox jest vitest mocha ava tap karma cypress rspec phpunit pest ctest busted bats unittest " +
    "tsc vue-tsc svelte-check eslint biome oxlint stylelint ruff mypy pyright basedpyright flake8 pylint black isort " +
    "rubocop standardrb golangci-lint staticcheck shellcheck hadolint ktlint detekt swiftlint clang-tidy cppcheck " +
    "phpstan psalm phpcs credo dialyzer hlint make gmake ninja cmake meson bazel bazelisk buck2 gradle gradlew mvn mvnw " +
    "ant sbt mill msbuild xcodebuild rebar3 stack cabal dune webpack rollup esbuild turbo nx lerna gcc g++ cc c++ clang " +
    "clang++ rustc javac kotlinc ghc rake just task pre-commit trunk coverage terraform tofu terragrunt pulumi " +
    "ansible-playbook packer journalctl",
);

/** Lists of verbs, searched as text. */
const WITH_VERB: Readonly<Record<string, string>> = {
  cargo: "test t build b check c clippy run r bench nextest doc fmt install publish",
  go: "test build vet install run generate mod",
  dotnet: "test build publish restore run pack",
  npm: "test t run run-script install i ci add update audit exec",
  pnpm: "test t run install i add update audit exec build lint",
  yarn: "test run install add build lint",
  bun: "test run install add build",
  deno: "test lint check task run",
  mix: "test compile credo dialyzer format deps.get",
  zig: "build test",
  swift: "build test",
  flutter: "test analyze build pub",
  dart: "test analyze compile pub",
  composer: "install update require test validate",
  bundle: "install exec update",
  pip: "install wheel check",
  pip3: "install wheel check",
  poetry: "install add update check build",
  uv: "sync add pip lock build",
  docker: "build buildx compose logs",
  podman: "build logs",
  "docker-compose": "build up logs",
  kubectl: "logs describe apply get",
  helm: "install upgrade lint template",
  git: "log diff show",
  vite: "build",
  next: "build lint",
  playwright: "test",
  prettier: "--check -c",
};

/** @param candidates a command under the names a filter would know it by, wrappers and global options taken off. */
export function failsLong(candidates: readonly string[]): boolean {
  for (const candidate of candidates) {
    const command = candidate.trim();
    const [program = "", verb = ""] = command.split(/\s+/, 2);
    const name = baseName(program);
    if (ALONE.has(name) || isVerb(verbsOf(name), verb)) return true;
  }
  return false;
}

/** A cheap look before anything is parsed: no word of the line is one of ours, so no command of it can be. */
export function mayFailLong(line: string): boolean {
  const words = line.match(/[A-Za-z0-9_.+-]+/g) ?? [];
  for (const word of words) {
    const name = baseName(word);
    if (ALONE.has(name)) return true;
    const verbs = verbsOf(name);
    if (verbs !== undefined && anyOf(words, (verb) => isVerb(verbs, verb))) return true;
  }
  return false;
}

function verbsOf(name: string): string | undefined {
  return Object.hasOwn(WITH_VERB, name) ? WITH_VERB[name] : undefined;
}

function isVerb(verbs: string | undefined, word: string): boolean {
  return verbs !== undefined && word !== "" && ` ${verbs} `.includes(` ${word} `);
}

export function baseName(word: string): string {
  const name = word.slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1);
  return name.includes(".") ? name.replace(/\.(?:exe|cmd|bat)$/i, "") : name;
}
