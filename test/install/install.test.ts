import { describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
} from "node:fs";
import { join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { parseJsonc, plainValue } from "../../src/agents/install/jsonc/parse.ts";
import { TOOLS, type ToolName } from "../../src/agents/install/tools.ts";
import { randomJsonc, randomSource } from "../support/random-jsonc.ts";
import { Machine } from "./machine.ts";

// Hundreds of random files a test: on a busy machine that takes more than the usual five seconds.
setDefaultTimeout(60_000);

/** The files that an agent reads and a person may have filled before us. */
const SETTINGS: Record<ToolName, { global: string[]; local: string[] }> = {
  "claude-code": {
    global: ["home/.claude/settings.json", "home/.claude/CLAUDE.md"],
    local: ["repo/.claude/settings.local.json"],
  },
  codex: { global: ["home/.codex/hooks.json"], local: ["repo/.codex/hooks.json"] },
  copilot: { global: [], local: ["repo/.github/copilot-instructions.md"] },
  vscode: { global: [], local: ["repo/.github/copilot-instructions.md"] },
  antigravity: { global: ["home/.gemini/config/hooks.json"], local: ["repo/.agents/hooks.json"] },
  gemini: { global: ["home/.gemini/settings.json"], local: ["repo/.gemini/settings.json"] },
  opencode: { global: ["home/.config/opencode/opencode.json"], local: ["repo/opencode.json"] },
  cursor: { global: ["home/.cursor/hooks.json"], local: ["repo/.cursor/hooks.json"] },
  mcp: {
    global: [
      "home/.claude.json",
      "home/.codex/config.toml",
      "home/.copilot/mcp-config.json",
      "home/.gemini/settings.json",
      "home/.cursor/mcp.json",
      "home/.config/opencode/opencode.jsonc",
    ],
    local: ["repo/.mcp.json", "repo/.vscode/mcp.json"],
  },
};

function randomSettings(path: string, seed: number): string {
  const random = randomSource(seed);
  if (path.endsWith(".json") || path.endsWith(".jsonc")) return randomJsonc(random);
  const eol = random.chance(30) ? "\r\n" : "\n";
  const lines = path.endsWith(".toml")
    ? ['model = "x" # mine', "", "[features]", "hooks = true", '[mcp_servers."other one"]', 'command = "y"']
    : ["# Rules", "", "- be brief", "<!-- a comment -->"];
  return (
    (random.chance(10) ? "\uFEFF" : "") +
    lines.slice(0, random.below(lines.length + 1)).join(eol) +
    random.pick(["", eol, eol + eol])
  );
}

describe("byte for byte", () => {
  for (const tool of TOOLS) {
    for (const isLocal of [false, true]) {
      test(`${tool}${isLocal ? " --local" : ""}: whatever the settings were, removal gives them back`, () => {
        for (let seed = 1; seed <= 15; seed++) {
          using machine = new Machine();
          for (const path of SETTINGS[tool][isLocal ? "local" : "global"]) {
            if (seed % 5 !== 0) machine.write(path, randomSettings(path, seed));
          }
          // An agent to register the server with, whatever else is there.
          if (tool === "mcp") machine.write("home/.cursor/other", "");
          const before = machine.snapshot();
          expect(machine.install(tool, { isLocal }).isIncomplete).toBe(false);
          const installed = machine.snapshot();
          expect(installed).not.toEqual(before);
          machine.install(tool, { isLocal });
          expect(machine.snapshot()).toEqual(installed);
          expect(machine.remove(tool, { isLocal }).isIncomplete).toBe(false);
          expect(machine.snapshot()).toEqual(before);
        }
      });
    }
  }

  test("every integration together, taken out in any order", () => {
    for (let seed = 1; seed <= 6; seed++) {
      using machine = new Machine();
      const paths = [...new Set(Object.values(SETTINGS).flatMap(({ global }) => global))];
      for (const path of paths)
        if ((seed + path.length) % 4 !== 0) machine.write(path, randomSettings(path, seed + path.length));
      const before = machine.snapshot();
      for (const tool of TOOLS) expect(machine.install(tool).isIncomplete).toBe(false);
      const random = randomSource(seed);
      const order = [...TOOLS].sort(() => random.below(3) - 1);
      for (const tool of order) expect(machine.remove(tool).isIncomplete).toBe(false);
      expect(machine.snapshot()).toEqual(before);
    }
  });

  test("remove-hook --tool all finds every repository that was connected", () => {
    using machine = new Machine();
    const before = machine.snapshot();
    for (const tool of TOOLS) machine.install(tool, { isLocal: true });
    for (const tool of TOOLS) machine.install(tool);
    expect(machine.remove("all", { cwd: machine.root }).isIncomplete).toBe(false);
    expect(machine.snapshot()).toEqual(before);
    expect(readdirSync(join(machine.home, ".tokenix", "backups"))).toEqual([]);
  });

  test("what somebody else wrote after us stays, and ours goes", () => {
    using machine = new Machine();
    machine.write("home/.claude/settings.json", '{\n  "model": "x"\n}\n');
    machine.install("claude-code");
    const text = machine.read("home/.claude/settings.json");
    machine.write("home/.claude/settings.json", text.replace('"model": "x"', '"model": "y", // mine\n  "env": {}'));
    machine.remove("claude-code");
    expect(machine.read("home/.claude/settings.json")).toBe('{\n  "model": "y", // mine\n  "env": {}\n}\n');
  });

  test("a file that another program printed anew loses only what is ours", () => {
    using machine = new Machine();
    machine.write(
      "home/.claude/settings.json",
      '{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"other"}]}]}}',
    );
    machine.install("claude-code");
    const all = machine.json("home/.claude/settings.json");
    machine.write("home/.claude/settings.json", JSON.stringify(all, null, 4));
    machine.remove("claude-code");
    expect(machine.json("home/.claude/settings.json")).toEqual({
      hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "other" }] }] },
    });
  });

  test("without our records too, what is ours is found and taken out", () => {
    for (const tool of TOOLS) {
      using machine = new Machine();
      for (const path of SETTINGS[tool].global)
        machine.write(
          path,
          path.endsWith(".md") ? "# Rules\n" : path.endsWith(".toml") ? 'a = "b"\n' : '{\n  "version": 1\n}\n',
        );
      const before = machine.snapshot();
      machine.install(tool, { env: { ...machine.env, TOKENIX_HOME: join(machine.root, "elsewhere") } });
      machine.remove(tool);
      const { elsewhere: _gone, ...rest } = Object.fromEntries(
        Object.entries(machine.snapshot()).filter(([name]) => !name.startsWith("elsewhere/")),
      );
      for (const [name, bytes] of Object.entries(before)) expect([name, rest[name]]).toEqual([name, bytes]);
    }
  });
});

