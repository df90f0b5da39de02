/**
 * The command table's runner: finds the entry, checks flags against the command's own `args` (citty lets
 * mistyped flags through), runs it, and turns errors into two lines on stderr and one exit code.
 */
import { type ArgDef, type ArgsDef, type CommandDef, parseArgs } from "citty";
import { EXIT, messageOf, UserError } from "../platform/errors.ts";
import { nearest } from "../platform/nearest.ts";
import { isInteractive } from "../platform/terminal.ts";
import { catalog } from "./catalog.ts";

export async function runCli(argv: readonly string[]): Promise<void> {
  process.exitCode = await dispatch(argv).catch((error: unknown) => report(error, { json: asksForJson(argv) }));
  if (isForPeople(argv[0])) await tellAboutUpdates();
}

/** Then stdout is one JSON value whatever happens, an error too. */
function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  const flags = end < 0 ? argv : argv.slice(0, end);
  return flags.some(
    (word, at) => word === "--json" || word === "--format=json" || (word === "--format" && flags[at + 1] === "json"),
  );
}

/** Only a command that a person types may look for updates; `update` itself has just done so. */
function isForPeople(name: string | undefined): boolean {
  // The terminal is asked last: the question alone loads the stream classes, and an agent's command never needs them.
  const isTheirs =
    name === undefined || (name !== "update" && catalog.some((one) => one.name === name && one.audience === "person"));
  return isTheirs && isInteractive();
}

async function tellAboutUpdates(): Promise<void> {
  try {
    const { afterInteractiveCommand } = await import("../update/background.ts");
    const notice = await afterInteractiveCommand(process.cwd());
    if (notice) await (await import("./tell.ts")).tell("info", notice);
  } catch {
    // The command itself is done and well.
  }
}

async function dispatch(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined || name === "--help" || name === "-h" || (name === "help" && rest.length === 0)) {
    endQuietlyOnClosedPipe();
    const { overview } = await import("./help.ts");
    process.stdout.write(overview(catalog));
    return EXIT.ok;
  }
  const wanted = name === "help" ? rest[0] : name;
  const entry = catalog.find((one) => one.name === wanted);
  if (!entry) {
    const isFlag = wanted?.startsWith("-") ?? false;
    const names = isFlag ? ["--version", "--help"] : catalog.filter((one) => !one.hidden).map((one) => one.name);
    const near = nearest(wanted ?? "", names);
    throw new UserError(
      `there is no ${isFlag ? "flag" : "command"} '${wanted}'`,
      near ? `did you mean 'tokenix ${near}'?` : "'tokenix' alone lists the commands",
      EXIT.usage,
    );
  }
  const asksForHelp = name === "help" || rest.includes("--help") || rest.includes("-h");
  if (!entry.quick || asksForHelp) endQuietlyOnClosedPipe();
  const command = (await entry.load()).default as CommandDef<ArgsDef>;
  const { command: leaf, path, args: found } = await descend(command, name === "help" ? [] : rest, [entry.name]);
  const definitions = (await resolved(leaf.args)) ?? {};
  if (name === "help" || found.includes("--help") || found.includes("-h")) {
    const { commandHelp } = await import("./help.ts");
    process.stdout.write(await commandHelp(entry, leaf, path, definitions));
    return EXIT.ok;
  }
  const leafArgs = withRest(found, definitions);
  checkFlags(leafArgs, definitions, path.join(" "));
  const args = parse(leafArgs, definitions, path.join(" "));
  const result = await leaf.run?.({ rawArgs: [...leafArgs], args, cmd: leaf });
  return typeof result === "number" ? result : EXIT.ok;
}

/** Follows sub-commands (`filter list`) as far as the words name them. */
async function descend(
  command: CommandDef<ArgsDef>,
  args: readonly string[],
  path: readonly string[],
): Promise<{ command: CommandDef<ArgsDef>; path: readonly string[]; args: readonly string[] }> {
  const children = (await resolved(command.subCommands)) as Record<string, unknown> | undefined;
  if (!children) return { command, path, args };
  const at = args.findIndex((word) => !word.startsWith("-"));
  const word = at < 0 ? undefined : args[at];
  if (word === undefined) {
    if (command.run || args.includes("--help") || args.includes("-h")) return { command, path, args };
    throw new UserError(
      `'tokenix ${path.join(" ")}' needs one of: ${Object.keys(children).join(", ")}`,
      undefined,
      EXIT.usage,
    );
  }
  const child = (await resolved(children[word])) as CommandDef<ArgsDef> | undefined;
  if (!child || !Object.hasOwn(children, word)) {
    if (command.run) return { command, path, args };
    const near = nearest(word, Object.keys(children));
    throw new UserError(
      `'tokenix ${path.join(" ")}' has no '${word}'`,
      near ? `did you mean 'tokenix ${path.join(" ")} ${near}'?` : `it has: ${Object.keys(children).join(", ")}`,
      EXIT.usage,
    );
  }
  return descend(child, [...args.slice(0, at), ...args.slice(at + 1)], [...path, word]);
}

