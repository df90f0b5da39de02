/**
 * The lists of what never runs behind our prefix, and why; single programs are in `rule-list.ts`. The reader of such a
 * command is not the agent (a person at a terminal, another program), or it has no end that could be waited for. A doubt
 * means: on a list.
 */

import { type WordList, wordList } from "./word-list.ts";

export type Reason =
  /** Changes the calling shell, or exists only in it. */
  | "shell"
  /** Needs a terminal or answers: editors, pagers, prompts, REPLs, sign-ins, remote shells. */
  | "interactive"
  /** Runs until stopped: its lines are wanted as they come. */
  | "endless"
  /** The output has a format that a program reads, or was selected by the caller already. */
  | "machine"
  /** Already ours. */
  | "ours";

/** Builtins and keywords of bash and zsh, and functions that version managers define in the calling shell. */
export const SHELL_WORDS: WordList = wordList(`
  . : [ alias autoload bg bind bindkey break builtin caller cd chdir command compdef compgen complete compopt continue
  declare dirs disown echo emulate enable eval exec exit export false fc fg float functions getopts hash help history
  integer jobs let limit local log logout mapfile noglob nocorrect popd print printf pushd pwd read readarray readonly
  rehash repeat return sched set setopt shift shopt source suspend test times trap true type typeset ulimit umask
  unalias unfunction unhash unlimit unset unsetopt vared wait whence where which zle zmodload zparseopts zstyle
  if then else elif fi do done case esac while until for select in { } ! [[ ]] time function coproc
  and or not begin end foreach switch
  nvm sdk rvm chruby workon deactivate conda mamba micromamba pyenv rbenv jenv fnm z j thefuck fuck module
`);

/** Of these, whatever stands in the line may mean something else afterwards: the whole line is left alone. */
export const CHANGES_THE_LINE: WordList = wordList(`
  alias unalias eval exec enable trap shopt hash fg bg jobs wait disown coproc history fc bind complete
  setopt unsetopt emulate autoload zmodload unhash
`);

/** Print nothing when they succeed: beside one of these, another command's output is the output of the line. */
export const SILENT: WordList = wordList(": true cd export unset set source . umask test [ mkdir touch sleep");

/** Names under which projects keep what does not end; any runner of scripts can be told to run one. */
export const SCRIPT_RUNNERS: WordList = wordList("npm pnpm yarn bun deno");
export const ENDLESS_SCRIPT =
  /^(?:dev|start|serve|server|watch|preview|develop|storybook|hot)$|^(?:dev|start|serve|watch)[:._-]|[:._-](?:dev|serve|watch)$/;
export const WATCH_FLAGS: WordList = wordList(
  "--watch --watchall --watch-all --hot --follow --livereload --live-reload --interactive --continuous --reload",
);
/** `-w` is watch for these; elsewhere it is width, workspace, word or warnings. */
export const SHORT_WATCH: WordList = wordList(
  "tsc vue-tsc jest vitest mocha webpack rollup esbuild sass swc babel tailwindcss postcss tsup ava karma cypress tap vite",
);
export const SIGN_IN: WordList = wordList("login signin sign-in logon adduser authenticate");

/** Options after which a program reads the output; so does every option with "json" in its name. */
export const MACHINE_FLAGS: WordList = wordList(`
  --jq --template --porcelain --null --null-data --print0 --xml --csv --tsv --yaml --sarif --raw --plumbing --query
  --parseable --pickle --dump-dom -z -0 -print0 -xml
`);
/** Options whose value names a format. */
export const FORMAT_FLAGS: WordList = wordList(`
  --format --output --output-format --outputformat --out-format --out.format --reporter --reporters --report --formatter
  --message-format --error-format --log-format --logger --pretty --emit --type -o -f -F -R
`);
export const MACHINE_VALUE =
  /^(?:[a-z-]*json[a-z0-9-]*|ya?ml|xml|[a-z]*sarif|junit[a-z0-9]*|checkstyle|codeclimate|csv|tsv|name|tap|github|gitlab|teamcity|raw|porcelain|unix|msvs|protobuf|cyclonedx|spdx|plist|null|(?:custom-columns|go-template|template|jsonpath).*)$/i;
/** Named layouts that are made for people. `--format` with anything else is a selector or a template. */
export const HUMAN_FORMATS: WordList = wordList(`
  human text pretty stylish documentation doc d progress p full fuller short medium oneline concise compact default
  grouped table wide plain long verbose list tree dot spec line email reference pylint parsable
`);