describe("odd shapes that people have", () => {
  const theirs = '{"matcher":"Bash","hooks":[{"type":"command","command":"other-tool rewrite"}]}';
  const json: Readonly<Record<string, string>> = {
    "an empty file": "",
    "white space alone": " \n\t\r\n",
    "a byte-order mark alone": "\uFEFF",
    "a byte-order mark and CRLF": "\uFEFF{}\r\n",
    "comments around nothing": "/* a */ {} // b",
    "a comment in an empty object": "{\n  // nothing yet\n}\n",
    "a comment in an empty list": '{"hooks": {"PreToolUse": [ /* none */ ]}}\n',
    "one line with trailing commas and no end of line": '{ "hooks" : { "PreToolUse" : [ ] , } , }',
    "tabs, trailing commas and another tool's hook": `{\n\t"a": 1,\n\t"hooks": {\n\t\t"PreToolUse": [\n\t\t\t${theirs},\n\t\t],\n\t},\n}\n`,
    "CRLF, comments and another tool's hook": `{\r\n  // mine\r\n  "a": 1, // why\r\n  "hooks": {\r\n    "PreToolUse": [\r\n      ${theirs} // theirs\r\n    ]\r\n  }\r\n}\r\n`,
    "mixed line ends": '{\n  "a": 1,\r\n  "hooks": {\r  "PreToolUse": []\n }\n}',
    "a key written twice": `{"hooks":{"PreToolUse":[1]},"hooks":{"PreToolUse":[${theirs}]}}`,
    "an escaped key": `{"ho\\u006fks": {"PreToolUse": [${theirs}]}}`,
    "values on lines of their own": `{"a":\n1\n,"hooks"\n:\n{\n"PreToolUse":[\n${theirs}\n]\n}\n}`,
    "comments before and behind commas": '{\n  "a": 1 /* x */ , // y\n  /* z */\n}\n',
    "numbers and texts that no program prints the same":
      '{"n": 123456789012345678901234567890.10, "e": 1E5, "s": "\\u00e9 é 😀 \\/"}',
    "comments that are none": '{"a": "// no", "b": "/* no */"}',
  };
  const toml: Readonly<Record<string, string>> = {
    "an empty file": "",
    "a byte-order mark and CRLF": '\uFEFFmodel = "x" # why\r\n\r\n[features]\r\nhooks = true\r\n',
    "no end of line": 'model = "x"',
    "a comment without an end of line": "a = 1 # mine",
    "the user's own hooks with comments":
      '# mine\n[[hooks.PreToolUse]] # here\nmatcher = "^Bash$"\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "mine" # !\n',
    "records of trust": '[hooks.state."x:pre_tool_use:0:0"]\ntrusted_hash = "a"\n',
    "a header inside a text": 'a = """\n[hooks]\n"""\n',
    "tabs and trailing spaces": "[features]\n\thooks = true   \n\t# c\n   ",
    "another server": '[mcp_servers.other] # theirs\ncommand = "x"',
  };
  const files: readonly (readonly [tool: ToolName, path: string, shapes: Readonly<Record<string, string>>])[] = [
    ["claude-code", "home/.claude/settings.json", json],
    ["codex", "home/.codex/hooks.json", json],
    ["codex", "home/.codex/config.toml", toml],
    ["gemini", "home/.gemini/settings.json", json],
    ["cursor", "home/.cursor/hooks.json", json],
    ["antigravity", "home/.gemini/config/hooks.json", json],
    ["opencode", "home/.config/opencode/opencode.jsonc", json],
    ["mcp", "home/.claude.json", json],
    ["mcp", "home/.codex/config.toml", toml],
  ];
  for (const [tool, path, shapes] of files) {
    test(`${tool}: ${path}`, () => {
      for (const [name, text] of Object.entries(shapes)) {
        using machine = new Machine();
        machine.write(path, text);
        const before = machine.snapshot();
        machine.install(tool, { isDryRun: true });
        expect([name, machine.snapshot()]).toEqual([name, before]);
        expect([name, machine.install(tool).isIncomplete]).toEqual([name, false]);
        const installed = machine.snapshot();
        machine.install(tool);
        machine.remove(tool, { isDryRun: true });
        expect([name, machine.snapshot()]).toEqual([name, installed]);
        machine.remove(tool);
        expect([name, machine.snapshot()]).toEqual([name, before]);
      }
    });
  }
});

