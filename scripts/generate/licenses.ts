/**
 * Gathers the licence of every package whose code or data is inside the binary, and of Bun itself, into one compressed
 * text for `tokenix licenses`. Development tools that leave nothing in the binary are not in it.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const ROOT = join(import.meta.dir, "..", "..");
const MODULES = join(ROOT, "node_modules");
const TOOLS_ONLY = /^(?:@biomejs\/|typescript$|@types\/|bun-types$|@typescript\/)/;
const ALLOWED =
  /^(?:MIT|ISC|0BSD|Apache-2\.0|BSD-[23]-Clause|Unlicense|CC0-1\.0|Python-2\.0|BlueOak-1\.0\.0|MIT OR .*|.* OR MIT|.*\(MIT.*|Apache-2\.0 AND .*|.*Apache-2\.0.*)$/;
const FILE = /^(?:licen[sc]e|copying|notice)(?:[.-].*)?$/i;

interface License {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly text: string;
}

/** @throws when a package that would ship has a licence that nobody has looked at. */
export async function generate(outDir: string): Promise<void> {
  const list = [bun(), ...shipped()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const unknown = list.filter(({ license }) => !ALLOWED.test(license));
  if (unknown.length > 0)
    throw new Error(
      `licences to look at before they ship: ${unknown.map(({ name, license }) => `${name} (${license})`).join(", ")}`,
    );
  const packed = gzipSync(JSON.stringify(list), { level: 9 }).toString("base64");
  await Bun.write(join(outDir, "licenses.ts"), `export const licenses: string = ${JSON.stringify(packed)};\n`);
}

function shipped(): License[] {
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    dependencies?: Record<string, string>;
    devDependencies?: Record<string, string>;
  };
  const seen = new Map<string, License>();
  // Grammar packages are development dependencies, since only their .wasm is embedded; their own dependencies are not.
  const grammars = Object.keys(manifest.devDependencies ?? {}).filter((name) => !TOOLS_ONLY.test(name));
  for (const name of grammars) collect(name, seen, false);
  for (const name of Object.keys(manifest.dependencies ?? {})) collect(name, seen, true);
  return [...seen.values()];
}

function collect(name: string, seen: Map<string, License>, deep: boolean): void {
  const folder = join(MODULES, name);
  const path = join(folder, "package.json");
  if (TOOLS_ONLY.test(name) || !existsSync(path)) return;
  const before = seen.has(name);
  const manifest = JSON.parse(readFileSync(path, "utf8")) as {
    version: string;
    license?: string | { type: string };
    dependencies?: Record<string, string>;
  };
  const license = typeof manifest.license === "object" ? manifest.license.type : manifest.license;
  seen.set(name, { name, version: manifest.version, license: license ?? "unknown", text: textOf(folder) });
  if (deep && !before)
    for (const dependency of Object.keys(manifest.dependencies ?? {})) collect(dependency, seen, true);
}

function textOf(folder: string): string {
  const files = readdirSync(folder)
    .filter((name) => FILE.test(name))
    .sort();
  return (
    files.map((name) => readFileSync(join(folder, name), "utf8").trim()).join("\n\n") ||
    "(the package carries no licence file; its terms are those named above)"
  );
}

function bun(): License {
  return {
    name: "bun",
    version: Bun.version,
    license: "MIT",
    text: "Bun itself is MIT-licensed. It statically links JavaScriptCore (LGPL-2), whose sources and build are at the project's WebKit fork; relinking is documented in Bun's own licence page (bun.sh/docs/project/licensing).",
  };
}
