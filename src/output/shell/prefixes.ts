/**
 * What stands in front of the program that does the work: wrappers (`sudo`, `timeout 60`), package runners (`npx`,
 * `uv run`), shells (`bash -lc '…'`) and a tool's own global options (`git -C dir`). Taken off one at a time, so that
 * a filter on the wrapper still sees it. An option that is not in the tables ends the taking off: what runs is then
 * not known, and a caller that needs to know must leave the command alone.
 */

import { type WordList, wordList } from "./word-list.ts";

/** A word of a command; `value` is undefined when it depends on an expansion. */
export interface Argument {
  readonly raw: string;
  readonly text: string;
  readonly value: string | undefined;
}

export type Form = readonly Argument[];

export interface Peeled {
  /** As written first, the innermost command last. */
  readonly forms: readonly Form[];
  /** The last form is the program that runs, with nothing left in front of it. */
  readonly isKnown: boolean;
  /** The text behind `bash -c`, when the innermost program is such a shell. */
  readonly shellLine: string | undefined;
}

interface Options {
  /** Options followed by a value of their own. */
  readonly values?: string;
  /** Options that stand alone. */
  readonly flags?: string;
  /** Words to take off behind the options, before the command. */
  readonly operands?: number;
  /** Takes any other option as one that stands alone. */
  readonly anyFlag?: boolean;
  /** `NAME=value` words may stand before the command. */
  readonly assignments?: boolean;
  /** The command is a package: `eslint@9` runs `eslint`. */
  readonly isPackage?: boolean;
  /** An option after which a Python module is named. */
  readonly module?: string;
}

const PACKAGE_RUN: Options = {
  values: "-p --package -w --workspace --allow-build --registry",
  flags: "-y --yes -q --quiet --no-install --no --prefer-offline --offline --silent --verbose --bun -s",
  isPackage: true,
};

const UV_OPTIONS = "--directory --project --config-file --cache-dir --color --python-preference --index-url --index";
const UV_FLAGS = "-q -v --quiet --verbose --offline --no-progress --native-tls --no-cache -n --no-config";

const UV_RUN: Options = {
  values: `${UV_OPTIONS} --with --with-editable --with-requirements -p --python --extra --no-extra --group --no-group
    --only-group --package --env-file --default-index --link-mode --from`,
  flags: `${UV_FLAGS} --no-sync --frozen --locked --isolated --active --no-project --dev --no-dev --only-dev
    --all-extras --all-groups --no-default-groups --all-packages --exact --refresh --managed-python --no-editable`,
  module: "-m --module",
};

const COMPOSE: Options = {
  values: "-f --file -p --project-name --profile --env-file --project-directory --ansi --progress --parallel",
  flags: "--compatibility --all-resources --dry-run",
};

const COMPOSE_EXEC: Options = {
  values: "-e --env -u --user -w --workdir --index -v --volume --name",
  flags: "-T --no-TTY --privileged --rm --no-deps --quiet-pull --build -q",
  operands: 1,
};

const CONTAINER_EXEC: Options = {
  values: "-e --env -u --user -w --workdir --env-file",
  flags: "-i --interactive --privileged",
  operands: 1,
};

