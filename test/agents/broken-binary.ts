/** The ways in which an installed hook can be broken, for every agent the same. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox } from "./sandbox.ts";

export interface Breakage {
  readonly name: string;
  readonly spoil: (sandbox: Sandbox) => void;
}

/** `hurry` shortens the hook's time limit in the agent's own settings, so that no test waits for ten seconds. */
export function breakages(hurry: (sandbox: Sandbox) => void): readonly Breakage[] {
  return [
    { name: "is missing", spoil: (sandbox) => rmSync(join(sandbox.bin, "tokenix")) },
    { name: "is killed", spoil: (sandbox) => replace(sandbox, "kill -9 $$") },
    { name: "crashes with half an answer", spoil: (sandbox) => replace(sandbox, "printf '{\"half\":'; exit 101") },
    {
      name: "never ends",
      spoil(sandbox) {
        replace(sandbox, "exec sleep 60");
        hurry(sandbox);
      },
    },
  ];
}

function replace(sandbox: Sandbox, body: string): void {
  rmSync(join(sandbox.bin, "tokenix"));
  sandbox.tool("tokenix", `#!/bin/bash\n${body}\n`);
}
