import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { agentChecks } from "../../src/agents/install/checks.ts";
import { TOOLS } from "../../src/agents/install/tools.ts";
import { Machine } from "./machine.ts";

function withProgram(): Machine {
  const machine = new Machine();
  chmodSync(machine.write("bin/tokenix", "#!/bin/sh\n"), 0o755);
  return machine;
}

function findings(machine: Machine, tool: string): string[] {
  const check = agentChecks({ env: machine.env, binary: machine.binary, platform: "linux" }).find(
    ({ name }) => name === tool,
  );
  return (check?.run({ root: machine.project }) ?? []).map(({ status, detail }) => `${status} ${detail}`);
}

describe("doctor about agents", () => {
  test("speaks of the agents that are here and of no other", () => {
    using machine = withProgram();
    mkdirSync(join(machine.home, ".cursor"));
    expect(agentChecks({ env: machine.env }).map(({ name }) => name)).toEqual(["cursor"]);
    expect(findings(machine, "cursor")).toEqual(["ok not connected"]);
  });

  test("every agent that was connected is seen as connected, with its program in place", () => {
    using machine = withProgram();
    for (const tool of TOOLS) machine.install(tool);
    for (const tool of ["claude-code", "codex", "copilot", "antigravity", "gemini", "opencode", "cursor"]) {
      const found = findings(machine, tool);
      expect([tool, found[0]?.startsWith("ok connected for every repository")]).toEqual([tool, true]);
      expect(found.filter((one) => one.startsWith("fail"))).toEqual([]);
    }
  });

  test("a program that is gone is said for every agent", () => {
    using machine = withProgram();
    for (const tool of TOOLS) machine.install(tool);
    rmSync(machine.binary);
    for (const tool of ["claude-code", "codex", "copilot", "gemini", "opencode", "cursor"]) {
      expect([tool, findings(machine, tool).join("\n")]).toEqual([tool, expect.stringContaining("which is not there")]);
    }
  });

  test("a program whose path has a space and an umlaut is found", () => {
    using machine = new Machine();
    const binary = machine.write("Jürgen Q/tokenix", "#!/bin/sh\n");
    chmodSync(binary, 0o755);
    for (const tool of ["claude-code", "codex", "copilot", "gemini", "cursor"]) {
      machine.install(tool, { binary });
      expect(findings(machine, tool).filter((one) => one.startsWith("fail"))).toEqual([]);
    }
  });

  test("Codex: unreviewed, reviewed and disabled hooks are told apart", () => {
    using machine = withProgram();
    machine.install("codex");
    expect(findings(machine, "codex").join()).toContain("not reviewed in Codex yet");
    const file = join(machine.home, ".codex", "hooks.json");
    const state = (event: string, rest: string): string => `[hooks.state."${file}:${event}:0:0"]\n${rest}\n`;
    machine.write(
      "home/.codex/config.toml",
      state("pre_tool_use", 'trusted_hash = "sha256:a"') + state("post_tool_use", 'trusted_hash = "sha256:b"'),
    );
    expect(findings(machine, "codex").join()).toContain("ok reviewed in Codex");
    machine.write("home/.codex/config.toml", state("pre_tool_use", "enabled = false"));
    expect(findings(machine, "codex").join()).toContain("disabled in Codex");
  });

  test("hooks that are switched off as a whole are said", () => {
    using machine = withProgram();
    machine.write("home/.claude/settings.json", '{ "disableAllHooks": true }');
    machine.write("home/.gemini/settings.json", '{ "hooksConfig": { "disabled": ["tokenix"] } }');
    machine.write("home/.codex/config.toml", "[features]\nhooks = false\n");
    for (const tool of ["claude-code", "gemini", "codex"]) {
      machine.install(tool);
      expect(findings(machine, tool).join()).toContain("switched off");
    }
  });

  test("hooks that the project's settings switch off are said, with the file", () => {
    for (const name of ["settings.json", "settings.local.json"]) {
      using machine = withProgram();
      machine.install("claude-code");
      machine.write(`repo/.claude/${name}`, '{ "disableAllHooks": true } // for now');
      expect(findings(machine, "claude-code").join()).toContain(`disableAllHooks in`);
      expect(findings(machine, "claude-code").join()).toContain(name);
    }
  });

  test("Claude Code: a folder that nobody has said they trust is named as one where hooks wait", () => {
    using machine = withProgram();
    machine.install("claude-code");
    expect(findings(machine, "claude-code").join()).toContain("not trusted in Claude Code yet");
    const projects = { [machine.project]: { hasTrustDialogAccepted: true } };
    machine.write("home/.claude.json", JSON.stringify({ projects }));
    expect(findings(machine, "claude-code").join()).not.toContain("not trusted");
  });

  test("another tool that rewrites the same commands is named", () => {
    using machine = withProgram();
    machine.write(
      "home/.claude/settings.json",
      '{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"/usr/bin/rtk hook claude"},{"type":"command","command":"my-linter"}]}]}}',
    );
    machine.install("claude-code");
    const said = findings(machine, "claude-code").join();
    expect(said).toContain("rtk hook claude");
    expect(said).not.toContain("my-linter");
  });

  test("what is loaded twice is said", () => {
    using machine = withProgram();
    mkdirSync(join(machine.home, ".config", "Code", "User"), { recursive: true });
    for (const tool of ["claude-code", "vscode", "gemini"]) machine.install(tool);
    machine.install("gemini", { isLocal: true });
    machine.install("claude-code", { isLocal: true });
    expect(findings(machine, "gemini").join()).toContain("connected twice");
    expect(findings(machine, "vscode").join()).toContain("called twice");
    expect(findings(machine, "copilot").join()).toContain("called twice");
  });

  test("broken settings are no fault of doctor's", () => {
    using machine = withProgram();
    machine.write("home/.claude/settings.json", "{ broken");
    machine.write("home/.codex/config.toml", "= =");
    for (const tool of ["claude-code", "codex"]) expect(findings(machine, tool)).toEqual(["ok not connected"]);
  });
});
