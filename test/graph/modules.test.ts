/** Imports of every language to the files they mean, over small trees written out here. */
import { describe, expect, test } from "bun:test";
import {
  type Family,
  type ModuleImport,
  type ProjectFacts,
  resolveModule,
} from "../../src/repo/graph/modules/index.ts";

interface Tree {
  readonly files: Readonly<Record<string, string>>;
  /** What files declare: path to package, and path to the types or modules at its top. */
  readonly packages?: Readonly<Record<string, string>>;
  readonly defines?: Readonly<Record<string, readonly string[]>>;
}

function facts({ files, packages = {}, defines = {} }: Tree): ProjectFacts {
  const paths = Object.keys(files);
  return {
    has: (path) => Object.hasOwn(files, path),
    withName: (name) => paths.filter((path) => path.split("/").at(-1) === name),
    filesIn: (dir) => paths.filter((path) => path.slice(0, Math.max(0, path.lastIndexOf("/"))) === dir),
    read: (path) => files[path],
    filesOfPackage: (name) => paths.filter((path) => packages[path] === name),
    packageOf: (path) => packages[path],
    filesDefining: (name) => paths.filter((path) => defines[path]?.includes(name)),
  };
}

const wanted = (module: string, kind: ModuleImport["kind"] = "names", ...names: string[]): ModuleImport => ({
  module,
  kind,
  names: names.map((name) => ({ name })),
});

function resolved(tree: Tree, family: Family, from: string, module: ModuleImport): string {
  const target = resolveModule(from, module, family, facts(tree));
  if (target.kind === "external") return `external ${target.name}`;
  return [...target.paths].sort().join(" ") + (target.isGuess ? " ?" : "");
}

function cases(
  family: Family,
  tree: Tree,
  table: readonly (readonly [from: string, wanted: ModuleImport, result: string])[],
): void {
  for (const [from, module, result] of table)
    test(`${from}: ${module.kind} ${module.module} ${module.names.map(({ name }) => name).join(",")}`, () => {
      expect(resolved(tree, family, from, module)).toBe(result);
    });
}

describe("ecma", () => {
  const tree: Tree = {
    files: {
      "package.json": '{"name":"root","workspaces":["packages/*"],"imports":{"#utils/*":"./src/utils/*.ts"}}',
      "tsconfig.base.json":
        '{\n  // shared\n  "compilerOptions": { "baseUrl": ".", "paths": { "@s/lib": ["packages/lib/src/index.ts"], "@/*": ["src/*"], "@/deep/*": ["deep/*"], }, },\n}',
      "packages/app/tsconfig.json": '{"extends":"../../tsconfig.base.json"}',
      "packages/app/package.json": '{"name":"@acme/app"}',
      "packages/app/src/main.ts": "",
      "packages/app/src/view.tsx": "",
      "packages/app/src/old.js": "",
      "packages/app/src/widgets/index.ts": "",
      "packages/lib/package.json":
        '{"name":"@acme/lib","main":"dist/index.js","exports":{".":{"types":"./dist/index.d.ts","default":"./dist/index.js"},"./feature/*":"./dist/feature/*.js","./package.json":"./package.json"}}',
      "packages/lib/src/index.ts": "",
      "packages/lib/src/feature/one.ts": "",
      "src/utils/text.ts": "",
      "src/a.ts": "",
      "deep/b.ts": "",
    },
  };
  const main = "packages/app/src/main.ts";
  cases("ecma", tree, [
    [main, wanted("./view"), "packages/app/src/view.tsx"],
    [main, wanted("./view.js"), "packages/app/src/view.tsx"],
    [main, wanted("./old.js"), "packages/app/src/old.js"],
    [main, wanted("./widgets"), "packages/app/src/widgets/index.ts"],
    [main, wanted("../../../src/a"), "src/a.ts"],
    [main, wanted("./view.tsx?raw"), "packages/app/src/view.tsx"],
    [main, wanted("../../../../../outside"), "external ../../../../../outside"],
    [main, wanted("@s/lib"), "packages/lib/src/index.ts"],
    [main, wanted("@/a"), "src/a.ts"],
    [main, wanted("@/deep/b"), "deep/b.ts"],
    [main, wanted("@acme/lib"), "packages/lib/src/index.ts"],
    [main, wanted("@acme/lib/feature/one"), "packages/lib/src/feature/one.ts"],
    [main, wanted("src/utils/text"), "src/utils/text.ts"],
    ["src/a.ts", wanted("#utils/text"), "src/utils/text.ts"],
    [main, wanted("node:fs"), "external node:fs"],
    [main, wanted("react"), "external react"],
    [main, wanted("@scope/pkg/sub"), "external @scope/pkg"],
  ]);
});

