/**
 * A throw-away home and project for one agent session. Nothing is inherited from the developer's environment
 * but PATH's system part: no key, no proxy, no setting can leak into a session or out of it.
 */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

export interface Sandbox {
  readonly home: string;
  readonly project: string;
  /** First in PATH: stand-ins for tools that a scenario needs. */
  readonly bin: string;
  readonly env: Record<string, string>;
  write(path: string, text: string): string;
  read(path: string): string;
  /** An executable script in `bin`. */
  tool(name: string, script: string): string;
  remove(): void;
}

/** Paths given to `write` and `read` are under the sandbox: `home/…`, `project/…`. */
export function makeSandbox(): Sandbox {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "agent-session-")));
  const [home, project, bin] = [join(root, "home"), join(root, "project"), join(root, "bin")];
  for (const folder of [home, project, bin, join(root, "tmp")]) mkdirSync(folder);
  const env = {
    HOME: home,
    USERPROFILE: home,
    TMPDIR: join(root, "tmp"),
    PATH: [bin, dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter),
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local", "share"),
    XDG_STATE_HOME: join(home, ".local", "state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    TOKENIX_HOME: join(home, ".tokenix"),
    TOKENIX_AIRGAP: "1",
    SHELL: "/bin/bash",
    LANG: "C.UTF-8",
    TERM: "dumb",
    NO_COLOR: "1",
    GIT_CONFIG_NOSYSTEM: "1",
    // Whatever an agent might still want to reach ends at a closed port of this machine.
    HTTPS_PROXY: "http://127.0.0.1:9",
    NO_PROXY: "127.0.0.1,localhost",
  };
  const write = (path: string, text: string): string => {
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    return target;
  };
  // A login shell sets PATH anew from the system's profile; the stage must still come first.
  write("home/.bash_profile", `export PATH="${env.PATH}"\n`);
  return {
    home,
    project,
    bin,
    env,
    write,
    read: (path) => readFileSync(join(root, path), "utf8"),
    tool(name, script) {
      const path = write(join("bin", name), script);
      chmodSync(path, 0o755);
      return path;
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
