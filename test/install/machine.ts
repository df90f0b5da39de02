/** A machine that exists only in a temporary folder, and both commands on it. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { type HookRequest, installHooks, removeHooks } from "../../src/agents/install/commands.ts";

export class Machine implements Disposable {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "tokenix-install-")));
  readonly home = join(this.root, "home");
  readonly project = join(this.root, "repo");
  readonly binary = join(this.root, "bin", "tokenix");
  readonly env: Record<string, string>;

  constructor(env: Record<string, string> = {}) {
    for (const folder of [this.home, join(this.project, ".git")]) mkdirSync(folder, { recursive: true });
    this.env = { HOME: this.home, USERPROFILE: this.home, TOKENIX_HOME: join(this.home, ".tokenix"), PATH: "", ...env };
  }

  install(tool: string, options: Partial<HookRequest> = {}) {
    return installHooks(this.request(tool, options));
  }

  remove(tool: string, options: Partial<HookRequest> = {}) {
    return removeHooks(this.request(tool, options));
  }

  write(path: string, text: string): string {
    const target = join(this.root, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    return target;
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  json(path: string): Record<string, unknown> {
    return JSON.parse(this.read(path)) as Record<string, unknown>;
  }

  has(path: string): boolean {
    return existsSync(join(this.root, path));
  }

  /** Every file and folder but our own home, with its bytes and its permissions. */
  snapshot(): Record<string, string> {
    const result: Record<string, string> = {};
    for (const entry of readdirSync(this.root, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const name = relative(this.root, path);
      if (name.startsWith(join("home", ".tokenix"))) continue;
      const mode = (statSync(path).mode & 0o777).toString(8);
      result[name] = entry.isDirectory() ? "folder" : `${mode} ${readFileSync(path).toString("base64")}`;
    }
    return result;
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  private request(tool: string, options: Partial<HookRequest>): HookRequest {
    return {
      tool,
      isLocal: false,
      isDryRun: false,
      cwd: this.project,
      env: this.env,
      binary: this.binary,
      platform: "linux",
      ...options,
    };
  }
}
