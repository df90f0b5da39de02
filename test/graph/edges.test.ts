/**
 * Certain edges of twelve languages and more, written out: each list is all that may be certain in its files, so one
 * wrong certain edge fails. What is only possible or only a name is told apart.
 */
import { describe, expect, test } from "bun:test";
import { callersOf, certainEdges, type Files, Project } from "./support.ts";

interface Case {
  readonly files: Files;
  /** Every certain edge between symbols of the project; calls and constructions, types left out. */
  readonly certain: readonly string[];
  readonly callers?: Readonly<Record<string, readonly string[]>>;
}

const cases: Readonly<Record<string, Case>> = {
  typescript: {
    files: {
      "lib/shape.ts":
        "export interface Shape {\n  area(): number;\n}\nexport abstract class Base implements Shape {\n  abstract area(): number;\n  describe(): string {\n    return `${this.area()}`;\n  }\n  static make(): Base {\n    return new Square(2);\n  }\n}\nexport class Square extends Base {\n  constructor(private readonly side: number) {\n    super();\n  }\n  area(): number {\n    return this.side;\n  }\n}\nexport default function unit(): number {\n  return 1;\n}\n",
      "lib/index.ts": 'export * from "./shape";\nexport { default as one } from "./shape";\n',
      "app.ts":
        'import { Square, type Shape, one } from "./lib";\nimport start from "./lib/shape";\nimport * as lib from "./lib/index.js";\nfunction total(shape: Shape): number {\n  return shape.area() + one() + start();\n}\nexport function main(): void {\n  const square = new Square(3);\n  square.describe();\n  total(square);\n  lib.Base.make();\n  [1].map(String);\n}\n',
    },
    certain: [
      "app.ts:10 main -> app.ts#total",
      "app.ts:11 main -> lib/shape.ts#Base.make",
      "app.ts:5 total -> lib/shape.ts#Shape.area",
      "app.ts:5 total -> lib/shape.ts#unit",
      "app.ts:8 main -> lib/shape.ts#Square",
      "app.ts:8 main -> lib/shape.ts#Square.constructor",
      "app.ts:9 main -> lib/shape.ts#Base.describe",
      "lib/shape.ts:10 Base.make -> lib/shape.ts#Square",
      "lib/shape.ts:10 Base.make -> lib/shape.ts#Square.constructor",
      "lib/shape.ts:7 Base.describe -> lib/shape.ts#Base.area",
    ],
    callers: {
      "Square.area": ["app.ts:5 total inferred?", "lib/shape.ts:7 Base.describe inferred?"],
      unit: ["app.ts:5 total resolved"],
    },
  },
  javascript: {
    files: {
      "a.js":
        'const { load, save: keep } = require("./b");\nconst util = require("./util");\nfunction go() {\n  load();\n  keep();\n  util.trim();\n  missing.trim();\n}\nmodule.exports = go;\n',
      "b.js": "function load() {}\nfunction save() {}\nmodule.exports = { load, save };\n",
      "util.js": "exports.trim = function trim() {};\n",
      "c.js": 'import go from "./a.js";\ngo();\n',
    },
    certain: [
      "a.js:4 go -> b.js#load",
      "a.js:5 go -> b.js#save",
      "a.js:6 go -> util.js#trim",
      "c.js:2 (top) -> a.js#go",
    ],
  },
  python: {
    files: {
      "pkg/__init__.py": "from .store import Store\n",
      "pkg/store.py":
        "from .base import Base, helper as h\n\n\nclass Store(Base):\n    def __init__(self, path):\n        super().__init__(path)\n        h()\n\n    def save(self):\n        self.check()\n        self.touch()\n\n    @classmethod\n    def make(cls):\n        return cls('x')\n\n    def touch(self):\n        pass\n",
      "pkg/base.py":
        "def helper():\n    pass\n\n\nclass Base:\n    def __init__(self, path):\n        pass\n\n    def check(self):\n        pass\n",
      "main.py":
        "import pkg.base as base\nfrom pkg import Store\n\n\ndef run():\n    store = Store('a')\n    store.save()\n    Store.make()\n    base.helper()\n\n\ndef other(store):\n    store.check()\n",
    },
    certain: [
      "main.py:6 run -> pkg/store.py#Store",
      "main.py:6 run -> pkg/store.py#Store.__init__",
      "main.py:7 run -> pkg/store.py#Store.save",
      "main.py:8 run -> pkg/store.py#Store.make",
      "main.py:9 run -> pkg/base.py#helper",
      "pkg/store.py:10 Store.save -> pkg/base.py#Base.check",
      "pkg/store.py:11 Store.save -> pkg/store.py#Store.touch",
      "pkg/store.py:6 Store.__init__ -> pkg/base.py#Base.__init__",
      "pkg/store.py:7 Store.__init__ -> pkg/base.py#helper",
    ],
    callers: { "Base.check": ["main.py:13 other inferred", "pkg/store.py:10 Store.save resolved"] },
  },
  go: {
    files: {
      "go.mod": "module example.com/shop\n",
      "main.go":
        'package main\n\nimport (\n\t"fmt"\n\n\tst "example.com/shop/store"\n)\n\nfunc main() {\n\ts := st.New()\n\ts.Save()\n\tfmt.Println(help())\n\tvar saver st.Saver = s\n\tsaver.Save()\n}\n',
      "help.go": 'package main\n\nfunc help() string { return "" }\n',
      "store/store.go":
        "package store\n\ntype Saver interface {\n\tSave()\n}\n\ntype Store struct{ log *Log }\n\nfunc New() *Store { return &Store{} }\n\nfunc (s *Store) Save() {\n\ts.flush()\n\ts.log.Write()\n}\n\nfunc (s *Store) flush() {}\n",
      "store/log.go": "package store\n\ntype Log struct{}\n\nfunc (l *Log) Write() {}\n",
    },
    certain: [
      "main.go:10 main -> store/store.go#New",
      "main.go:12 main -> help.go#help",
      "main.go:14 main -> store/store.go#Saver.Save",
      "store/store.go:12 Store.Save -> store/store.go#Store.flush",
      "store/store.go:13 Store.Save -> store/log.go#Log.Write",
      "store/store.go:9 New -> store/store.go#Store",
    ],
  },
  rust: {
    files: {
      "Cargo.toml": '[package]\nname = "shop"\n',
      "src/lib.rs":
        "mod store;\npub mod util;\nuse crate::store::{Store, open as open_store};\n\npub fn run() {\n    let store = Store::new();\n    store.save();\n    open_store();\n    util::help();\n    crate::util::help();\n}\n",
      "src/store.rs":
        "use super::util::help;\n\npub struct Store;\n\nimpl Store {\n    pub fn new() -> Self { Store }\n    pub fn save(&self) {\n        self.flush();\n        Self::check();\n        help();\n    }\n    fn flush(&self) {}\n    fn check() {}\n}\n\npub fn open() {}\n",
      "src/util.rs": "pub fn help() {}\n",
    },
    certain: [
      "src/lib.rs:10 run -> src/util.rs#help",
      "src/lib.rs:6 run -> src/store.rs#Store.new",
      "src/lib.rs:7 run -> src/store.rs#Store.save",
      "src/lib.rs:8 run -> src/store.rs#open",
      "src/lib.rs:9 run -> src/util.rs#help",
      "src/store.rs:10 Store.save -> src/util.rs#help",
      "src/store.rs:8 Store.save -> src/store.rs#Store.flush",
      "src/store.rs:9 Store.save -> src/store.rs#Store.check",
    ],
  },
  java: {
    files: {
      "src/com/shop/Store.java":
        'package com.shop;\n\npublic class Store extends Base {\n  private final Log log = new Log();\n\n  public Store(String name) {\n    super(name);\n  }\n\n  public void save() {\n    check();\n    this.flush();\n    log.write();\n  }\n\n  private void flush() {}\n\n  public static Store of() {\n    return new Store("x");\n  }\n}\n',
      "src/com/shop/Base.java":
        "package com.shop;\n\nabstract class Base {\n  Base(String name) {}\n\n  protected void check() {}\n}\n",
      "src/com/shop/Log.java": "package com.shop;\n\nclass Log {\n  void write() {}\n}\n",
      "src/com/app/Main.java":
        "package com.app;\n\nimport com.shop.Store;\nimport static com.shop.Store.of;\n\npublic class Main {\n  public static void main(String[] args) {\n    Store store = Store.of();\n    store.save();\n    of();\n    store.check();\n  }\n}\n",
    },
    certain: [
      "src/com/app/Main.java:10 Main.main -> src/com/shop/Store.java#Store.of",
      "src/com/app/Main.java:11 Main.main -> src/com/shop/Base.java#Base.check",
      "src/com/app/Main.java:8 Main.main -> src/com/shop/Store.java#Store.of",
      "src/com/app/Main.java:9 Main.main -> src/com/shop/Store.java#Store.save",
      "src/com/shop/Store.java:11 Store.save -> src/com/shop/Base.java#Base.check",
      "src/com/shop/Store.java:12 Store.save -> src/com/shop/Store.java#Store.flush",
      "src/com/shop/Store.java:13 Store.save -> src/com/shop/Log.java#Log.write",
      "src/com/shop/Store.java:19 Store.of -> src/com/shop/Store.java#Store",
      "src/com/shop/Store.java:19 Store.of -> src/com/shop/Store.java#Store.Store",
      "src/com/shop/Store.java:4 Store -> src/com/shop/Log.java#Log",
      "src/com/shop/Store.java:7 Store.Store -> src/com/shop/Base.java#Base.Base",
    ],
  },
  csharp: {
    files: {
      "Store.cs":
        "namespace Shop.Core;\n\npublic interface IStore {\n  void Save();\n}\n\npublic class Store : IStore {\n  public void Save() {\n    Check();\n    this.Flush();\n  }\n\n  private void Check() {}\n\n  private void Flush() {}\n\n  public static Store Make() => new Store();\n}\n",
      "App.cs":
        "using Shop.Core;\n\nnamespace App;\n\npublic class Program {\n  private readonly IStore _store;\n\n  public void Run() {\n    _store.Save();\n    Store.Make();\n    var store = new Store();\n    store.Save();\n  }\n}\n",
    },
    certain: [
      "App.cs:10 Program.Run -> Store.cs#Store.Make",
      "App.cs:11 Program.Run -> Store.cs#Store",
      "App.cs:12 Program.Run -> Store.cs#Store.Save",
      "App.cs:9 Program.Run -> Store.cs#IStore.Save",
      "Store.cs:10 Store.Save -> Store.cs#Store.Flush",
      "Store.cs:17 Store.Make -> Store.cs#Store",
      "Store.cs:9 Store.Save -> Store.cs#Store.Check",
    ],
    callers: { "Store.Save": ["App.cs:9 Program.Run inferred?", "App.cs:12 Program.Run resolved"] },
  },
  kotlin: {
    files: {
      "src/shop/Store.kt":
        'package shop\n\nopen class Base {\n  fun check() {}\n}\n\nclass Store(val name: String) : Base() {\n  fun save() {\n    check()\n    helper()\n  }\n\n  companion object {\n    fun make(): Store = Store("x")\n  }\n}\n\nfun helper() {}\n',
      "src/app/Main.kt":
        'package app\n\nimport shop.Store\nimport shop.helper as help\n\nfun main() {\n  val store = Store("a")\n  store.save()\n  help()\n}\n',
    },
    certain: [
      "src/app/Main.kt:7 main -> src/shop/Store.kt#Store",
      "src/app/Main.kt:8 main -> src/shop/Store.kt#Store.save",
      "src/app/Main.kt:9 main -> src/shop/Store.kt#helper",
      "src/shop/Store.kt:10 Store.save -> src/shop/Store.kt#helper",
      "src/shop/Store.kt:14 Store.make -> src/shop/Store.kt#Store",
      "src/shop/Store.kt:7 Store -> src/shop/Store.kt#Base",
      "src/shop/Store.kt:9 Store.save -> src/shop/Store.kt#Base.check",
    ],
  },
  cpp: {
    files: {
      "include/shop/store.h":
        "#pragma once\n\nnamespace shop {\n\nclass Base {\n public:\n  void check();\n};\n\nclass Store : public Base {\n public:\n  void save();\n  static Store make();\n\n private:\n  void flush();\n};\n\nint helper(int x);\n\n}  // namespace shop\n",
      "src/store.cpp":
        '#include "shop/store.h"\n\nnamespace shop {\n\nvoid Store::save() {\n  check();\n  flush();\n  helper(1);\n}\n\nvoid Store::flush() {}\n\nint helper(int x) { return x; }\n\n}  // namespace shop\n',
      "src/main.cpp":
        "#include <shop/store.h>\n\nint main() {\n  shop::Store store = shop::Store::make();\n  store.save();\n  shop::helper(2);\n  return 0;\n}\n",
    },
    certain: [
      "src/main.cpp:4 main -> include/shop/store.h#shop.Store.make",
      "src/main.cpp:5 main -> include/shop/store.h#shop.Store.save",
      "src/main.cpp:5 main -> src/store.cpp#shop.Store.save",
      "src/main.cpp:6 main -> include/shop/store.h#shop.helper",
      "src/main.cpp:6 main -> src/store.cpp#shop.helper",
      "src/store.cpp:6 shop.Store.save -> include/shop/store.h#shop.Base.check",
      "src/store.cpp:7 shop.Store.save -> include/shop/store.h#shop.Store.flush",
      "src/store.cpp:7 shop.Store.save -> src/store.cpp#shop.Store.flush",
      "src/store.cpp:8 shop.Store.save -> src/store.cpp#shop.helper",
    ],
  },
  ruby: {
    files: {
      "lib/shop/store.rb":
        "require_relative 'base'\n\nmodule Shop\n  class Store < Base\n    def initialize(name)\n      @name = name\n    end\n\n    def save\n      check\n      self.flush\n    end\n\n    def flush; end\n\n    def self.build\n      new('x')\n    end\n  end\nend\n",
      "lib/shop/base.rb": "module Shop\n  class Base\n    def check; end\n  end\nend\n",
      "app.rb":
        "require_relative 'lib/shop/store'\n\ndef run\n  Shop::Store.build\n  store = Shop::Store.new('a')\n  store.save\nend\n",
    },
    certain: [
      "app.rb:4 run -> lib/shop/store.rb#Shop.Store.build",
      "app.rb:5 run -> lib/shop/store.rb#Shop.Store",
      "app.rb:5 run -> lib/shop/store.rb#Shop.Store.initialize",
      "app.rb:6 run -> lib/shop/store.rb#Shop.Store.save",
      "lib/shop/store.rb:10 Shop.Store.save -> lib/shop/base.rb#Shop.Base.check",
      "lib/shop/store.rb:11 Shop.Store.save -> lib/shop/store.rb#Shop.Store.flush",
    ],
  },
  php: {
    files: {
      "src/Store.php":
        "<?php\nnamespace Shop;\n\nclass Store extends Base\n{\n    public function __construct(private Log $log)\n    {\n    }\n\n    public function save(): void\n    {\n        $this->check();\n        self::make();\n        parent::touch();\n        helper();\n    }\n\n    public static function make(): self\n    {\n        return new self(new Log());\n    }\n}\n\nfunction helper(): void\n{\n}\n",
      "src/Base.php":
        "<?php\nnamespace Shop;\n\nabstract class Base\n{\n    protected function check(): void\n    {\n    }\n\n    protected function touch(): void\n    {\n    }\n}\n",
      "src/Log.php": "<?php\nnamespace Shop;\n\nclass Log\n{\n    public function write(): void\n    {\n    }\n}\n",
      "app.php":
        "<?php\nuse Shop\\Store;\n\nfunction run(Store $store): void\n{\n    $store->save();\n    Store::make();\n}\n",
    },
    certain: [
      "app.php:6 run -> src/Store.php#Store.save",
      "app.php:7 run -> src/Store.php#Store.make",
      "src/Store.php:12 Store.save -> src/Base.php#Base.check",
      "src/Store.php:13 Store.save -> src/Store.php#Store.make",
      "src/Store.php:14 Store.save -> src/Base.php#Base.touch",
      "src/Store.php:15 Store.save -> src/Store.php#helper",
      "src/Store.php:20 Store.make -> src/Log.php#Log",
    ],
  },
  swift: {
    files: {
      "Sources/Shop/Store.swift":
        "protocol Saver {\n  func save()\n}\n\nclass Base {\n  func check() {}\n}\n\nclass Store: Base, Saver {\n  func save() {\n    check()\n    self.flush()\n    helper()\n  }\n\n  func flush() {}\n}\n",
      "Sources/Shop/Help.swift":
        "func helper() {}\n\nfunc run(saver: Saver) {\n  saver.save()\n  let store = Store()\n  store.save()\n}\n",
    },
    certain: [
      "Sources/Shop/Help.swift:4 run -> Sources/Shop/Store.swift#Saver.save",
      "Sources/Shop/Help.swift:5 run -> Sources/Shop/Store.swift#Store",
      "Sources/Shop/Help.swift:6 run -> Sources/Shop/Store.swift#Store.save",
      "Sources/Shop/Store.swift:11 Store.save -> Sources/Shop/Store.swift#Base.check",
      "Sources/Shop/Store.swift:12 Store.save -> Sources/Shop/Store.swift#Store.flush",
      "Sources/Shop/Store.swift:13 Store.save -> Sources/Shop/Help.swift#helper",
    ],
  },
  elixir: {
    files: {
      "lib/shop.ex":
        "defmodule Shop.Store do\n  alias Shop.Log\n  import Shop.Util\n\n  def save(item) do\n    check(item)\n    Log.write(item)\n    help(item)\n  end\n\n  defp check(item), do: item\nend\n",
      "lib/log.ex": "defmodule Shop.Log do\n  def write(item), do: item\nend\n",
      "lib/util.ex": "defmodule Shop.Util do\n  def help(item), do: item\nend\n",
      "lib/app.ex": "defmodule App do\n  def run(item), do: Shop.Store.save(item)\nend\n",
    },
    certain: [
      "lib/app.ex:2 App.run -> lib/shop.ex#Shop.Store.save",
      "lib/shop.ex:6 Shop.Store.save -> lib/shop.ex#Shop.Store.check",
      "lib/shop.ex:7 Shop.Store.save -> lib/log.ex#Shop.Log.write",
      "lib/shop.ex:8 Shop.Store.save -> lib/util.ex#Shop.Util.help",
    ],
  },
  c: {
    files: {
      "util.h": "int helper(int x);\n",
      "util.c":
        '#include "util.h"\n\nstatic int inner(int x) { return x; }\n\nint helper(int x) { return inner(x); }\n',
      "main.c":
        '#include "util.h"\n#include <stdio.h>\n\nint main(void) {\n  printf("%d", helper(1));\n  return 0;\n}\n',
      "other.c": "static int inner(int x) { return 2 * x; }\n\nint twice(int x) { return inner(x); }\n",
    },
    certain: [
      "main.c:5 main -> util.c#helper",
      "main.c:5 main -> util.h#helper",
      "other.c:3 twice -> other.c#inner",
      "util.c:5 helper -> util.c#inner",
    ],
  },
  bash: {
    files: {
      "lib/common.sh": 'log() {\n  echo "$1"\n}\n',
      "run.sh": "#!/bin/bash\nsource ./lib/common.sh\n\nmain() {\n  log hi\n  inner\n}\n\ninner() {\n  :\n}\n\nmain\n",
    },
    certain: ["run.sh:13 (top) -> run.sh#main", "run.sh:5 main -> lib/common.sh#log", "run.sh:6 main -> run.sh#inner"],
  },
};

const CALLS = new Set(["type", "value"]);

describe("certain edges are all right, and all there", () => {
  for (const [language, { files, certain, callers }] of Object.entries(cases))
    test(language, async () => {
      using project = new Project(files);
      await project.index();
      project.ask((graph) => {
        const edges = certainEdges(graph, (kind) => !CALLS.has(kind));
        expect([...new Set(edges)].sort()).toEqual([...certain].sort());
        for (const [name, wanted] of Object.entries(callers ?? {})) expect(callersOf(graph, name)).toEqual([...wanted]);
      });
    });
});
