/**
 * The same command twice, each in a folder of its own: plain, and through the compiled binary. For tests that ask what is
 * different.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rewriteCommand } from "../../src/output/shell/index.ts";
import type { Finished } from "../../src/platform/process.ts";
import { BINARY, Sandbox } from "./sandbox.ts";

export interface Compared {
  readonly plain: Finished;
  /** `tokenix run --shell bash LINE`. */
  readonly whole: Finished;
  /** The line with our prefix before each command that may have it, in the same shell; as plain when there is none. */
  readonly rewritten: Finished;
  readonly rewrittenLine: string;
}

/** @param setup shell lines that prepare the empty folder. */
export async function plainAndOurs(setup: string, line: string, env: Record<string, string> = {}): Promise<Compared> {
  const rewrittenLine = rewriteCommand(line, { prefix: [BINARY, "run"], wants: () => true })?.command ?? line;
  const once = async (command: (sandbox: Sandbox) => Promise<Finished>) => {
    using sandbox = new Sandbox({ git: false });
    const ready = await sandbox.exec(["bash", "-ec", setup || "true"], { env });
    if (ready.code !== 0) throw new Error(`setup failed: ${ready.stderr}`);
    return await command(sandbox);
  };
  const here = { PATH: `.:${process.env["PATH"] ?? ""}`, ...env };
  const [plain, whole, rewritten] = await Promise.all([
    once((sandbox) => sandbox.exec(["bash", "-c", line], { env: here })),
    once((sandbox) => sandbox.run(["run", "--shell", "bash", line], { env: here })),
    once((sandbox) => sandbox.exec(["bash", "-c", rewrittenLine], { env: here })),
  ]);
  return { plain, whole, rewritten, rewrittenLine };
}

/** A program of this name that prints what it is told and ends as it is told. */
export function stub(
  sandbox: Sandbox,
  program: string,
  output: { stdout?: string | Uint8Array; stderr?: string; exit?: number },
): Record<string, string> {
  const folder = join(sandbox.base, "stubs");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${program}.out`), output.stdout ?? "");
  writeFileSync(join(folder, `${program}.err`), output.stderr ?? "");
  const script = `#!/bin/sh\ncat "${folder}/${program}.out"\ncat "${folder}/${program}.err" >&2\nexit ${output.exit ?? 0}\n`;
  writeFileSync(join(folder, program), script, { mode: 0o755 });
  return { PATH: `${folder}:${process.env["PATH"] ?? ""}` };
}

/** What an agent sees of a recorded output, with the exit code: the first word of the command is a stub. */
export async function seen(
  command: string,
  output: { stdout?: string | Uint8Array; stderr?: string; exit?: number },
): Promise<{ text: string; code: number; stdout: string; stderr: string }> {
  using sandbox = new Sandbox({ git: false });
  const words = command.split(" ");
  const env = stub(sandbox, words[0] ?? "", output);
  const result = await sandbox.exec(["bash", "-c", `'${BINARY}' run ${command}`], { env });
  return { text: result.stdout + result.stderr, code: result.code, stdout: result.stdout, stderr: result.stderr };
}
