/** `tokenix filter`: everything about output filters that a person does. One file a sub-command in `filter/`. */
import { type CommandDef, defineCommand } from "citty";
import { EXIT, UserError } from "../../platform/errors.ts";
import { nearest } from "../../platform/nearest.ts";

const subCommands = {
  list: () => import("./filter/list.ts").then((module) => module.default),
  active: () => import("./filter/active.ts").then((module) => module.default),
  show: () => import("./filter/show.ts").then((module) => module.default),
  try: () => import("./filter/try.ts").then((module) => module.default),
  verify: () => import("./filter/verify.ts").then((module) => module.default),
  record: () => import("./filter/record.ts").then((module) => module.default),
  generate: () => import("./filter/generate.ts").then((module) => module.default),
  // biome-ignore lint/suspicious/noExplicitAny: each has args of its own
} satisfies Record<string, () => Promise<CommandDef<any>>>;

export default defineCommand({
  meta: { name: "filter", description: "List, show, try, check, record and write output filters" },
  subCommands,
  /** Alone it says what is in force here. */
  async run({ rawArgs }) {
    const word = rawArgs.find((arg) => !arg.startsWith("-"));
    if (word !== undefined) {
      const near = nearest(word, Object.keys(subCommands));
      throw new UserError(
        `'tokenix filter' has no '${word}'`,
        near ? `did you mean 'tokenix filter ${near}'?` : `it has: ${Object.keys(subCommands).join(", ")}`,
        EXIT.usage,
      );
    }
    const active = await subCommands.active();
    const result = await active.run?.({
      rawArgs: [],
      args: { _: [], command: undefined, json: false } as never,
      cmd: active,
    });
    console.error(`\nsub-commands: ${Object.keys(subCommands).join(", ")}`);
    return result;
  },
});