/** Programs (with their sub-command) that run the rest of their words. */
const RUNNERS: Readonly<Record<string, Options>> = {
  sudo: {
    values: "-u --user -g --group -h --host -p --prompt -C -D --chdir -R -T -r -t",
    flags: "-E --preserve-env -n --non-interactive -H --set-home -S --stdin -k -P",
    assignments: true,
  },
  doas: { values: "-u -C", flags: "-n" },
  time: { values: "-f --format", flags: "-p -v --verbose -a -l -h" },
  timeout: {
    values: "-k --kill-after -s --signal",
    flags: "--preserve-status --foreground -v --verbose",
    operands: 1,
  },
  gtimeout: {
    values: "-k --kill-after -s --signal",
    flags: "--preserve-status --foreground -v --verbose",
    operands: 1,
  },
  nice: { values: "-n --adjustment" },
  ionice: { values: "-c --class -n --classdata", flags: "-t --ignore" },
  nohup: {},
  stdbuf: { values: "-i --input -o --output -e --error" },
  caffeinate: { values: "-t -w", flags: "-d -i -m -s -u" },
  "xvfb-run": { values: "-s --server-args -n --server-num", flags: "-a --auto-servernum" },
  env: { values: "-u --unset -C --chdir", flags: "-i --ignore-environment -", assignments: true },
  "cross-env": { assignments: true },
  // the shell's own: they never get a wrapper in front, but the command behind them has its filter
  command: { flags: "-p" },
  builtin: {},
  noglob: {},
  nocorrect: {},
  "uv run": UV_RUN,
  "uv tool run": { ...UV_RUN, isPackage: true },
  uvx: { ...UV_RUN, isPackage: true },
  "pipx run": { values: "--spec --python --pip-args --index-url", flags: "--no-cache -q -v --quiet", isPackage: true },
  "poetry run": {},
  "pdm run": { values: "-p --project", flags: "-s -v -q" },
  "rye run": {},
  "hatch run": {},
  "pipenv run": {},
  "conda run": { values: "-n --name -p --prefix --cwd", flags: "--no-capture-output --live-stream -v" },
  "mamba run": { values: "-n --name -p --prefix --cwd", flags: "--no-capture-output --live-stream -v" },
  "micromamba run": { values: "-n --name -p --prefix --cwd" },
  npx: PACKAGE_RUN,
  bunx: PACKAGE_RUN,
  pnpx: PACKAGE_RUN,
  "npm exec": PACKAGE_RUN,
  "npm x": PACKAGE_RUN,
  "bun x": PACKAGE_RUN,
  "pnpm exec": { ...PACKAGE_RUN, flags: `${PACKAGE_RUN.flags} -r --recursive --parallel` },
  "pnpm dlx": PACKAGE_RUN,
  "yarn dlx": PACKAGE_RUN,
  "yarn exec": {},
  "deno run": { values: "-c --config --import-map --cert", anyFlag: true, isPackage: true },
  "deno task": { values: "-c --config --cwd -f --filter", flags: "-q --quiet -r --recursive" },
  "bundle exec": {},
  "rbenv exec": {},
  "pyenv exec": {},
  "asdf exec": {},
  "rustup run": { flags: "--install", operands: 1 },
  "go tool": { flags: "-n" },
  "direnv exec": { operands: 1 },
  "composer exec": { flags: "-v -vv -q" },
  "docker exec": CONTAINER_EXEC,
  "podman exec": CONTAINER_EXEC,
  "docker compose exec": COMPOSE_EXEC,
  "docker compose run": COMPOSE_EXEC,
};

/** A tool's options before its sub-command. `+toolchain` and `-chdir=dir` are looked at in `takeOptions`. */
const GLOBAL_OPTIONS: Readonly<Record<string, Options>> = {
  git: {
    values: "-C -c --git-dir --work-tree --namespace --exec-path --config-env --attr-source",
    flags: `--no-pager -P --paginate -p --bare --no-replace-objects --literal-pathspecs --glob-pathspecs
      --noglob-pathspecs --icase-pathspecs --no-optional-locks --no-lazy-fetch --no-advice`,
  },
  hg: { values: "-R --repository --cwd --config", flags: "-y -q -v --noninteractive --quiet --verbose" },
  jj: { values: "-R --repository --config --color", flags: "--no-pager --quiet --ignore-working-copy" },
  kubectl: {
    values: `-n --namespace --context --cluster --kubeconfig --user -s --server --as --as-group --token
      --request-timeout --v -v --cache-dir --profile`,
    flags: "--insecure-skip-tls-verify --match-server-version --warnings-as-errors",
  },
  oc: { values: "-n --namespace --context --cluster --kubeconfig --user -s --server --as --token --request-timeout" },
  helm: {
    values: "-n --namespace --kube-context --kubeconfig --registry-config --repository-config --repository-cache",
    flags: "--debug --kube-insecure-skip-tls-verify",
  },
  docker: {
    values: "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey",
    flags: "-D --debug --tls --tlsverify",
  },
  podman: { values: "-H --url -c --connection --log-level --root --runroot --storage-driver", flags: "-r --remote" },
  "docker compose": COMPOSE,
  "podman compose": COMPOSE,
  npm: {
    values: "--prefix -C -w --workspace --registry --loglevel --cache --userconfig",
    flags: "-s --silent -q --quiet -d -g --global -ws --workspaces --if-present --ignore-scripts --offline --no-color",
  },
  pnpm: {
    values: "-C --dir -F --filter --filter-prod --loglevel --workspace-concurrency",
    flags: `-r --recursive -w --workspace-root -s --silent --stream --parallel --aggregate-output --color --no-color
      --no-bail --bail --if-present --offline --prefer-offline`,
  },
  yarn: { values: "--cwd", flags: "-s --silent --offline --non-interactive --no-progress" },
  "yarn workspace": { operands: 1 },
  bun: { values: "--cwd -F --filter -c --config", flags: "--bun -b --silent" },
  deno: { values: "-L --log-level", flags: "-q --quiet" },
  cargo: {
    values: "--color -C --config -Z",
    flags: "-v -vv --verbose -q --quiet --frozen --locked --offline",
  },
  go: { values: "-C" },
  gh: { values: "-R --repo" },
  glab: { values: "-R --repo" },
  aws: {
    values: "--profile --region --endpoint-url --color --ca-bundle --cli-read-timeout --cli-connect-timeout",
    flags: "--no-cli-pager --debug --no-verify-ssl --no-sign-request --no-paginate",
  },
  gcloud: {
    values: "--project --account --configuration --verbosity --impersonate-service-account",
    flags: "-q --quiet",
  },
  terraform: { anyFlag: true },
  tofu: { anyFlag: true },
  systemctl: {
    values: "-H --host -M --machine -n --lines -t --type --state -s --signal",
    flags: "--user --system --no-pager --no-legend -q --quiet -l --full --plain --no-ask-password -a --all --failed",
  },
  poetry: {
    values: "-C --directory -P --project",
    flags: "-n --no-interaction -q --quiet -v -vv -vvv --verbose --no-ansi --ansi --no-plugins --no-cache",
  },
  uv: { values: UV_OPTIONS, flags: UV_FLAGS },
  pip: {
    values: "--python --proxy --timeout --log --cert --retries",
    flags:
      "-q -qq -v -vv --quiet --verbose --isolated --disable-pip-version-check --no-input --no-color --require-venv",
  },
  composer: {
    values: "-d --working-dir",
    flags: `-n --no-interaction -q --quiet -v -vv -vvv --verbose --ansi --no-ansi --no-plugins --no-scripts --profile
      --no-cache`,
  },
  apt: { values: "-o -c -t", flags: "-y --yes -q -qq --quiet -s --assume-yes --no-install-recommends" },
  "apt-get": { values: "-o -c -t", flags: "-y --yes -q -qq --quiet -s --assume-yes --no-install-recommends" },
  dnf: { values: "-c --setopt --enablerepo --disablerepo", flags: "-y --assumeyes -q --quiet" },
  yum: { values: "-c --setopt --enablerepo --disablerepo", flags: "-y --assumeyes -q --quiet" },
  dart: { flags: "--disable-analytics --suppress-analytics -v" },
  flutter: { values: "-d --device-id", flags: "--no-version-check --suppress-analytics -v --no-color" },
};

