/** What users of such tools met (section F of the list of faults): wrong or missing callers, names that several things have. */
import { expect, test } from "bun:test";
import { callersOf, type Files, Project } from "./support.ts";

async function callers(files: Files, name: string, path?: string): Promise<string[]> {
  using project = new Project(files);
  await project.index();
  return project.ask((graph) => callersOf(graph, name, path));
}

test("F.61 a name that does not exist has no symbol, and nothing is answered for another", async () => {
  using project = new Project({ "a.ts": "export function FetchAll() {}\nexport function go() { FetchAll(); }\n" });
  await project.index();
  project.ask((graph) => {
    expect(graph.universe.named("Fetch")).toEqual([]);
    expect(callersOf(graph, "FetchAll")).toEqual(["a.ts:2 go resolved"]);
  });
});

test("F.63 a static call on an imported class is a call of that method", async () => {
  const files = {
    "foo.ts": "export class Foo {\n  static bar(): void {}\n}\n",
    "run.ts": 'import { Foo } from "./foo";\nexport function run() {\n  Foo.bar();\n}\n',
  };
  expect(await callers(files, "Foo.bar")).toEqual(["run.ts:3 run resolved"]);
  expect(await callers(files, "Foo")).toEqual([]);
});

test("F.65 self.reset() is the method of its own type, not a nearer one of another", async () => {
  const files = {
    "a.rs":
      "struct Target;\nstruct Decoy;\nimpl Decoy {\n    fn reset(&self) {}\n}\nimpl Target {\n    fn run(&self) {\n        self.reset();\n    }\n    fn reset(&self) {}\n}\n",
  };
  expect(await callers(files, "Target.reset")).toEqual(["a.rs:8 Target.run resolved"]);
  expect(await callers(files, "Decoy.reset")).toEqual([]);
});

test("F.67 a call through a trait object reaches the trait's method, and its implementation as possible", async () => {
  const files = {
    "a.rs":
      "trait Shape {\n    fn area(&self) -> f64;\n}\nstruct Square;\nimpl Shape for Square {\n    fn area(&self) -> f64 { 1.0 }\n}\nfn total(shape: &dyn Shape) -> f64 {\n    shape.area()\n}\n",
  };
  expect(await callers(files, "Shape.area")).toEqual(["a.rs:9 total resolved"]);
  expect(await callers(files, "Square.area")).toEqual(["a.rs:9 total inferred?"]);
});

test("F.69 aliases of a base tsconfig, through extends, make edges across packages", async () => {
  const files = {
    "tsconfig.base.json": '{"compilerOptions":{"baseUrl":".","paths":{"@s/lib":["libs/lib/src/index.ts"]}}}',
    "apps/web/tsconfig.json": '{"extends":"../../tsconfig.base.json"}',
    "libs/lib/src/index.ts": 'export { load } from "./load";\n',
    "libs/lib/src/load.ts": "export function load() {}\n",
    "apps/web/src/main.ts": 'import { load } from "@s/lib";\nexport function main() {\n  load();\n}\n',
  };
  expect(await callers(files, "load")).toEqual(["apps/web/src/main.ts:3 main resolved"]);
});

test("F.71 a workspace package's name is not external", async () => {
  const files = {
    "package.json": '{"name":"root","workspaces":["packages/*"]}',
    "packages/shared/package.json": '{"name":"@acme/shared","main":"dist/index.js"}',
    "packages/shared/src/index.ts": "export const format = (text: string) => text;\n",
    "packages/app/package.json": '{"name":"@acme/app"}',
    "packages/app/src/a.ts": 'import { format as f } from "@acme/shared";\nexport const show = () => f("x");\n',
  };
  expect(await callers(files, "format")).toEqual(["packages/app/src/a.ts:2 show resolved"]);
});

test("F.73 an import that carries .js is the file it is built from", async () => {
  const files = {
    "a.js": 'import { b } from "./b.js";\nexport function a() {\n  b();\n}\n',
    "b.js": "export function b() {}\n",
  };
  expect(await callers(files, "b")).toEqual(["a.js:3 a resolved"]);
});

test("F.75 a C# method used in two other files is seen in both", async () => {
  const files = {
    "Store.cs": "namespace Shop;\npublic class Store {\n  public void Save() {}\n}\n",
    "A.cs": "using Shop;\nnamespace App;\npublic class A {\n  public void Go(Store store) { store.Save(); }\n}\n",
    "B.cs":
      "using Shop;\nnamespace App;\npublic class B {\n  private readonly Store _store = new Store();\n  public void Go() { _store.Save(); }\n}\n",
  };
  expect(await callers(files, "Store.Save")).toEqual(["A.cs:4 A.Go resolved", "B.cs:5 B.Go resolved"]);
});

test("F.77 a project that was empty when it was first seen finds what came later", async () => {
  using project = new Project({});
  await project.index();
  project.write({ "a.py": "def f():\n    pass\n\ndef g():\n    f()\n" });
  await project.index();
  expect(project.ask((graph) => callersOf(graph, "f"))).toEqual(["a.py:5 g resolved"]);
});
