/** Scripts that say `require` and `module.exports`, and what a variable of the same name elsewhere must not do to them. */
import { expect, test } from "bun:test";
import { callersOf, type Files, Project } from "./support.ts";

async function callers(files: Files, ...names: readonly string[]): Promise<string[][]> {
  using project = new Project(files);
  await project.index();
  return project.ask((graph) => names.map((name) => callersOf(graph, name)));
}

test("what a module exports whole is called by every name that require gives it, also through call and bind", async () => {
  const [found] = await callers(
    {
      "lib/serve.js": "function serve (err) { return err }\nmodule.exports = serve\nmodule.exports.port = 80\n",
      "route.js":
        "const serve = require('./lib/serve')\nfunction route () {\n  serve(null)\n  const bound = serve.bind(null)\n  return serve.call(bound, 1)\n}\nmodule.exports = { route }\n",
      "other.js": "const mod = require('./lib/serve.js')\nfunction other () { mod(1) }\n",
    },
    "serve",
  );
  expect(found).toEqual([
    "other.js:2 other resolved",
    "route.js:3 route resolved",
    "route.js:4 route resolved",
    "route.js:5 route resolved",
  ]);
});

test("a name that a file offers under another one is found under both", async () => {
  const [common, listed, one] = await callers(
    {
      "common.js": "function b () {}\nfunction c () {}\nmodule.exports = { bee: b }\nexports.sea = c\n",
      "listed.mjs": "function d() {}\nexport { d as dee };\n",
      "use.js": "const { bee, sea } = require('./common')\nfunction use () { bee(); sea() }\n",
      "use.mjs": 'import { dee } from "./listed.mjs";\nexport function go() { dee(); }\n',
    },
    "b",
    "d",
    "c",
  );
  expect(common).toEqual(["use.js:2 use resolved"]);
  expect(listed).toEqual(["use.mjs:2 go resolved"]);
  expect(one).toEqual(["use.js:2 use resolved"]);
});

test("a method given to a variable is certain of nobody else's variable of that name", async () => {
  const [found] = await callers(
    {
      "r.js": "function other (reply) { reply.send(1) }\nmodule.exports = { other }\n",
      "r.test.js": "const reply = {}\nreply.send = () => 1\n",
    },
    "reply.send",
  );
  expect(found).toEqual(["r.js:1 other ambiguous"]);
});
