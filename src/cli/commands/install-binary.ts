/** `tokenix install-binary`: puts the running program where PATH finds it. */
import { defineCommand } from "citty";
import { installBinary } from "../../agents/install/install-binary.ts";
import { EXIT } from "../../platform/errors.ts";

export default defineCommand({
  meta: { name: "install-binary", description: "Copy this program to where PATH finds it" },
  args: {
    to: { type: "string", description: "another folder than the usual one" },
    force: { type: "boolean", description: "replace a file there that is not tokenix" },
  },
  run({ args }) {
    const said = installBinary({
      running: process.execPath,
      folder: args.to,
      isForced: args.force === true,
      env: process.env,
    });
    process.stdout.write(`${said.join("\n")}\n`);
    return EXIT.ok;
  },
});