describe("what can't be changed is left alone", () => {
  const broken = ['{"a": ', "not json", '{"hooks": []}', '{"hooks": {"PreToolUse": {}}}', "[1]"];

  test("a file that can't be read as settings keeps its bytes, and the stanza is printed", () => {
    for (const text of broken) {
      using machine = new Machine();
      machine.write("home/.claude/settings.json", text);
      const said = machine.install("claude-code");
      expect(said.isIncomplete).toBe(true);
      expect(machine.read("home/.claude/settings.json")).toBe(text);
      expect(said.lines.join("\n")).toContain('"PostToolUse"');
    }
  });

  test("bytes that are not UTF-8, and UTF-16, are left alone", () => {
    for (const bytes of [new Uint8Array([0x7b, 0xff, 0x7d]), new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])]) {
      using machine = new Machine();
      const path = machine.write("home/.claude/settings.json", "");
      require("node:fs").writeFileSync(path, bytes);
      expect(machine.install("claude-code").isIncomplete).toBe(true);
      expect(new Uint8Array(require("node:fs").readFileSync(path))).toEqual(bytes);
    }
  });

  test("a read-only file is left alone, also for root", () => {
    using machine = new Machine();
    const path = machine.write("home/.claude/settings.json", "{}");
    chmodSync(path, 0o444);
    const said = machine.install("claude-code");
    expect(said.lines.join("\n")).toContain("read-only");
    expect(machine.read("home/.claude/settings.json")).toBe("{}");
  });

  test("a file larger than any settings is left alone, and said to be that", () => {
    using machine = new Machine();
    const path = machine.write("home/.claude/settings.json", "{}");
    truncateSync(path, 40_000_000);
    expect(machine.install("claude-code").lines.join("\n")).toContain("larger than any settings");
    expect(statSync(path).size).toBe(40_000_000);
  });

  test("a folder where the file should be is said, not thrown", () => {
    using machine = new Machine();
    mkdirSync(join(machine.home, ".claude", "settings.json"), { recursive: true });
    expect(machine.install("claude-code").lines.join("\n")).toContain("is not a file");
  });

  test("TOML that holds our table already, or is broken, is left alone", () => {
    for (const text of [
      'mcp_servers = { other = { command = "x" } }\n',
      "a = \n",
      '[mcp_servers.tokenix]\ncommand = "mine"\n',
    ]) {
      using machine = new Machine();
      machine.write("home/.codex/config.toml", text);
      expect(machine.install("mcp").isIncomplete).toBe(true);
      expect(machine.read("home/.codex/config.toml")).toBe(text);
    }
  });
});

