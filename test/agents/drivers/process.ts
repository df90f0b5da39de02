/** Starts an agent's process, ends it when its time is over, and hands its lines to whoever talks with it. */
import { spawn } from "node:child_process";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
}

export interface Talk {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Written at once; stdin then stays open while `onLine` is given, and is closed otherwise. */
  readonly input?: string;
  /** May write an answer and end the talk. */
  readonly onLine?: (line: string, say: (text: string) => void, hangUp: () => void) => void;
}

export function talk({ command, cwd, env, timeoutMs, input, onLine }: Talk): Promise<Ended> {
  const [file = "", ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd,
      env,
      stdio: ["pipe", "pipe", "pipe"],
      detached: process.platform !== "win32",
    });
    let [stdout, stderr, pending, timedOut] = ["", "", "", false];
    const killAll = (): void => {
      try {
        if (child.pid !== undefined) process.kill(process.platform === "win32" ? child.pid : -child.pid, "SIGKILL");
      } catch {
        // It ended by itself in the meantime.
      }
    };
    const timer = setTimeout(() => {
      timedOut = true;
      killAll();
    }, timeoutMs);
    child.stdin.on("error", () => {});
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      if (onLine === undefined) return;
      const lines = (pending + text).split("\n");
      pending = lines.pop() ?? "";
      for (const line of lines) {
        onLine(
          line,
          (said) => child.stdin.write(said),
          () => child.stdin.end(),
        );
      }
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.on("error", (error) => {
      stderr += String(error);
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      killAll();
      resolve({ code, stdout, stderr, timedOut });
    });
    if (input !== undefined) child.stdin.write(input);
    if (onLine === undefined) child.stdin.end();
  });
}