const SHELLS = wordList("bash sh zsh dash ksh");
const OTHER_SHELLS = wordList("pwsh powershell cmd fish nu csh tcsh");
const PYTHON = /^(?:python|pypy)(?:[23](?:\.\d+)?)?$|^py$/;
const PYTHON_OPTIONS: Options = { values: "-W -X", flags: "-u -B -E -s -S -I -O -OO -q -v -b -d -3" };
const INTERPRETERS = wordList("php node ruby bun");
const ASKS_ABOUT_ITSELF = wordList("--version --help -h -V -v -version -help");
const MAX_STEPS = 10;

/** Takes the words in front of the working command off, one kind at a time. */
export function peel(words: Form): Peeled {
  const forms: Form[] = [words];
  let current = words;
  for (let step = 0; step < MAX_STEPS; step++) {
    const next = takeOne(current);
    if (next === undefined) return { forms, isKnown: true, shellLine: undefined };
    if (next === "unknown") return { forms, isKnown: false, shellLine: undefined };
    if (typeof next === "object" && "line" in next) return { forms, isKnown: true, shellLine: next.line };
    forms.push(next);
    current = next;
  }
  return { forms, isKnown: false, shellLine: undefined };
}

type Step = Form | "unknown" | { readonly line: string } | undefined;

function takeOne(words: Form): Step {
  const program = words[0]?.value?.trimEnd();
  if (!program) return "unknown";
  const name = baseName(program);
  if (name !== program) return name === "" ? "unknown" : [literal(name), ...words.slice(1)];
  if (SHELLS.has(name)) return takeShell(words);
  if (OTHER_SHELLS.has(name)) return words.length > 1 ? "unknown" : undefined;
  if (name.startsWith("py") && PYTHON.test(name)) return takePythonModule(words);
  if (name === "docker-compose") return [literal("docker"), literal("compose"), ...words.slice(1)];
  const second = words[1]?.value;
  const third = words[2]?.value;
  if (INTERPRETERS.has(name) && second && /(?:^|[\\/])(?:\.?bin[\\/][^\\/]+|artisan)$/.test(second)) {
    return [literal(baseName(second).replace(/\.(?:m?js|cjs|php|phar|rb)$/, "")), ...words.slice(2)];
  }
  const three = `${name} ${second} ${third}`;
  if (Object.hasOwn(RUNNERS, three)) return takeRunner(words, 3, RUNNERS[three]);
  const two = `${name} ${second}`;
  if (Object.hasOwn(RUNNERS, two)) return takeRunner(words, 2, RUNNERS[two]);
  if (Object.hasOwn(RUNNERS, name)) return takeRunner(words, 1, RUNNERS[name]);
  if (Object.hasOwn(GLOBAL_OPTIONS, two)) {
    const taken = takeOptions(words, 2, GLOBAL_OPTIONS[two]);
    if (taken !== undefined) return taken;
  }
  return Object.hasOwn(GLOBAL_OPTIONS, name) ? takeOptions(words, 1, GLOBAL_OPTIONS[name]) : undefined;
}

