/**
 * tree-sitter's runtime and its grammars, once a process (or worker): started lazily, unpacked from embedded zstd.
 * Trees are read straight from the runtime's memory (see flatten.ts), so the emscripten module is kept.
 */
import { readFileSync } from "node:fs";
import { Language, Parser } from "web-tree-sitter";
import { grammarFiles } from "../../../generated/grammars.ts";
import { queryTexts } from "../../../generated/queries.ts";
import { languages } from "../registry.ts";
import type { LanguageId } from "../types.ts";
import { type LanguageTables, readTables } from "./flatten.ts";
import { type Matcher, prepareMatcher } from "./match.ts";
import { readPatterns } from "./pattern.ts";
import { type Roles, readRoles } from "./roles.ts";

/** The parts of web-tree-sitter's emscripten module that flatten.ts reads; they change when its memory grows. */
export type RuntimeModule = {
  HEAP32: Int32Array;
  HEAPU16: Uint16Array;
  HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
};

export type Runtime = { module: RuntimeModule; parser: Parser; stack: Stack };

/** The stack that wasm code keeps in its own memory: it grows down from `top`, and no trap brings the pointer back up. */
type Stack = { pointer: WebAssembly.Global; top: number };

/**
 * The runtime's own stack has 64 KB and lies right above its static data: 4,000 unclosed braces run through both before
 * they meet the end of memory, and every parse after that fails too. On a stack of this size the machine's own ends
 * first, which is an exception that spoils nothing. Pages that no parse reaches cost no memory.
 */
const STACK_BYTES = 8 << 20;

export type CompiledQuery = { matcher: Matcher; roles: Roles };

export type LoadedGrammar = {
  language: Language;
  tables: LanguageTables;
  /** Symbols only, and symbols with edges; read when first asked for. */
  symbols?: CompiledQuery;
  edges?: CompiledQuery;
};

let starting: Promise<Runtime> | undefined;
let running: Runtime | undefined;
const loaded = new Map<string, LoadedGrammar>();
const loading = new Map<string, Promise<LoadedGrammar>>();

/** Line of a query file that separates what finds symbols from what finds edges. */
const edgesMark = /^;+ *edges\b.*$/m;

export function runtime(): Runtime | undefined {
  return running;
}

export function startRuntime(): Promise<Runtime> {
  starting ??= start();
  return starting;
}

async function start(): Promise<Runtime> {
  let pointer: WebAssembly.Global | undefined;
  // emscripten fills the options object it is given and uses it as its module.
  const options: Record<string, unknown> = {
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: unknown, module: unknown) => void): void {
      pointer = imports["env"]?.["__stack_pointer"] as WebAssembly.Global | undefined;
      const code = codeOf("runtime");
      done(new WebAssembly.Instance(code, imports), code);
    },
  };
  await Parser.init(options);
  const module = options as unknown as RuntimeModule;
  if (module.HEAP32 === undefined || module.HEAPU16 === undefined || module.HEAPU8 === undefined || !pointer) {
    throw new Error("web-tree-sitter changed its inside: engine/runtime.ts and engine/flatten.ts have to follow");
  }
  const top = (module._malloc(STACK_BYTES) + STACK_BYTES) & ~15;
  pointer.value = top;
  running = { module, parser: new Parser(), stack: { pointer, top } };
  return running;
}

/** After the runtime threw from inside wasm the parser object can't be trusted; grammars and queries can. */
export function renewParser(): void {
  if (!running) return;
  running.stack.pointer.value = running.stack.top;
  try {
    running.parser = new Parser();
  } catch {
    // Nothing can be parsed any more; files become plain blocks, and say so.
    running = undefined;
  }
}

/** Compiled code, of this thread or adopted from another: the engine keeps what it has made fast with it. */
export type CompiledCode = Readonly<Record<string, WebAssembly.Module>>;

const code = new Map<string, WebAssembly.Module>();
/** What is being compiled by the engine's own threads. */
const ahead = new Map<string, Promise<void>>();

function codeOf(name: string): WebAssembly.Module {
  let known = code.get(name);
  if (known === undefined) {
    known = new WebAssembly.Module(unpack(name));
    code.set(name, known);
  }
  return known;
}

function unpack(name: string): Uint8Array<ArrayBuffer> {
  const path = grammarFiles[name];
  if (path === undefined) throw new Error(`no grammar is embedded under the name ${name}`);
  return Bun.zstdDecompressSync(readFileSync(path)) as Uint8Array<ArrayBuffer>;
}

/** Begins to compile what a language needs, beside this thread: for a caller that has something else to do until then. */
export function compileAhead(id: LanguageId): void {
  if (languages.get(id)?.grammar === undefined) return;
  for (const name of namesOf([id])) {
    if (code.has(name) || ahead.has(name)) continue;
    const compiled = WebAssembly.compile(unpack(name)).then(
      (one) => void code.set(name, one),
      // Whoever needs it compiles it again and meets the failure.
      () => undefined,
    );
    ahead.set(name, compiled);
  }
}

/** The code that these languages need, for another thread to adopt. */
export function codeFor(ids: Iterable<LanguageId>): CompiledCode {
  return Object.fromEntries(Array.from(namesOf(ids), (name) => [name, codeOf(name)]));
}

function namesOf(ids: Iterable<LanguageId>): ReadonlySet<string> {
  const names = new Set(["runtime"]);
  for (const id of ids) {
    for (const one of [id, ...(languages.get(id)?.embeds ?? [])]) {
      const name = languages.get(one)?.grammar?.name;
      if (name !== undefined) names.add(name);
    }
  }
  return names;
}

/** To be called before anything is loaded in this thread; what is missing is compiled when it is needed. */
export function adoptCode(given: CompiledCode): void {
  for (const [name, one] of Object.entries(given)) code.set(name, one);
}

export function loadedGrammar(id: LanguageId): LoadedGrammar | undefined {
  const name = languages.get(id)?.grammar?.name;
  return name === undefined ? undefined : loaded.get(name);
}

export async function loadGrammarOf(id: LanguageId): Promise<LoadedGrammar | undefined> {
  const grammar = languages.get(id)?.grammar;
  if (grammar === undefined) return undefined;
  const pending = loading.get(grammar.name);
  if (pending) return pending;
  const promise = loadCompiled(grammar.name);
  loading.set(grammar.name, promise);
  return promise;
}

async function loadCompiled(name: string): Promise<LoadedGrammar> {
  await Promise.all([ahead.get("runtime"), ahead.get(name)]);
  const { module } = await startRuntime();
  const language = Language.loadSync(codeOf(name));
  const entry: LoadedGrammar = { language, tables: readTables(module, language) };
  loaded.set(name, entry);
  return entry;
}

/** The patterns of a language; throws when the query file does not fit the grammar (a test compiles all). */
export function queryFor(id: LanguageId, grammar: LoadedGrammar, edges: boolean): CompiledQuery {
  const existing = edges ? grammar.edges : grammar.symbols;
  if (existing) return existing;
  const definition = languages.get(id);
  const text = queryTexts[definition?.queries ?? id];
  if (text === undefined) throw new Error(`no queries for ${id}`);
  const set = readPatterns(edges ? text : (text.split(edgesMark)[0] ?? text), grammar.tables);
  const compiled = { matcher: prepareMatcher(set), roles: readRoles(set.captureNames) };
  if (edges) grammar.edges = compiled;
  else grammar.symbols = compiled;
  return compiled;
}
