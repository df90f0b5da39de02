import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Sandbox } from "../support/sandbox.ts";

const PATIENT = 60_000;
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = new Sandbox();
  sandbox.write({
    "lib/reply.js":
      "function Reply(res) { this.res = res }\nfunction Request() {}\nRequest.prototype.send = function () {\n  return null\n}\nReply.prototype.send = function (payload) {\n  return this.res.end(payload)\n}\nmodule.exports = { Reply }\n",
    "lib/route.js":
      "const { Reply } = require('./reply')\nfunction route() { const reply = new Reply(); return reply.send('a') }\nmodule.exports = { route }\n",
    "README.md": "# Demo\n\nReplies are sent to whoever asked.\n",
  });
  expect((await sandbox.run(["index"])).code).toBe(0);
}, PATIENT);
afterAll(() => sandbox[Symbol.dispose]());

describe("a name", () => {
  test(
    "is taken however people, languages and our own output write it",
    async () => {
      for (const name of ["Reply.prototype.send", "Reply#send", "Reply::send", "Reply->send", "Reply.send()"]) {
        const callers = await sandbox.run(["callers", name, "--json"]);
        expect([name, callers.code]).toEqual([name, 0]);
        expect(JSON.parse(callers.stdout).definitions).toMatchObject([{ path: "lib/reply.js", start_line: 6 }]);
        const symbols = await sandbox.run(["symbols", name, "--json"]);
        expect(JSON.parse(symbols.stdout).symbols).toMatchObject([{ path: "lib/reply.js", start_line: 6 }]);
        const shown = await sandbox.run(["read", "lib/reply.js", "--symbol", name]);
        expect(shown.stdout).toStartWith("Reply.prototype.send =");
      }
      const place = await sandbox.run(["callers", "lib/reply.js:6-8", "--json"]);
      expect(JSON.parse(place.stdout).definitions).toMatchObject([{ start_line: 6 }]);
    },
    PATIENT,
  );

  test(
    "that nothing bears is said to be missing before anything else is shown",
    async () => {
      for (const command of ["explore", "context"]) {
        const run = await sandbox.run([command, "sentReply"]);
        expect(run.stdout).toStartWith("# sentReply\nThere is no symbol 'sentReply' (near: Reply).");
        expect(run.stdout).toContain("found by words and meaning");
        expect(JSON.parse((await sandbox.run([command, "sentReply", "--json"])).stdout).missing.near).toEqual([
          "Reply",
        ]);
        expect((await sandbox.run([command, "zzqqxx"])).stdout).toContain("'zzqqxx'. Nothing else was found.");
        for (const known of ["Reply", "Reply.prototype.send", "route.js", "README", "who sends replies"])
          expect((await sandbox.run([command, known])).stdout).not.toContain("There is no symbol");
      }
    },
    PATIENT,
  );
});

test(
  "a query of one name that only meaning answers says so",
  async () => {
    const notes = async (...args: string[]): Promise<unknown> =>
      JSON.parse((await sandbox.run(["query", "--json", ...args])).stdout).notes;
    const said = ["no hit by the word 'answering' itself: these were found by meaning alone"];
    expect(await notes("answering")).toEqual(said);
    expect((await sandbox.run(["query", "answering"])).stderr).toBe(`tokenix: ${said[0]}\n`);
    for (const other of [["Reply"], ["answering", "people"], ["answering", "--mode", "semantic"]])
      expect(await notes(...other)).toEqual([]);
  },
  PATIENT,
);

describe("read", () => {
  const many = Array.from({ length: 250 }, (_, i) => `function part${i}() { return ${i} }`).join("\n");

  test(
    "takes a place as hits print it, unless a file is called so",
    async () => {
      const isWindows = process.platform === "win32";
      if (!isWindows) sandbox.write({ "lib/odd.js:2": "a file with a colon\n" });
      const shown = async (file: string, cwd = sandbox.root) => (await sandbox.run(["read", file], { cwd })).stdout;
      expect(await shown("lib/reply.js:3-5")).toBe("Request.prototype.send = function () {\n  return null\n}\n");
      expect(await shown("lib/reply.js:4")).toBe("  return null\n");
      expect(await shown("lib/reply.js:Reply.send")).toStartWith("Reply.prototype.send");
      if (!isWindows) expect(await shown("lib/odd.js:2")).toBe("a file with a colon\n");
      expect(await shown("lib/reply.js:4", sandbox.path("lib"))).toBe("  return null\n");
    },
    PATIENT,
  );

  test(
    "offers the nearest path for one that is misspelt, and the value for a flag that is one",
    async () => {
      for (const [file, near] of [
        ["lib/repyl.js", "lib/reply.js"],
        ["lib/repyl.js:3-5", "lib/reply.js"],
        ["src/http/reply.js", "lib/reply.js"],
      ] as const) {
        const run = await sandbox.run(["read", file]);
        expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(`did you mean '${near}'?`)]);
      }
      expect((await sandbox.run(["read", "lib/reply.js", "--full"])).stderr).toContain("did you mean '--mode full'?");
      expect((await sandbox.run(["pack", "--json"])).stderr).toContain("did you mean '--format json'?");
    },
    PATIENT,
  );

  test(
    "says how to get the rest of an outline, and cuts a huge line with a notice",
    async () => {
      const data = `const data = "${"QUJD".repeat(100_000)}";\n`;
      sandbox.write({ "many.js": many, "data.js": data, "wide.txt": `${"w".repeat(1000)}\n`.repeat(150) });
      const outline = (await sandbox.run(["read", "many.js"])).stdout;
      expect(outline).toEndWith(
        "[to see code: 'tokenix read many.js --lines A-B', --symbol NAME; --mode full for all of it]\n",
      );
      for (const args of [["data.js"], ["data.js", "--lines", "1"], ["wide.txt"]]) {
        const cut = (await sandbox.run(["read", ...args])).stdout;
        expect(cut.length).toBeLessThan(42_000);
        expect(cut).toMatch(/\[tokenix: \d+ characters are not shown; 'tokenix read \S+ --mode full' shows all\]\n$/);
      }
      expect((await sandbox.run(["read", "data.js", "--mode", "full"])).stdout).toBe(data);
    },
    PATIENT,
  );
});
