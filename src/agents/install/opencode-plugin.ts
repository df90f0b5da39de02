/**
 * The text of the OpenCode plugin. It looks at results alone: what is changed before a tool runs would be judged by the
 * changed words. It runs inside the agent, on Node and on Bun, so it uses nothing but Node's own
 * modules, and every way to fail ends with the call untouched.
 */
export function opencodePlugin(binary: string): string {
  return `// Written by tokenix install-hook, taken away by tokenix remove-hook. Any failure here leaves the call as it was.
import { spawn } from "node:child_process";

const program = ${JSON.stringify(binary)};
// Tools that write or plan: there is nothing to shorten, and nothing to wait for.
const leftAlone = new Set(["edit", "write", "patch", "apply_patch", "multiedit", "todowrite", "todoread", "task", "skill", "question"]);

function ask(door, payload) {
  return new Promise((resolve) => {
    let done = false;
    let answer = "";
    const finish = (value) => {
      if (done) return;
      done = true;
      clearTimeout(timer);
      resolve(value);
    };
    const timer = setTimeout(() => {
      try {
        child.kill("SIGKILL");
      } catch {}
      finish({});
    }, 2500);
    let child;
    try {
      child = spawn(program, [door, "opencode"], { stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
    } catch {
      return finish({});
    }
    child.on("error", () => finish({}));
    child.stdin.on("error", () => {});
    child.stdout.setEncoding("utf8").on("data", (text) => {
      answer += text;
    });
    child.on("close", (code) => {
      if (code !== 0) return finish({});
      try {
        const value = JSON.parse(answer);
        finish(value && typeof value === "object" ? value : {});
      } catch {
        finish({});
      }
    });
    child.stdin.end(JSON.stringify(payload));
  });
}

export const Tokenix = async ({ directory }) => ({
  "tool.execute.after": async (input, output) => {
    const { tool, sessionID, callID, args } = input;
    if (leftAlone.has(tool) || !output || typeof output.output !== "string") return;
    const payload = { agent: "opencode", event: "tool.execute.after", tool, sessionID, callID, cwd: directory, args, output: output.output, metadata: output.metadata };
    const answer = await ask("hook-post", payload);
    if (typeof answer.output === "string") output.output = answer.output;
  },
});
`;
}