describe("links, permissions, folders", () => {
  test("a link to the settings stays a link, and its target gets the entry", () => {
    using machine = new Machine();
    const target = machine.write("dotfiles/claude.json", "{}\n");
    mkdirSync(join(machine.home, ".claude"));
    symlinkSync(target, join(machine.home, ".claude", "settings.json"));
    machine.install("claude-code");
    expect(lstatSync(join(machine.home, ".claude", "settings.json")).isSymbolicLink()).toBe(true);
    expect(machine.json("dotfiles/claude.json")["hooks"]).toBeDefined();
    machine.remove("claude-code");
    expect(machine.read("dotfiles/claude.json")).toBe("{}\n");
  });

  test("a file with a second name keeps both names", () => {
    using machine = new Machine();
    const target = machine.write("dotfiles/claude.json", "{\r\n}\r\n");
    mkdirSync(join(machine.home, ".claude"));
    linkSync(target, join(machine.home, ".claude", "settings.json"));
    machine.install("claude-code");
    expect(machine.json("dotfiles/claude.json")["hooks"]).toBeDefined();
    machine.remove("claude-code");
    expect(machine.read("dotfiles/claude.json")).toBe("{\r\n}\r\n");
    expect(statSync(target).nlink).toBe(2);
  });

  test("a link to a file that is not there yet stays a link, and one to itself is left alone", () => {
    using machine = new Machine();
    const settings = join(machine.home, ".claude", "settings.json");
    mkdirSync(join(machine.home, ".claude"));
    symlinkSync("../dotfiles/claude.json", settings);
    expect(machine.install("claude-code").isIncomplete).toBe(false);
    expect(lstatSync(settings).isSymbolicLink()).toBe(true);
    machine.remove("claude-code");
    expect(lstatSync(settings).isSymbolicLink()).toBe(true);
    expect(machine.has("home/dotfiles/claude.json")).toBe(false);
    unlinkSync(settings);
    symlinkSync("settings.json", settings);
    expect(machine.install("claude-code").isIncomplete).toBe(true);
    expect(lstatSync(settings).isSymbolicLink()).toBe(true);
  });

  test("permissions stay, new files in the home are the owner's only", () => {
    using machine = new Machine();
    chmodSync(machine.write("home/.gemini/settings.json", "{}"), 0o640);
    machine.install("gemini");
    machine.install("claude-code");
    expect(statSync(join(machine.home, ".gemini/settings.json")).mode & 0o777).toBe(0o640);
    expect(statSync(join(machine.home, ".claude/settings.json")).mode & 0o777).toBe(0o600);
  });

  test("the backup holds the first bytes, also after a second installation with another program", () => {
    using machine = new Machine();
    machine.write("home/.gemini/settings.json", '{ "a": 1 }');
    machine.install("gemini");
    machine.install("gemini", { binary: "/opt/new/tokenix" });
    const text = machine.read("home/.gemini/settings.json");
    expect(text).toContain("/opt/new/tokenix");
    expect(text).not.toContain(machine.binary);
    machine.remove("gemini");
    expect(machine.read("home/.gemini/settings.json")).toBe('{ "a": 1 }');
  });

  test("a dry run writes nothing and says what it would", () => {
    using machine = new Machine();
    const before = machine.snapshot();
    for (const tool of TOOLS) {
      const said = machine.install(tool, { isDryRun: true });
      if (tool !== "mcp") expect(said.lines.join("\n")).toContain("would make");
    }
    expect(machine.snapshot()).toEqual(before);
    expect(machine.has("home/.tokenix")).toBe(false);
  });

  test("all means all that are on the machine", () => {
    using machine = new Machine();
    mkdirSync(join(machine.home, ".claude"));
    const said = machine.install("all").lines.join("\n");
    expect(machine.has("home/.claude/settings.json")).toBe(true);
    expect(machine.has("home/.codex")).toBe(false);
    expect(said).toContain("not on this machine: Codex");
  });

  test("a machine without agents gets nothing, and is told so", () => {
    using machine = new Machine();
    const before = machine.snapshot();
    const said = machine.install("all").lines.join("\n");
    expect(said).toContain("no agent that would read it");
    expect(machine.snapshot()).toEqual(before);
  });

  test("the agents' own variables move their folders", () => {
    using machine = new Machine();
    const env = {
      ...machine.env,
      CLAUDE_CONFIG_DIR: join(machine.root, "c"),
      CODEX_HOME: join(machine.root, "x"),
      COPILOT_HOME: join(machine.root, "p"),
    };
    for (const tool of ["claude-code", "codex", "copilot"]) machine.install(tool, { env });
    for (const path of ["c/settings.json", "x/hooks.json", "p/hooks/tokenix.json"])
      expect(machine.has(path)).toBe(true);
  });

  test("an unknown tool is named with the nearest one", () => {
    using machine = new Machine();
    expect(() => machine.install("cursr")).toThrow("unknown tool");
  });
});

