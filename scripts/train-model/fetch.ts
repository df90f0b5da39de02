/**
 * Brings the training sources onto this machine with the registries' own clients, at the versions of `sources.json`.
 * `--resolve` first turns `names.txt` into `sources.json` (newest version, licence as the package states it).
 * Usage: bun scripts/train-model/fetch.ts FOLDER [--resolve]
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { folderOf } from "./folders.ts";
import { type Ecosystem, LOCK, readSources, type Source } from "./sources.ts";

const here = import.meta.dir;
const CLONES = process.argv.find((argument) => argument.startsWith("--clones="))?.slice(9) ?? "clones";

async function run(argv: readonly string[], cwd?: string): Promise<string> {
  const child = Bun.spawn([...argv], { cwd, stdout: "pipe", stderr: "pipe", stdin: "ignore" });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`${argv.slice(0, 4).join(" ")}: ${stderr.trim().split("\n").slice(-2).join(" ")}`);
  return stdout;
}

async function untar(archive: string, into: string): Promise<void> {
  mkdirSync(into, { recursive: true });
  if (/\.(whl|zip|jar)$/.test(archive)) await run(["unzip", "-qo", archive, "-d", into]);
  else await run(["tar", "-xf", archive, "-C", into, "--no-same-owner"]);
}

/** Newest version when `version` is empty; returns the version found and the folder's licence statement. */
const bring: Record<
  Ecosystem,
  (name: string, version: string, into: string) => Promise<{ version: string; licence: string }>
