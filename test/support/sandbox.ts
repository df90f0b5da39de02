/**
 * A place of its own for one end-to-end test: a fresh git repository, a fresh `TOKENIX_HOME` and `HOME`, and the
 * compiled binary. Nothing of the developer's machine is read or written but PATH.
 */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { capture, type Finished } from "../../src/platform/process.ts";

const ROOT = join(import.meta.dir, "..", "..");

/** The binary under test; `bun scripts/build.ts` makes it. */
export const BINARY =
  process.env["TOKENIX_BIN"] ?? join(ROOT, "dist", process.platform === "win32" ? "tokenix.exe" : "tokenix");

export class Sandbox implements Disposable {
  readonly base: string;
  /** The repository's root; tests may put a folder with spaces or umlauts here. */
  readonly root: string;
  readonly home: string;

  constructor(options: { name?: string; git?: boolean } = {}) {
    if (!existsSync(BINARY)) throw new Error(`no binary at ${BINARY}: run 'bun run build' first`);
    this.base = realpathSync(mkdtempSync(join(tmpdir(), "tokenix-e2e-")));
    this.root = join(this.base, options.name ?? "repo");
    this.home = join(this.base, "home");
    mkdirSync(this.root, { recursive: true });
    mkdirSync(this.home, { recursive: true });
    if (options.git !== false) {
      this.gitSync("init", "-q", "-b", "main");
      this.gitSync("config", "user.email", "test@example.test");
      this.gitSync("config", "user.name", "Test");
      this.gitSync("config", "commit.gpgsign", "false");
    }
  }

  get env(): Record<string, string> {
    return {
      PATH: process.env["PATH"] ?? "",
      HOME: this.home,
      USERPROFILE: this.home,
      TOKENIX_HOME: join(this.home, ".tokenix"),
      TOKENIX_AIRGAP: "1",
      XDG_CACHE_HOME: join(this.home, ".cache"),
      XDG_CONFIG_HOME: join(this.home, ".config"),
      GIT_CONFIG_NOSYSTEM: "1",
      TMPDIR: this.base,
      LC_ALL: "C.UTF-8",
      ...(process.platform === "win32"
        ? { SYSTEMROOT: process.env["SYSTEMROOT"] ?? "", PATHEXT: process.env["PATHEXT"] ?? "" }
        : {}),
    };
  }

  path(...parts: string[]): string {
    return join(this.root, ...parts);
  }

  /** Writes files below the root: `{ "src/a.ts": "…" }`. */
  write(files: Readonly<Record<string, string | Uint8Array>>): this {
    for (const [name, content] of Object.entries(files)) {
      const path = this.path(name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    }
    return this;
  }

  commit(message = "state"): this {
    this.gitSync("add", "-A");
    this.gitSync("commit", "-q", "--allow-empty", "-m", message);
    return this;
  }

  gitSync(...args: string[]): string {
    const result = Bun.spawnSync(["git", ...args], { cwd: this.root, env: { ...this.env } });
    if (!result.success) throw new Error(`git ${args.join(" ")}: ${result.stderr.toString()}`);
    return result.stdout.toString();
  }

  /** Runs the binary as a program would: no terminal, stdin closed unless given. */
  run(
    args: readonly string[],
    options: {
      cwd?: string;
      stdin?: string | Uint8Array;
      env?: Record<string, string | undefined>;
      timeoutMs?: number;
    } = {},
  ): Promise<Finished> {
    return this.exec([BINARY, ...args], options);
  }

  /** Runs any program in the sandbox's environment and nothing else of ours. */
  exec(
    command: readonly string[],
    options: {
      cwd?: string;
      stdin?: string | Uint8Array;
      env?: Record<string, string | undefined>;
      timeoutMs?: number;
    } = {},
  ): Promise<Finished> {
    const inherited = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]));
    return capture(command, {
      cwd: options.cwd ?? this.root,
      env: { ...inherited, ...this.env, ...options.env },
      timeoutMs: options.timeoutMs ?? 60_000,
      ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
    });
  }

  /** The same in a shell, with the binary reachable as `tokenix`. */
  shell(
    line: string,
    options: { cwd?: string; stdin?: string; env?: Record<string, string | undefined>; timeoutMs?: number } = {},
  ) {
    const bin = join(this.base, "bin");
    if (!existsSync(bin)) {
      mkdirSync(bin);
      writeFileSync(join(bin, "tokenix"), `#!/bin/sh\nexec "${BINARY}" "$@"\n`, { mode: 0o755 });
    }
    const PATH = `${bin}${process.platform === "win32" ? ";" : ":"}${this.env["PATH"]}`;
    return this.exec(["bash", "-c", line], { ...options, env: { ...options.env, PATH } });
  }

  [Symbol.dispose](): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}