/** `/usr/bin/git` and `git.exe` are git. */
export function baseName(program: string): string {
  const name = program.slice(Math.max(program.lastIndexOf("/"), program.lastIndexOf("\\")) + 1);
  return name.includes(".") ? name.replace(/\.(?:exe|cmd|bat|ps1|com)$/i, "") : name;
}

function literal(text: string): Argument {
  return { raw: text, text, value: text };
}

function takeRunner(words: Form, from: number, options: Options = {}): Step {
  let at = skipOptions(words, from, options);
  if (at === undefined) return "unknown";
  if (options.module && at < words.length && has(options.module, words[at]?.value)) at++;
  if (options.assignments) while (/^[A-Za-z_]\w*=/.test(words[at]?.text ?? "")) at++;
  at += options.operands ?? 0;
  if (words[at]?.value === "--") at++;
  const program = words[at]?.value;
  if (at >= words.length) return from > 1 || words.length === 1 ? undefined : "unknown";
  if (!program) return "unknown";
  const rest = words.slice(at);
  if (!options.isPackage) return rest;
  const named = program.replace(/^npm:/, "").replace(/(?!^)@[^/@]*$/, "");
  return named === program ? rest : [literal(named), ...rest.slice(1)];
}

/** The tool with its global options left out; undefined when it has none. */
function takeOptions(words: Form, from: number, options: Options = {}): Step {
  let start = from;
  if (words[0]?.value === "cargo" && words[from]?.value?.startsWith("+")) start++;
  if (start === words.length || ASKS_ABOUT_ITSELF.has(words[start]?.value ?? "")) return undefined;
  let at = skipOptions(words, start, options);
  if (at === undefined) return "unknown";
  at += options.operands ?? 0;
  if (at === from || at >= words.length) return undefined;
  // `yarn workspace NAME test` is `yarn test` there
  const kept = options.operands ? from - 1 : from;
  return [...words.slice(0, kept), ...words.slice(at)];
}

/** The place behind the options; undefined when one of them is not known. */
function skipOptions(words: Form, from: number, options: Options): number | undefined {
  let at = from;
  for (; at < words.length; at++) {
    const word = words[at];
    if (!word) return undefined;
    const { text } = word;
    if (text === "--") return at + 1;
    if (!text.startsWith("-")) return word.value === undefined && text.startsWith("$") ? undefined : at;
    if (options.module && has(options.module, text)) return at;
    const equals = text.indexOf("=");
    const name = equals > 0 ? text.slice(0, equals) : text;
    if (has(options.values, name)) {
      if (equals < 0) at++;
    } else if (has(options.flags, name) || options.anyFlag) continue;
    else if (/^-\d+$/.test(text) && has(options.values, "-n")) continue;
    else if (text.startsWith("--") || text.length < 3) return undefined;
    else if (has(options.values, text.slice(0, 2))) continue;
    else if (![...text.slice(1)].every((letter) => has(options.flags, `-${letter}`))) return undefined;
  }
  return at > words.length ? undefined : at;
}

const lists = new Map<string, WordList>();

/** Whether a table's text lists the option. */
function has(list: string | undefined, option: string | undefined): boolean {
  if (!list || !option) return false;
  let known = lists.get(list);
  if (!known) {
    known = wordList(list);
    lists.set(list, known);
  }
  return known.has(option);
}

/** `bash -lc 'line'`: the line. A script file or no argument leaves the shell itself as the program. */
function takeShell(words: Form): Step {
  for (let at = 1; at < words.length; at++) {
    const text = words[at]?.text ?? "";
    if (text === "-o" || text === "+o") at++;
    else if (/^-[a-z]*c$/.test(text)) {
      const line = words[at + 1]?.value;
      return line === undefined ? "unknown" : { line };
    } else if (!/^(?:-[a-z]+|--login|--norc|--noprofile|--posix)$/.test(text)) {
      return text.startsWith("-") ? "unknown" : undefined;
    }
  }
  return undefined;
}

/** `python -m pytest` is `pytest`, `python manage.py test` is `manage.py test`; `-c` leaves Python as the program. */
function takePythonModule(words: Form): Step {
  for (let at = 1; at < words.length; at++) {
    const text = words[at]?.text ?? "";
    if (text === "-m") return words[at + 1]?.value ? words.slice(at + 1) : "unknown";
    if (has(PYTHON_OPTIONS.values, text)) at++;
    else if (!text.startsWith("-")) {
      return text.endsWith(".py") && words[at]?.value ? [literal(baseName(text)), ...words.slice(at + 1)] : undefined;
    } else if (!has(PYTHON_OPTIONS.flags, text) && !/^-[WX]./.test(text)) return undefined;
  }
  return undefined;
}