> = {
  async npm(name, version, into) {
    const out = await run([
      "npm",
      "pack",
      "--silent",
      "--ignore-scripts",
      version ? `${name}@${version}` : name,
      "--pack-destination",
      into,
    ]);
    const file = out.trim().split("\n").at(-1) ?? "";
    await untar(join(into, file), into);
    rmSync(join(into, file));
    const manifest = readdirSync(into)
      .map((entry) => join(into, entry, "package.json"))
      .find(existsSync);
    const parsed = JSON.parse(readFileSync(manifest ?? "", "utf8")) as { version: string; license?: unknown };
    return {
      version: parsed.version,
      licence: typeof parsed.license === "string" ? parsed.license : JSON.stringify(parsed.license ?? ""),
    };
  },
  async pypi(name, version, into) {
    const wanted = version ? `${name}==${version}` : name;
    await run(["pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "-d", into, wanted]);
    const file = readdirSync(into)[0] ?? "";
    await untar(join(into, file), into);
    rmSync(join(into, file));
    const info = readdirSync(into).find((entry) => entry.endsWith(".dist-info")) ?? "";
    const metadata = readFileSync(join(into, info, "METADATA"), "utf8");
    const field = (key: string) => metadata.match(new RegExp(`^${key}: (.+)$`, "m"))?.[1]?.slice(0, 60) ?? "";
    const classifier = [...metadata.matchAll(/^Classifier: License :: (?:OSI Approved :: )?(.+)$/gm)]
      .map((hit) => hit[1])
      .join(", ");
    return { version: field("Version"), licence: field("License-Expression") || classifier || field("License") };
  },
  async crates(name, version, into) {
    mkdirSync(join(into, "src"), { recursive: true });
    writeFileSync(join(into, "src", "lib.rs"), "");
    writeFileSync(
      join(into, "Cargo.toml"),
      `[package]\nname = "sources"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n"${name}" = { version = "${version ? `=${version}` : "*"}", default-features = false }\n`,
    );
    const tree = await run(["cargo", "metadata", "--format-version", "1", "-q"], into);
    const packages = (
      JSON.parse(tree) as { packages: { name: string; version: string; license: string; manifest_path: string }[] }
    ).packages;
    const found = packages.find((candidate) => candidate.name === name);
    if (!found) throw new Error(`crate ${name} not in its own tree`);
    for (const entry of readdirSync(into)) rmSync(join(into, entry), { recursive: true, force: true });
    await run(["cp", "-r", resolve(found.manifest_path, ".."), join(into, name)]);
    return { version: found.version, licence: found.license };
  },
  async go(name, version, into) {
    const out = JSON.parse(await run(["go", "mod", "download", "-json", `${name}@${version || "latest"}`], "/")) as {
      Version: string;
      Dir: string;
    };
    await run(["cp", "-r", "--no-preserve=mode", out.Dir, join(into, "module")]);
    const file = readdirSync(join(into, "module")).find((entry) => /^(licen[sc]e|copying)/i.test(entry));
    return {
      version: out.Version,
      licence: file ? licenceOfText(readFileSync(join(into, "module", file), "utf8")) : "",
    };
  },
  async maven(name, version, into) {
    const [group = "", artifact = ""] = name.split(":");
    const wanted = version || (await newestMaven(group, artifact));
    await run(
      [
        "mvn",
        "-q",
        "-B",
        "dependency:get",
        `-Dartifact=${group}:${artifact}:${wanted}:jar:sources`,
        "-Dtransitive=false",
      ],
      "/tmp",
    );
    const repository = join(process.env["HOME"] ?? "", ".m2", "repository", ...group.split("."), artifact, wanted);
    await untar(join(repository, `${artifact}-${wanted}-sources.jar`), into);
    return { version: wanted, licence: licenceOfPom(group, artifact, wanted) };
  },
  /** From a bare clone in `--clones DIR`, laid out as `owner+name/repo`; nothing is cloned here. */
  async git(name, version, into) {
    const clone = join(CLONES, name.replace("/", "+"), "repo");
    const commit = (await run(["git", "-C", clone, "rev-parse", version || "HEAD"])).trim();
    mkdirSync(join(into, "tree"));
    await run(["sh", "-c", `git -C "$1" archive ${commit} | tar -x -C "$2"`, "sh", clone, join(into, "tree")]);
    const file = readdirSync(join(into, "tree")).find((entry) => /^(licen[sc]e|copying)/i.test(entry));
    const text = file ? join(into, "tree", file) : "";
    return {
      version: commit,
      licence: file && statSync(text).isFile() ? licenceOfText(readFileSync(text, "utf8")) : "",
    };
  },
};

/** The licence names of a POM, or of the nearest parent that states them. */
function licenceOfPom(group: string, artifact: string, version: string, depth = 0): string {
  const file = join(
    process.env["HOME"] ?? "",
    ".m2",
    "repository",
    ...group.split("."),
    artifact,
    version,
    `${artifact}-${version}.pom`,
  );
  if (depth > 4 || !existsSync(file)) return "";
  const pom = readFileSync(file, "utf8");
  const licences = pom.match(/<licenses>[\s\S]*?<\/licenses>/)?.[0] ?? "";
  const names = [...licences.matchAll(/<name>\s*([^<]+?)\s*<\/name>/g)].map((hit) => hit[1]);
  if (names.length > 0) return names.join("; ");
  const parent = pom.match(/<parent>[\s\S]*?<\/parent>/)?.[0] ?? "";
  const field = (key: string): string => parent.match(new RegExp(`<${key}>\\s*([^<]+?)\\s*</${key}>`))?.[1] ?? "";
  return parent ? licenceOfPom(field("groupId"), field("artifactId"), field("version"), depth + 1) : "";
}

/** The client's own range resolution, so that no registry address stands here. */
async function newestMaven(group: string, artifact: string): Promise<string> {
  const scratch = mkdtempSync(join(tmpdir(), "train-pom-"));
  writeFileSync(
    join(scratch, "pom.xml"),
    `<project><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId><version>1</version>
<dependencies><dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>[0,)</version>
<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions></dependency></dependencies></project>`,
  );
  const out = await run(["mvn", "-B", "dependency:list", "-DexcludeTransitive"], scratch);
  rmSync(scratch, { recursive: true, force: true });
  const found = out.match(new RegExp(`${artifact}:jar:([^:]+):compile`))?.[1];
  if (!found) throw new Error(`no version of ${group}:${artifact}`);
  return found;
}

function licenceOfText(text: string): string {
  const head = text.slice(0, 3000);
  if (/Apache License/i.test(head)) return "Apache-2.0";
  if (/Permission is hereby granted, free of charge/i.test(head)) return "MIT";
  if (/Redistribution and use in source and binary forms/i.test(head)) return "BSD";
  if (/Permission to use, copy, modify/i.test(head)) return "ISC";
  return (
    head
      .split("\n")
      .find((line) => line.trim())
      ?.trim()
      .slice(0, 60) ?? ""
  );
}

function wanted(resolveNames: boolean): { ecosystem: Ecosystem; name: string; version: string; licence: string }[] {
  const list: Source[] = readSources();
  if (!resolveNames) return list;
  for (const line of readFileSync(join(here, "names.txt"), "utf8").split("\n")) {
    if (!line.trim() || line.startsWith("#")) continue;
    const [ecosystem, ...names] = line.trim().split(/\s+/);
    for (const spec of names) {
      const at = spec.lastIndexOf("@");
      const name = at > 0 ? spec.slice(0, at) : spec;
      if (list.some((source) => source.ecosystem === ecosystem && source.name === name)) continue;
      list.push({ ecosystem: ecosystem as Ecosystem, name, version: at > 0 ? spec.slice(at + 1) : "", licence: "" });
    }
  }
  return list;
}

async function main(): Promise<void> {
  const root = resolve(process.argv[2] ?? "sources");
  const resolveNames = process.argv.includes("--resolve");
  const only = process.argv.find((argument) => argument.startsWith("--only="))?.slice(7);
  const done: Source[] = [];
  const queue = wanted(resolveNames).filter((source) => !only || only.split(",").includes(source.ecosystem));
  await Promise.all(
    Array.from({ length: 3 }, async () => {
      for (let source = queue.shift(); source; source = queue.shift()) {
        if (source.version && existsSync(folderOf(root, source))) {
          done.push(source);
          continue;
        }
        const scratch = join(root, `.partial-${source.ecosystem}-${source.name.replace(/[/:]/g, "+")}`);
        rmSync(scratch, { recursive: true, force: true });
        mkdirSync(scratch, { recursive: true });
        try {
          const found = await bring[source.ecosystem](source.name, source.version, scratch);
          const complete = { ...source, version: found.version, licence: source.licence || found.licence };
          const target = folderOf(root, complete);
          rmSync(target, { recursive: true, force: true });
          mkdirSync(resolve(target, ".."), { recursive: true });
          renameSync(scratch, target);
          done.push(complete);
          process.stderr.write(`${complete.ecosystem} ${complete.name} ${complete.version} (${complete.licence})\n`);
        } catch (error) {
          rmSync(scratch, { recursive: true, force: true });
          process.stderr.write(
            `left out: ${source.ecosystem} ${source.name}: ${error instanceof Error ? error.message : error}\n`,
          );
        }
      }
    }),
  );
  if (resolveNames) {
    done.sort((a, b) => a.ecosystem.localeCompare(b.ecosystem) || a.name.localeCompare(b.name));
    const out = only ? join(root, `resolved-${only}.json`) : LOCK;
    writeFileSync(out, `[\n${done.map((source) => `  ${JSON.stringify(source)}`).join(",\n")}\n]\n`);
  }
}

await main();
