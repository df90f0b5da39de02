/** `tokenix run` on bad days: odd outputs, a full disk, a killed command; and the ways to look behind it. Through the compiled binary. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readHookLog } from "../../src/platform/hook-log.ts";
import { stub } from "../support/plain-and-ours.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";

setDefaultTimeout(60_000);

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `${line(at)}\n`).join("");

/** Runs through a shell that keeps the raw bytes in files. */
async function bytes(sandbox: Sandbox, command: string, env: Record<string, string> = {}) {
  const result = await sandbox.exec(["bash", "-c", `'${BINARY}' run ${command} >out.bin 2>err.bin; echo $?`], { env });
  return {
    code: Number(result.stdout),
    out: readFileSync(sandbox.path("out.bin")),
    err: readFileSync(sandbox.path("err.bin")).toString(),
  };
}

describe("odd outputs", () => {
  test("Latin-1 text comes out with its own bytes, shortened or not", async () => {
    using sandbox = new Sandbox({ git: false });
    const line = (at: number) => `r\xe9sultat num\xe9ro ${at}`;
    const small = Buffer.from(lines(5, line), "latin1");
    expect((await bytes(sandbox, "mytool", stub(sandbox, "mytool", { stdout: small }))).out).toEqual(small);
    const big = Buffer.from(lines(9000, line), "latin1");
    const { out } = await bytes(sandbox, "mytool", stub(sandbox, "mytool", { stdout: big }));
    expect(out.length).toBeLessThan(big.length / 2);
    expect(out.toString("latin1")).toStartWith("r\xe9sultat num\xe9ro 0\n");
    expect(out.toString("latin1")).not.toContain("\xc3");
  });

  test("bytes with NULs are passed on, every one", async () => {
    using sandbox = new Sandbox({ git: false });
    const raw = Buffer.from(crypto.getRandomValues(new Uint8Array(300_000)));
    raw[100] = 0;
    const { out } = await bytes(sandbox, "mytool", stub(sandbox, "mytool", { stdout: raw }));
    expect(out.equals(raw)).toBe(true);
  });

  test("binary output that does not fit memory is passed on as well", async () => {
    using sandbox = new Sandbox({ git: false });
    const line = "head -c 9000000 /dev/zero | tee raw.bin";
    await sandbox.exec(["bash", "-c", `'${BINARY}' run sh -c '${line}' > out.bin`]);
    expect(readFileSync(sandbox.path("out.bin")).equals(readFileSync(sandbox.path("raw.bin")))).toBe(true);
    expect(readdirSync(join(sandbox.home, ".tokenix", "stash")).filter((name) => name.endsWith(".spool"))).toEqual([]);
  });

  test("one line of 50 MB ends in time, cut and counted", async () => {
    using sandbox = new Sandbox({ git: false });
    await sandbox.exec(["bash", "-c", "head -c 50000000 /dev/zero | tr '\\0' 'x' > line.txt"]);
    const { out, code } = await bytes(sandbox, "cat line.txt");
    expect(code).toBe(0);
    expect(out.length).toBeLessThan(60_000);
    expect(out.toString()).toMatch(/(?:characters|bytes of one line) omitted/);
    const key = /retrieve ([0-9a-f]{12})/.exec(out.toString())?.[1] ?? "";
    await sandbox.exec(["bash", "-c", `'${BINARY}' retrieve ${key} > again.txt; cmp again.txt line.txt && echo same`]);
    expect(readFileSync(sandbox.path("again.txt")).length).toBe(50_000_000);
  });

  test("only colour codes, nothing at all, only line ends", async () => {
    using sandbox = new Sandbox({ git: false });
    for (const stdout of ["\x1b[0m\x1b[31m\x1b[0m", "", "\n\n\n", "\r\n"]) {
      const { out, code, err } = await bytes(sandbox, "mytool", stub(sandbox, "mytool", { stdout, exit: 4 }));
      expect(code).toBe(4);
      expect(err).toBe("");
      expect(out.length).toBeLessThanOrEqual(stdout.length);
    }
  });

  test("CRLF stays CRLF when it is cut", async () => {
    using sandbox = new Sandbox({ git: false });
    const raw = lines(9000, (at) => `row ${at} of a table\r`);
    const { out } = await bytes(sandbox, "mytool", stub(sandbox, "mytool", { stdout: raw }));
    const text = out.toString().replace(/\[tokenix: .*\n/, "");
    expect(text.length).toBeLessThan(raw.length / 2);
    expect(text.replaceAll("\r\n", "")).not.toContain("\n");
  });

  test("a large output is bounded, its faults in the middle are kept, the whole is to be had", async () => {
    using sandbox = new Sandbox({ git: false });
    const line = `awk 'BEGIN { for (i = 0; i < 600000; i++) { print "row " i " of many rows"; if (i == 300000) print "worker 7: FATAL: disk on fire" } }'`;
    sandbox.write({ "gen.sh": line });
    const { out } = await bytes(sandbox, "sh gen.sh");
    const text = out.toString();
    expect(text.length).toBeLessThan(40_000);
    expect(text).toContain("worker 7: FATAL: disk on fire");
    const shown = text
      .trimEnd()
      .split("\n")
      .filter((one) => !one.startsWith("[tokenix:"));
    const sum = shown.reduce((total, one) => total + Number(/^\[\.\.\. (\d+) lines? omitted/.exec(one)?.[1] ?? 1), 0);
    expect(sum).toBe(600_001);
    const key = /retrieve ([0-9a-f]{12})/.exec(text)?.[1] ?? "";
    const check = await sandbox.exec([
      "bash",
      "-c",
      `sh gen.sh | cmp - <('${BINARY}' retrieve ${key}) && echo same; '${BINARY}' retrieve ${key} --grep FATAL`,
    ]);
    expect(check.stdout).toBe("same\n300002:worker 7: FATAL: disk on fire\n");
  });

  test("a full disk under the stash: the output comes through, with one line on stderr", async () => {
    using sandbox = new Sandbox({ git: false });
    const small = join(sandbox.base, "small");
    mkdirSync(small);
    // A file system of 1 MB where this machine lets us have one, else a limit on the size of files.
    const mounted = await sandbox.exec(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small]);
    const raw = lines(200_000, (at) => `row ${at} of many`);
    sandbox.write({ "big.txt": raw });
    try {
      const limit = mounted.code === 0 ? "" : "trap '' XFSZ; ulimit -f 100; ";
      const result = await sandbox.exec(["bash", "-c", `${limit}'${BINARY}' run cat big.txt`], {
        env: { TOKENIX_HOME: join(small, "home") },
      });
      expect(result.code).toBe(0);
      expect(result.stdout).toBe(raw);
      expect(result.stderr.trim().split("\n").length).toBe(1);
      expect(result.stderr).toContain("could not be kept");
    } finally {
      if (mounted.code === 0) await sandbox.exec(["umount", small]);
    }
  });
});

describe("how a command is run", () => {
  test("words reach the program as they are", async () => {
    using sandbox = new Sandbox({ git: false });
    const words = ["a b", "", "it's", '"q"', "$HOME", "*", "--raw", "--", "\n", "ü🙂", "-x"];
    const program = "import sys; print(sys.argv[1:])";
    const plain = await sandbox.exec(["python3", "-c", program, ...words]);
    expect((await sandbox.run(["run", "python3", "-c", program, ...words])).stdout).toBe(plain.stdout);
    expect((await sandbox.run(["run", "--", "python3", "-c", program, ...words])).stdout).toBe(plain.stdout);
  });

  test("environment, working directory and umask are the caller's", async () => {
    using sandbox = new Sandbox({ git: false });
    const line = "pwd; echo $FOO; umask; ulimit -n";
    const env = { FOO: "bär" };
    const plain = await sandbox.exec(["bash", "-c", `umask 027; cd /; sh -c '${line}'`], { env });
    const ours = await sandbox.exec(["bash", "-c", `umask 027; cd /; '${BINARY}' run sh -c '${line}'`], { env });
    expect(ours.stdout).toBe(plain.stdout);
  });

  test("stdout and stderr keep their order when they end in one place, and their places when not", async () => {
    using sandbox = new Sandbox({ git: false });
    const program = "i=0; while [ $i -lt 50 ]; do echo out$i; echo err$i >&2; i=$((i+1)); done";
    const together = await sandbox.exec(["bash", "-c", `'${BINARY}' run sh -c '${program}' 2>&1`]);
    expect(together.stdout).toBe(lines(50, (at) => `out${at}\nerr${at}`));
    const apart = await sandbox.run(["run", "sh", "-c", program]);
    expect(apart.stdout).toBe(lines(50, (at) => `out${at}`));
    expect(apart.stderr).toBe(lines(50, (at) => `err${at}`));
  });

  test("a script without a first line is run as every shell runs it", async () => {
    using sandbox = new Sandbox({ git: false });
    writeFileSync(sandbox.path("tool"), 'echo "ran with $1"; exit 9\n', { mode: 0o755 });
    for (const redirect of ["", " 2>&1"]) {
      const result = await sandbox.exec(["bash", "-c", `'${BINARY}' run ./tool x${redirect}; echo rc=$?`]);
      expect(result.stdout).toBe("ran with x\nrc=9\n");
    }
  });

  test("one word with shell signs is a line for the shell", async () => {
    using sandbox = new Sandbox({ git: false });
    expect((await sandbox.run(["run", "echo a && echo b; exit 3"])).stdout).toBe("a\nb\n");
    expect((await sandbox.run(["run", "echo a && echo b; exit 3"])).code).toBe(3);
    writeFileSync(sandbox.path("a b.sh"), "#!/bin/sh\necho file\n", { mode: 0o755 });
    expect((await sandbox.run(["run", "./a b.sh"])).stdout).toBe("file\n");
  });

  test("the command is started once", async () => {
    using sandbox = new Sandbox({ git: false });
    await sandbox.run(["run", "sh", "-c", "echo x >> count; cat nothing-here; exit 1"]);
    await sandbox.run(["run", "--shell", "bash", "echo x >> count"]);
    expect(readFileSync(sandbox.path("count"), "utf8")).toBe("x\nx\n");
  });

  test("a wrong option, or none at all, is said in two lines with exit 2", async () => {
    using sandbox = new Sandbox({ git: false });
    for (const args of [["run"], ["run", "--rwa", "true"], ["run", "--shell", "tcsh", "x"]]) {
      const { code, stderr } = await sandbox.run(args);
      expect(code).toBe(2);
      expect(stderr.trim().split("\n").length).toBe(2);
    }
  });

  for (const [what, args, env] of [
    ["--raw", ["run", "--raw"], {}],
    ["TOKENIX_RAW=1", ["run"], { TOKENIX_RAW: "1" }],
    ["TOKENIX_DISABLED=1", ["run"], { TOKENIX_DISABLED: "1" }],
  ] as const)
    test(`${what} leaves every byte and is logged as bypassed`, async () => {
      using sandbox = new Sandbox();
      const raw = `${lines(9000, (at) => `row ${at}`)}\x1b[31mred\x1b[0m\n\n\n\n`;
      sandbox.write({ "big.txt": raw });
      expect((await sandbox.run([...args, "cat", "big.txt"], { env })).stdout).toBe(raw);
      expect(readHookLog(sandbox.root, sandbox.env).events.map(({ action }) => action)).toEqual(["bypassed"]);
    });

  test("--explain says on stderr what was done, and stdout is the same", async () => {
    using sandbox = new Sandbox({ git: false });
    const raw = lines(9000, (at) => `row ${at}`);
    sandbox.write({ "big.txt": raw });
    const plain = await sandbox.run(["run", "cat", "big.txt"]);
    const told = await sandbox.run(["run", "--explain", "cat", "big.txt"]);
    expect(told.stdout).toBe(plain.stdout);
    expect(told.stderr).toContain("filter: none knows this command");
    expect(told.stderr).toContain("ceiling");
  });

  test("every run is in the log, also those that saved nothing", async () => {
    using sandbox = new Sandbox();
    sandbox.write({ "big.txt": lines(9000, (at) => `row ${at}`) });
    await sandbox.run(["run", "true"]);
    await sandbox.run(["run", "echo", "hello"]);
    await sandbox.run(["run", "cat", "big.txt"]);
    await sandbox.run(["run", "sh", "-c", "exit 3"]);
    const { events } = readHookLog(sandbox.root, sandbox.env);
    expect(events.map(({ action, exitCode }) => [action, exitCode])).toEqual([
      ["pass", 0],
      ["pass", 0],
      ["intercepted", 0],
      ["pass", 3],
    ]);
    expect(events[2]?.shownTokens).toBeLessThanOrEqual(events[2]?.rawTokens ?? 0);
  });
});

describe("recall", () => {
  test("the same output of the same command is not printed twice; another one is; and the key works", async () => {
    using sandbox = new Sandbox();
    const raw = lines(100, (at) => `row ${at} of a table`);
    sandbox.write({ "t.txt": raw });
    expect((await sandbox.run(["run", "cat", "t.txt"])).stdout).toBe(raw);
    const again = (await sandbox.run(["run", "cat", "t.txt"])).stdout;
    expect(again).toMatch(
      /^\[tokenix: same 100 lines as \d+ s ago, exit 0; again in full: .* retrieve [0-9a-f]{12}\]\n$/,
    );
    const key = /retrieve ([0-9a-f]{12})/.exec(again)?.[1] ?? "";
    expect((await sandbox.run(["retrieve", key])).stdout).toBe(raw);
    expect((await sandbox.run(["run", "head", "-100", "t.txt"])).stdout).toBe(raw);
    sandbox.write({ "t.txt": raw.replace("row 50", "row fifty") });
    expect((await sandbox.run(["run", "cat", "t.txt"])).stdout).toContain("row fifty");
    expect((await sandbox.run(["run", "cat", "t.txt"], { env: { TOKENIX_DEDUP_TTL: "0" } })).stdout).toContain(
      "row fifty",
    );
  });

  test("a failure is printed every time", async () => {
    using sandbox = new Sandbox();
    sandbox.write({ "t.txt": lines(100, (at) => `row ${at} of a table`) });
    const line = "cat t.txt; exit 1";
    const first = await sandbox.run(["run", "sh", "-c", line]);
    expect((await sandbox.run(["run", "sh", "-c", line])).stdout).toBe(first.stdout);
  });

  test("what is fetched back counts against the savings", async () => {
    using sandbox = new Sandbox();
    sandbox.write({ "big.txt": lines(9000, (at) => `row ${at}`) });
    const { stdout } = await sandbox.run(["run", "cat", "big.txt"]);
    await sandbox.run(["retrieve", /retrieve ([0-9a-f]{12})/.exec(stdout)?.[1] ?? ""]);
    const event = readHookLog(sandbox.root, sandbox.env).events.at(-1);
    expect(event).toMatchObject({ action: "retrieve", subject: "cat big.txt", rawTokens: 0 });
    expect(event?.shownTokens).toBeGreaterThan(10_000);
  });

  test("TOKENIX_TEE=0 writes no file, and a cut failure is still to be had", async () => {
    using sandbox = new Sandbox();
    const raw = lines(9000, (at) => `row ${at}`);
    const env = { ...stub(sandbox, "mytool", { stdout: raw, exit: 1 }), TOKENIX_TEE: "0" };
    const { stdout } = await sandbox.exec([BINARY, "run", "mytool"], { env });
    expect(existsSync(join(sandbox.home, ".tokenix", "tee"))).toBe(false);
    const key = /retrieve ([0-9a-f]{12})/.exec(stdout)?.[1] ?? "";
    expect((await sandbox.run(["retrieve", key])).stdout).toBe(raw);
  });
});

describe("filters of one's own", () => {
  const FILTER =
    "[filters.mytool]\ndescription = 'x'\nmatch_command = '^mytool\\s+build\\b'\nstrip_lines_matching = ['^noise']\n";

  test("a user's filter is used, and shown by every command that lists filters", async () => {
    using sandbox = new Sandbox();
    mkdirSync(join(sandbox.home, ".tokenix", "filters"), { recursive: true });
    writeFileSync(join(sandbox.home, ".tokenix", "filters", "mytool.toml"), FILTER);
    const env = stub(sandbox, "mytool", { stdout: `${"noise\n".repeat(20)}fact\n` });
    expect((await sandbox.exec([BINARY, "run", "mytool", "build", "--all"], { env })).stdout).toBe("fact\n");
    expect((await sandbox.run(["filter", "list", "mytool"])).stdout).toContain("(user: mytool.toml)");
    expect((await sandbox.run(["filter", "active", "cd x && mytool build"])).stdout).toBe("mytool (user)\n");
    expect((await sandbox.run(["filter", "show", "mytool"])).stdout).toContain("strip_lines_matching");
    const tried = await sandbox.run(["filter", "try", "mytool build", "--explain"], {
      stdin: `${"noise\n".repeat(5)}fact\n`,
    });
    expect(tried.stdout).toBe("fact\n");
    expect(tried.stderr).toContain("mytool (user)");
    expect((await sandbox.run(["filter", "verify"])).code).toBe(0);
    expect((await sandbox.run(["filter", "verify", "--require-all"])).code).toBe(1);
    const unknown = await sandbox.run(["filter", "show", "mytol"]);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain("did you mean 'mytool'?");
  });

  test("semantic_filter keeps the lines nearest in meaning, with the model in the binary", async () => {
    using sandbox = new Sandbox();
    mkdirSync(join(sandbox.home, ".tokenix", "filters"), { recursive: true });
    const rule = 'semantic_filter = { model = "static", query = "database connection error", top_k = 3 }';
    writeFileSync(join(sandbox.home, ".tokenix", "filters", "mytool.toml"), FILTER + rule);
    const chatter = lines(40, (at) => `painting the garden fence, board ${at}`);
    const stdout = `${chatter}could not connect to the database server\n${chatter}`;
    const { stdout: shown } = await sandbox.exec([BINARY, "run", "mytool", "build"], {
      env: stub(sandbox, "mytool", { stdout }),
    });
    expect(shown).toContain("could not connect to the database server");
    expect(shown.length).toBeLessThan(600);
  });

  test("a broken one is said once, and the output is raw", async () => {
    using sandbox = new Sandbox();
    mkdirSync(join(sandbox.home, ".tokenix", "filters"), { recursive: true });
    writeFileSync(join(sandbox.home, ".tokenix", "filters", "mytool.toml"), `${FILTER}strip_line = 3\n`);
    const raw = `${"noise\n".repeat(2)}fact\n`;
    const env = stub(sandbox, "mytool", { stdout: raw });
    const first = await sandbox.exec([BINARY, "run", "mytool", "build"], { env });
    expect(first.stdout).toBe(raw);
    expect(first.stderr).toBe(
      "tokenix: user filter mytool.toml: filters.mytool: unknown key 'strip_line'; did you mean 'strip_lines_matching'?\n",
    );
    expect((await sandbox.exec([BINARY, "run", "mytool", "build"], { env })).stderr).toBe("");
    expect((await sandbox.run(["filter", "verify"])).code).toBe(1);
  });

  test("one whose patterns run away costs its budget, and the output is raw", async () => {
    using sandbox = new Sandbox();
    mkdirSync(join(sandbox.home, ".tokenix", "filters"), { recursive: true });
    writeFileSync(join(sandbox.home, ".tokenix", "filters", "mytool.toml"), FILTER.replace("^noise", "^(n+)+$"));
    // The engine gives one match up after a while, sooner than the budget on a quick machine: many lines outlast it.
    const raw = `${Array.from({ length: 40 }, (_, index) => `${"n".repeat(60 + index)}!\n`).join("")}fact\n`;
    const { stdout, stderr, code } = await sandbox.exec([BINARY, "run", "mytool", "build"], {
      env: stub(sandbox, "mytool", { stdout: raw, exit: 6 }),
    });
    expect(code).toBe(6);
    expect(stdout).toBe(raw);
    expect(stderr).toContain("took more than 1500 ms");
  });

  test("a repository's does nothing before 'tokenix trust --yes', and nobody is trusted by a pipe", async () => {
    using sandbox = new Sandbox();
    sandbox.write({ ".tokenix/filters/mytool.toml": FILTER });
    const env = stub(sandbox, "mytool", { stdout: `${"noise\n".repeat(20)}fact\n` });
    const run = () => sandbox.exec([BINARY, "run", "mytool", "build"], { env });
    expect((await run()).stdout).toContain("noise");
    const asked = await sandbox.run(["trust"]);
    expect(asked.code).toBe(1);
    expect(asked.stdout).toContain("drops lines like /^noise/");
    expect((await run()).stdout).toContain("noise");
    expect((await sandbox.run(["trust", "--yes"])).code).toBe(0);
    expect((await run()).stdout).toBe("fact\n");
    expect((await sandbox.run(["trust", "--list"])).stdout).toContain(".tokenix/filters/mytool.toml");
    sandbox.write({ ".tokenix/filters/mytool.toml": FILTER.replace("noise", "fact") });
    expect((await run()).stdout).toContain("fact");
    expect((await sandbox.run(["trust", "--revoke"])).code).toBe(0);
    expect((await sandbox.run(["trust", "--list"])).stdout).toBe("no repository is trusted\n");
  });

  test("recordings are masked, ignored by git, and become a filter that passes its own cases", async () => {
    using sandbox = new Sandbox();
    const token = `ghp_${"a1B2".repeat(9)}`;
    const stdout = `${lines(30, (at) => `Compiling part ${at}`)}token ${token}\ndone: 30 parts\n`;
    const env = stub(sandbox, "mytool", { stdout });
    await sandbox.run(["filter", "record", "start", "mytool build"]);
    await sandbox.exec([BINARY, "run", "mytool", "build", "-v"], { env });
    await sandbox.exec([BINARY, "run", "mytool", "test"], { env });
    expect((await sandbox.run(["filter", "record", "status"])).stdout).toMatch(
      /^on since .*: mytool build\n.*mytool build -v\n$/,
    );
    expect((await sandbox.run(["filter", "record", "stop"])).stdout).toBe("stopped; 1 recordings\n");
    await sandbox.exec([BINARY, "run", "mytool", "build"], { env });
    expect((await sandbox.run(["filter", "record", "status"])).stdout.split("\n").length).toBe(3);
    const folder = sandbox.path(".tokenix", "recordings");
    for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name), "utf8")).not.toContain(token);
    expect(sandbox.gitSync("status", "--porcelain")).toBe("");
    const made = await sandbox.run(["filter", "generate", "mytool build"]);
    expect(made.code).toBe(0);
    expect(readFileSync(made.stdout.trim(), "utf8")).toContain("^Compiling ");
    const verified = await sandbox.run(["filter", "verify"]);
    expect(verified.stdout).toMatch(/'expected' is missing|ok /);
    expect((await sandbox.run(["filter", "generate", "mytool build"])).stderr).toContain("--force replaces it");
  });
});