describe("python", () => {
  const tree: Tree = {
    files: {
      "src/app/__init__.py": "",
      "src/app/main.py": "",
      "src/app/models.py": "",
      "src/app/pkg/__init__.py": "",
      "src/app/pkg/deep.py": "",
      "tools/run.py": "",
      "tools/helper.py": "",
    },
  };
  cases("python", tree, [
    ["src/app/main.py", wanted(".", "names", "models"), "src/app/__init__.py src/app/models.py"],
    ["src/app/main.py", wanted(".pkg.deep", "names", "Repo"), "src/app/pkg/deep.py"],
    ["src/app/pkg/deep.py", wanted("..models", "names", "User"), "src/app/models.py"],
    ["src/app/main.py", wanted("app.pkg", "names", "deep"), "src/app/pkg/__init__.py src/app/pkg/deep.py"],
    ["tools/run.py", wanted("helper", "module", "*"), "tools/helper.py"],
    ["tools/run.py", wanted("app.models", "names", "User"), "src/app/models.py"],
    ["src/app/main.py", wanted("os.path", "module", "*"), "external os"],
    ["src/app/main.py", wanted("....x", "names", "y"), "external ....x"],
  ]);
});

describe("go", () => {
  const tree: Tree = {
    files: {
      "go.mod": "module example.com/shop\n\ngo 1.22\n",
      "main.go": "",
      "store/store.go": "",
      "store/cache.go": "",
      "store/store_test.go": "",
      "tools/go.mod": "module example.com/shop/tools\n",
      "tools/gen/gen.go": "",
    },
  };
  cases("go", tree, [
    ["main.go", wanted("example.com/shop/store", "module", "*"), "store/cache.go store/store.go"],
    ["main.go", wanted("example.com/shop", "module", "*"), "main.go"],
    ["main.go", wanted("example.com/shop/tools/gen", "module", "*"), "tools/gen/gen.go"],
    ["main.go", wanted("net/http", "module", "*"), "external net/http"],
    ["main.go", wanted("example.com/shopping/x", "module", "*"), "external example.com/shopping/x"],
  ]);
});

describe("rust", () => {
  const tree: Tree = {
    files: {
      "Cargo.toml": "[workspace]\nmembers = ['core', 'cli']\n",
      "core/Cargo.toml": '[package]\nname = "shop-core"\n',
      "core/src/lib.rs": "",
      "core/src/model.rs": "",
      "core/src/model/item.rs": "",
      "core/src/store/mod.rs": "",
      "core/src/store/cache.rs": "",
      "cli/Cargo.toml": '[package]\nname = "cli"\n',
      "cli/src/main.rs": "",
    },
  };
  cases("rust", tree, [
    ["core/src/lib.rs", wanted("model", "submodule"), "core/src/model.rs"],
    ["core/src/lib.rs", wanted("store", "submodule"), "core/src/store/mod.rs"],
    ["core/src/model.rs", wanted("item", "submodule"), "core/src/model/item.rs"],
    ["core/src/store/cache.rs", wanted("crate::model::item", "names", "Item"), "core/src/model/item.rs"],
    ["core/src/store/cache.rs", wanted("super", "wildcard", "*"), "core/src/store/mod.rs"],
    ["core/src/store/cache.rs", wanted("super::super::model", "names", "Kind"), "core/src/model.rs"],
    ["core/src/store/mod.rs", wanted("self", "names", "cache"), "core/src/store/cache.rs core/src/store/mod.rs"],
    ["cli/src/main.rs", wanted("shop_core::model", "names", "Kind"), "core/src/model.rs"],
    ["cli/src/main.rs", wanted("shop_core", "names", "Shop"), "core/src/lib.rs"],
    ["cli/src/main.rs", wanted("std::collections", "names", "HashMap"), "external std"],
    ["core/src/lib.rs", wanted("store::cache", "names", "Cache"), "core/src/store/cache.rs"],
  ]);
});

describe("c", () => {
  const tree: Tree = {
    files: {
      "src/main.c": "",
      "src/util.h": "",
      "include/shop/api.h": "",
      "a/x.h": "",
      "b/x.h": "",
      "a/use.c": "",
      "third/stdio.h": "",
    },
  };
  cases("c", tree, [
    ["src/main.c", wanted("util.h", "include"), "src/util.h"],
    ["src/main.c", wanted("shop/api.h", "include-system"), "include/shop/api.h"],
    ["src/main.c", wanted("../include/shop/api.h", "include"), "include/shop/api.h"],
    ["a/use.c", wanted("x.h", "include"), "a/x.h"],
    ["src/main.c", wanted("x.h", "include"), "a/x.h b/x.h ?"],
    ["src/main.c", wanted("stdio.h", "include-system"), "external stdio.h"],
  ]);
});