describe("what is written", () => {
  test("Codex keeps its hooks where the user keeps them", () => {
    using machine = new Machine();
    machine.write(
      "home/.codex/config.toml",
      '[[hooks.PreToolUse]]\nmatcher = "^Bash$"\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "mine"\n',
    );
    const before = machine.snapshot();
    machine.install("codex");
    const hooks = parseToml(machine.read("home/.codex/config.toml"))["hooks"] as {
      PreToolUse: unknown[];
      PostToolUse: unknown[];
    };
    expect(hooks.PreToolUse).toHaveLength(2);
    expect(hooks.PostToolUse).toHaveLength(1);
    expect(machine.has("home/.codex/hooks.json")).toBe(false);
    machine.remove("codex");
    expect(machine.snapshot()).toEqual(before);
  });

  test("our entry goes behind the user's own, whose place Codex remembers as trusted", () => {
    using machine = new Machine();
    machine.write(
      "home/.codex/hooks.json",
      '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"mine"}]}]}}',
    );
    machine.install("codex");
    const list = (machine.json("home/.codex/hooks.json")["hooks"] as { PreToolUse: { hooks: { command: string }[] }[] })
      .PreToolUse;
    expect(list.map((group) => group.hooks[0]?.command)).toEqual(["mine", `${machine.binary} hook codex`]);
  });

  test("nothing that is installed is a record of trust", () => {
    using machine = new Machine();
    for (const tool of TOOLS) machine.install(tool);
    for (const bytes of Object.values(machine.snapshot())) {
      expect(Buffer.from(bytes.split(" ")[1] ?? "", "base64").toString()).not.toMatch(/trust/i);
    }
  });

  test("on Windows each agent gets the form that starts there", () => {
    using machine = new Machine();
    const options = { platform: "win32" as const, binary: "/c/Users/Jürgen Q/tokenix.exe" };
    for (const tool of ["claude-code", "codex", "copilot", "gemini", "cursor", "antigravity"])
      machine.install(tool, options);
    const claude = plainValue(parseJsonc(machine.read("home/.claude/settings.json"))) as {
      hooks: { PreToolUse: { hooks: object[] }[] };
    };
    expect(claude.hooks.PreToolUse[0]?.hooks[0]).toMatchObject({ command: options.binary, args: ["hook", "claude"] });
    // A quoted program never starts there, and this path has a space: the bare name is left.
    expect(machine.read("home/.codex/hooks.json")).toContain('"commandWindows": "tokenix.exe hook codex"');
    expect(machine.read("home/.copilot/hooks/tokenix.json")).toContain("& '/c/Users/Jürgen Q/tokenix.exe' hook");
    expect(machine.read("home/.gemini/settings.json")).toContain("& '/c/Users/Jürgen Q/tokenix.exe' hook gemini");
    expect(machine.read("home/.cursor/hooks.json")).toContain("& '/c/Users/Jürgen Q/tokenix.exe' hook cursor");
    expect(machine.json("home/.gemini/config/hooks.json")["tokenix"]).toMatchObject({
      PreToolUse: [{ hooks: [{ command: join(machine.home, ".gemini/config/tokenix-hook.cmd") }] }],
    });
  });
});

test("antigravity: a path that its versions may split is warned of, a plain one is not", () => {
  using machine = new Machine();
  expect(machine.install("antigravity", { isLocal: true }).lines.join("\n")).not.toContain("holds a blank");
  for (const name of ["my repo", "Übung"]) {
    const cwd = join(machine.root, name);
    mkdirSync(join(cwd, ".git"), { recursive: true });
    const said = machine.install("antigravity", { isLocal: true, cwd }).lines.join("\n");
    expect(said).toContain(`${name}/.agents/tokenix-hook.sh holds a blank or a letter`);
  }
});