/** citty takes a value, a promise or a function that gives either. */
async function resolved<T>(value: T | Promise<T> | (() => T | Promise<T>) | undefined): Promise<T | undefined> {
  return typeof value === "function" ? await (value as () => T | Promise<T>)() : await value;
}

/** Where the positional is a whole command line (`COMMAND...`), its own flags are not ours: all of it goes behind `--`. */
function withRest(args: readonly string[], definitions: ArgsDef): readonly string[] {
  const takesRest = Object.values(definitions).some(
    (one) => one.type === "positional" && one.valueHint === "COMMAND...",
  );
  const at = takesRest && !args.includes("--") ? args.findIndex((word) => !word.startsWith("-")) : -1;
  if (at < 0) return args;
  const after = args.slice(at + 1);
  const isOurs = (word: string): boolean => word.startsWith("--") && Object.hasOwn(definitions, word.slice(2));
  return after.every(isOurs) ? args : [...args.slice(0, at), "--", ...args.slice(at)];
}

function checkFlags(args: readonly string[], definitions: ArgsDef, path: string): void {
  const known = new Map<string, ArgDef>();
  for (const [name, definition] of Object.entries(definitions)) {
    if (definition.type === "positional") continue;
    known.set(name, definition);
    for (const alias of [("alias" in definition && definition.alias) || []].flat()) known.set(alias, definition);
  }
  for (let i = 0; i < args.length; i++) {
    const word = args[i] as string;
    if (word === "--") return;
    if (!/^-[^\d]/.test(word)) continue;
    const [flag = "", inline] = splitOnce(word.replace(/^--?/, ""), "=");
    const negated = flag.startsWith("no-") && !known.has(flag) ? flag.slice(3) : flag;
    const definition = known.get(negated);
    if (!definition) {
      const choice = choiceNamed(flag, definitions);
      const near = choice ?? nearest(flag, known.keys());
      throw new UserError(
        `'tokenix ${path}' has no flag '${word.split("=")[0]}'`,
        near ? `did you mean '--${near}'?` : `'tokenix ${path} --help' lists its flags`,
        EXIT.usage,
      );
    }
    if (definition.type === "boolean") continue;
    if (inline === undefined) {
      const value = args[++i];
      if (value === undefined || value === "--")
        throw new UserError(`'${word}' needs a value`, `'tokenix ${path} --help' says which`, EXIT.usage);
    }
  }
}

/** `--full` where it is `--mode full`: a word that a flag's description lists as one of its values. */
function choiceNamed(word: string, definitions: ArgsDef): string | undefined {
  for (const [name, { type, description = "" }] of Object.entries(definitions)) {
    if (type !== "string") continue;
    const choices = description.split(/, | or /).map((one) => one.replace(/[: (].*$/s, ""));
    if (choices.length > 1 && choices.includes(word)) return `${name} ${word}`;
  }
  return undefined;
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function parse(args: readonly string[], definitions: ArgsDef, path: string) {
  try {
    return parseArgs([...args], definitions);
  } catch (error) {
    throw new UserError(messageOf(error), `'tokenix ${path} --help' shows how it is called`, EXIT.usage);
  }
}

async function report(error: unknown, { path, json = false }: { path?: string; json?: boolean }): Promise<number> {
  if ((error as NodeJS.ErrnoException | undefined)?.code === "EPIPE") return EXIT.ok;
  const { storageRefusal } = await import("../platform/storage-errors.ts");
  const known = error instanceof UserError ? error : (storageRefusal(error, path) ?? (await damage(error)));
  const { tell } = await import("./tell.ts");
  if (json) {
    const value = { error: known?.message ?? messageOf(error), ...(known?.hint ? { hint: known.hint } : {}) };
    // A closed or full stdout is no reason to hide the error itself.
    await Bun.write(Bun.stdout, `${JSON.stringify(value)}\n`).catch(() => 0);
  }
  if (known) {
    await tell("error", known.message, known.hint);
    return known.exitCode;
  }
  const trace = process.env["TOKENIX_DEBUG"] && error instanceof Error ? error.stack : undefined;
  await tell("error", messageOf(error), trace ?? "this is a fault of tokenix; TOKENIX_DEBUG=1 shows where it happened");
  return EXIT.findings;
}

/**
 * A database that broke in the middle of an answer: most often the index of the project around here. What is read from
 * broken pages can fail anywhere, so every error that nobody expected is held against the index first.
 */
async function damage(error: unknown): Promise<UserError | undefined> {
  const { findProjectRoot } = await import("../repo/store/root.ts");
  const { damageOf } = await import("../repo/store/damage.ts");
  try {
    const damaged = damageOf(findProjectRoot(process.cwd()).root);
    if (damaged) return damaged;
  } catch {
    // No folder to be in: the error itself is all there is to tell.
  }
  if (!/^SQLITE_(?:CORRUPT|NOTADB)/.test((error as { code?: string } | undefined)?.code ?? "")) return undefined;
  return new UserError("a database is damaged", "'tokenix doctor' in its project says which, and what to do");
}

/** `tokenix query … | head -1` ends as other programs do: no message, no stack. A full disk is told. */
function endQuietlyOnClosedPipe(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(EXIT.ok);
    void report(error, { path: "the output" }).then((code) => process.exit(code));
  });
}