describe("jvm", () => {
  const tree: Tree = {
    files: { "a/Item.java": "", "a/Store.kt": "", "b/Main.java": "" },
    packages: { "a/Item.java": "com.shop", "a/Store.kt": "com.shop", "b/Main.java": "com.app" },
    defines: { "a/Item.java": ["Item"], "a/Store.kt": ["Store", "openStore"], "b/Main.java": ["Main"] },
  };
  cases("jvm", tree, [
    ["b/Main.java", wanted("com.shop", "names", "Item"), "a/Item.java"],
    ["b/Main.java", wanted("com.shop", "names", "Store", "Item"), "a/Item.java a/Store.kt"],
    ["b/Main.java", wanted("com.shop", "wildcard", "*"), "a/Item.java a/Store.kt"],
    ["b/Main.java", wanted("com.shop.Item", "names", "of"), "a/Item.java"],
    ["b/Main.java", wanted("com.shop.Item", "wildcard", "*"), "a/Item.java"],
    ["b/Main.java", wanted("java.util", "names", "List"), "external java.util"],
  ]);
});

describe("named and by path", () => {
  const tree: Tree = {
    files: {
      "src/Models/User.php": "",
      "src/boot.php": "",
      "src/index.php": "",
      "lib/shop/store.rb": "",
      "lib/shop.rb": "",
      "app.rb": "",
      "lua/plug/util.lua": "",
      "lua/plug/init.lua": "",
      "bin/run.sh": "",
      "bin/lib/common.sh": "",
      "z/main.zig": "",
      "z/repo.zig": "",
      "lib/shop.ex": "",
      "h/Shop/Store.hs": "",
      "h/Main.hs": "",
      "d/pubspec.yaml": "name: shop\n",
      "d/lib/item.dart": "",
      "d/lib/src/repo.dart": "",
      "Sources/Core/Item.swift": "",
      "Sources/App/main.swift": "",
    },
    packages: { "src/Models/User.php": "App\\Models", "h/Shop/Store.hs": "Shop.Store" },
    defines: { "src/Models/User.php": ["User"], "lib/shop.ex": ["Shop", "Shop.Item"] },
  };
  cases("php", tree, [
    ["src/index.php", wanted("App\\Models", "names", "User"), "src/Models/User.php"],
    ["src/index.php", wanted("./boot.php", "effect"), "src/boot.php"],
    ["src/index.php", wanted("Psr\\Log", "names", "Logger"), "external Psr\\Log"],
  ]);
  cases("ruby", tree, [
    ["app.rb", wanted("./lib/shop", "effect"), "lib/shop.rb"],
    ["app.rb", wanted("shop/store", "effect"), "lib/shop/store.rb"],
    ["app.rb", wanted("json", "effect"), "external json"],
  ]);
  cases("lua", tree, [
    ["lua/plug/init.lua", wanted("plug.util", "module", "*"), "lua/plug/util.lua"],
    ["lua/plug/util.lua", wanted("plug", "module", "*"), "lua/plug/init.lua"],
    ["lua/plug/util.lua", wanted("socket", "module", "*"), "external socket"],
  ]);
  cases("bash", tree, [
    ["bin/run.sh", wanted("./lib/common.sh", "wildcard", "*"), "bin/lib/common.sh"],
    ["bin/run.sh", wanted("$DIR/lib/common.sh", "wildcard", "*"), "bin/lib/common.sh"],
    ["bin/run.sh", wanted("/etc/profile", "wildcard", "*"), "external /etc/profile"],
  ]);
  cases("zig", tree, [
    ["z/main.zig", wanted("repo.zig", "names", "Repo"), "z/repo.zig"],
    ["z/main.zig", wanted("std", "module", "*"), "external std"],
  ]);
  cases("elixir", tree, [
    ["lib/shop.ex", wanted("Shop", "names", "Item"), "lib/shop.ex"],
    ["lib/shop.ex", wanted("Ecto.Query", "wildcard", "*"), "external Ecto.Query"],
  ]);
  cases("haskell", tree, [
    ["h/Main.hs", wanted("Shop.Store", "names", "open"), "h/Shop/Store.hs"],
    ["h/Main.hs", wanted("Data.Map", "module", "*"), "external Data.Map"],
  ]);
  cases("dart", tree, [
    ["d/lib/item.dart", wanted("src/repo.dart", "wildcard", "*"), "d/lib/src/repo.dart"],
    ["d/lib/src/repo.dart", wanted("package:shop/item.dart", "wildcard", "*"), "d/lib/item.dart"],
    ["d/lib/item.dart", wanted("package:http/http.dart", "module", "*"), "external http"],
  ]);
  cases("swift", tree, [
    ["Sources/App/main.swift", wanted("Core", "wildcard", "*"), "Sources/Core/Item.swift"],
    ["Sources/App/main.swift", wanted("Foundation", "wildcard", "*"), "external Foundation"],
  ]);
});

test("a hostile module name costs nothing and means nothing", () => {
  const tree = { files: { "a.ts": "" } };
  for (const name of ["x".repeat(100_000), "../".repeat(300), "\0", "a/".repeat(400), "*", ""])
    expect(resolved(tree, "ecma", "a.ts", wanted(name))).toStartWith("external");
});
