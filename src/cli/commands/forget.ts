/** `tokenix forget`: removes a project's index. The project itself is not touched. */
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { defineCommand } from "citty";
import { EXIT, UserError } from "../../platform/errors.ts";
import { acquireWriter } from "../../platform/lock.ts";
import { WriterBusy } from "../../repo/index/writer.ts";
import { storePaths } from "../../repo/store/open.ts";
import { findProjectRoot } from "../../repo/store/root.ts";
import { size } from "../progress.ts";

export default defineCommand({
  meta: { name: "forget", description: "Remove the index of a project; its files are not touched" },
  args: {
    path: { type: "positional", required: false, description: "The project; default: the one around here" },
    json: { type: "boolean", description: "Print JSON" },
  },
  run({ args }) {
    // The folder may be gone by now: its index is found by its name alone.
    const named = resolve(args.path ?? ".");
    const root = existsSync(named) ? findProjectRoot(named).root : named;
    const paths = storePaths(root);
    const folder = dirname(paths.database);
    const files = existsSync(folder) ? readdirSync(folder).filter((name) => belongsTo(name, paths.id)) : [];
    if (files.length === 0) throw new UserError(`${root} is not indexed`, "'tokenix stats' says what is");
    const lock = acquireWriter(paths.lock, "forget");
    if ("heldBy" in lock) throw new WriterBusy(lock.heldBy);
    let bytes = 0;
    try {
      for (const name of files) bytes += sizeOf(join(folder, name));
      // The name goes first: a folder without it is not indexed, whatever else is left by a kill.
      rmSync(paths.name, { force: true });
      for (const name of files)
        if (name !== basename(paths.lock)) rmSync(join(folder, name), { force: true, recursive: true });
    } finally {
      lock.release();
    }
    rmSync(paths.lock, { force: true });
    process.stdout.write(
      args.json ? `${JSON.stringify({ root, bytes })}\n` : `forgot ${root} (${size(bytes)} freed)\n`,
    );
    return EXIT.ok;
  },
});

/** `id.db`, `id@branch.db`, their logs, and what was set aside; never the index of `id-2`. */
function belongsTo(name: string, id: string): boolean {
  return name.startsWith(`${id}.`) || name.startsWith(`${id}@`);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
