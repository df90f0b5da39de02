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
