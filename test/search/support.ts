/** A throw-away project, indexed by the real pipeline into a home of its own. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runIndex } from "../../src/repo/index/run.ts";
import { withWriter } from "../../src/repo/index/writer.ts";
import { openStore } from "../../src/repo/store/open.ts";
import type { Store } from "../../src/repo/store/store.ts";

export interface Project {
  readonly root: string;
  readonly env: Record<string, string | undefined>;
  write(path: string, content: string): void;
  index(options?: { readonly embed?: boolean; readonly force?: boolean }): Promise<void>;
  open(): Store;
  remove(): void;
}

export function project(files: Readonly<Record<string, string>> = {}): Project {
  const base = mkdtempSync(join(tmpdir(), "tokenix-search-"));
  const root = join(base, "project");
  const env = { ...process.env, TOKENIX_HOME: join(base, "home") };
  const opened: Store[] = [];
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  mkdirSync(root, { recursive: true });
  for (const [path, content] of Object.entries(files)) write(path, content);
  return {
    root,
    env,
    write,
    async index(options = {}) {
      const { embed = true, force = false } = options;
      await withWriter(root, { purpose: "test", env }, (store) =>
        runIndex(store, { env, jobs: 1, force, ...(embed ? { embedding: { env } } : {}) }),
      );
    },
    open() {
      const store = openStore(root, { mode: "read", env });
      opened.push(store);
      return store;
    },
    remove() {
      for (const store of opened) store.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}
