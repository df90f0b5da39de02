/** A project in a temporary folder with a home of its own, indexed through the real pipeline. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type RunOptions, type RunReport, runIndex } from "../../src/repo/index/run.ts";
import { withWriter } from "../../src/repo/index/writer.ts";
import { openStore } from "../../src/repo/store/open.ts";
import type { Store } from "../../src/repo/store/store.ts";

export class Project {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), "tokenix-index-")));
  readonly root: string;
  readonly env: Record<string, string>;

  constructor(options: { git?: boolean; name?: string } = {}) {
    this.root = join(this.base, options.name ?? "project");
    mkdirSync(this.root, { recursive: true });
    mkdirSync(join(this.base, "user"));
    this.env = { TOKENIX_HOME: join(this.base, "home"), HOME: join(this.base, "user"), GIT_CONFIG_NOSYSTEM: "1" };
    if (options.git) this.git("init", "-q", "-b", "main");
  }

  write(path: string, content: string | Uint8Array): string {
    const full = join(this.root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
    return full;
  }

  remove(path: string): void {
    rmSync(join(this.root, path), { recursive: true });
  }

  git(...args: string[]): string {
    return this.gitAt(this.root, ...args);
  }

  gitAt(cwd: string, ...args: string[]): string {
    const who = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "protocol.file.allow=always"];
    const result = Bun.spawnSync(["git", ...who, ...args], { cwd, env: { ...process.env, ...this.env } });
    if (!result.success) throw new Error(`git ${args.join(" ")}: ${result.stderr}`);
    return result.stdout.toString();
  }

  index(options: RunOptions = {}): Promise<RunReport> {
    return withWriter(this.root, { purpose: "test", env: this.env }, (store) =>
      runIndex(store, { jobs: 1, env: this.env, ...options }),
    );
  }

  read<T>(body: (store: Store) => T): T {
    const store = openStore(this.root, { mode: "read", env: this.env });
    try {
      return body(store);
    } finally {
      store.close();
    }
  }

  /** Paths whose text is stored. */
  paths(): string[] {
    return this.read((store) => store.files.stored().map((file) => file.path));
  }

  outcomes(): Record<string, string> {
    return this.read((store) =>
      Object.fromEntries([
        ...store.files.all().map((file) => [file.path, file.outcome] as const),
        ...store.files.leftOut().map((entry) => [entry.path, entry.outcome] as const),
      ]),
    );
  }

  [Symbol.dispose](): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}
