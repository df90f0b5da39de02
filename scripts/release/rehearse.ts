/**
 * The steps of a release that need GitHub, done with stand-ins: the commit and the tag go from a clone to a bare
 * repository, and the assets are served on loopback to the real installer, whose program then updates itself from them.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assetName, FORMS } from "../../src/update/asset.ts";
import { CHECKSUMS } from "../../src/update/source.ts";
import { DIST, ROOT } from "../build.ts";

const TOKEN_WORDS = ["GITHUB_TOKEN", "GH_TOKEN", "TOKENIX_GITHUB_TOKEN"];

async function run(command: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<string> {
  const inherited = Object.entries(process.env).filter(([name]) => !TOKEN_WORDS.includes(name));
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...Object.fromEntries(inherited), ...env } as Record<string, string>,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`'${command.join(" ")}' ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}

/**
 * What the workflow's "Commit the version and tag it" does. `bumpAt` writes version and notes into the folder it is
 * given, as the `bump` step does here.
 */
export async function rehearseTag(version: string, bumpAt: (root: string) => Promise<void>): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "tokenix-rehearsal-"));
  const clone = join(scratch, "clone");
  const remote = join(scratch, "remote.git");
  try {
    await run(["git", "clone", "-q", "--bare", ROOT, remote], scratch);
    await run(["git", "clone", "-q", remote, clone], scratch);
    const branch = (await run(["git", "rev-parse", "--abbrev-ref", "HEAD"], clone)).trim();
    await bumpAt(clone);
    const identity = [
      "-c",
      "user.name=rehearsal",
      "-c",
      "user.email=rehearsal@localhost",
      "-c",
      "commit.gpgsign=false",
    ];
    await run(["git", "add", "package.json", "CHANGELOG.md"], clone);
    await run(["git", ...identity, "commit", "-q", "-m", `chore: release ${version}`], clone);
    await run(["git", ...identity, "tag", `v${version}`], clone);
    await run(["git", "push", "-q", "origin", `HEAD:${branch}`, `v${version}`], clone);
    const told = JSON.parse(await run(["git", "show", `v${version}:package.json`], remote)) as { version?: string };
    if (told.version !== version) throw new Error(`the tag v${version} holds the version ${told.version}`);
    // A release must not ask for the next one.
    const since = await run(["git", "log", "--format=%s", `v${version}..HEAD`], clone);
    if (since.trim() !== "") throw new Error(`something was committed after the tag: ${since}`);
    console.log(`commit and tag: v${version} reached a stand-in remote, with package.json and the notes in it`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** What `gh release create` is handed must be there; the names of the list are the names of the files. */
export function mustHaveEveryFile(assets: readonly string[], notes: string): void {
  const list = readFileSync(join(DIST, CHECKSUMS), "utf8");
  for (const asset of assets) {
    if (!existsSync(join(DIST, asset))) throw new Error(`dist/${asset} is missing`);
    if (!list.split("\n").some((line) => line.endsWith(`  ${asset}`))) throw new Error(`${CHECKSUMS} lacks ${asset}`);
  }
  for (const script of ["install.sh", "install.ps1"])
    if (!existsSync(join(ROOT, "scripts", script))) throw new Error(`scripts/${script} is missing`);
  if (notes.trim() === "") throw new Error("the notes are empty");
  console.log(`draft: ${assets.length} assets, ${CHECKSUMS}, two installers and the notes are there`);
}

/** Publishes dist/ on loopback and lives through an installation and an update from it, once for each form. */
export async function rehearseInstall(version: string): Promise<void> {
  if (process.platform === "win32") {
    console.log("install: not rehearsed on Windows");
    return;
  }
  const scratch = mkdtempSync(join(tmpdir(), "tokenix-rehearsal-"));
  const carried = FORMS.filter((form) => existsSync(join(DIST, assetName(form))));
  let offered: readonly string[] = [];
  const asked: string[] = [];
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const path = new URL(request.url).pathname;
      asked.push(path);
      if (path === "/latest.json" || path.startsWith("/tags/"))
        return Response.json({ tag_name: `v${version}`, assets: [] });
      const name = path.split("/").pop() ?? "";
      if (name === CHECKSUMS) {
        const lines = readFileSync(join(DIST, CHECKSUMS), "utf8").split("\n");
        return new Response(lines.filter((line) => offered.some((one) => line.endsWith(`  ${one}`))).join("\n"));
      }
      return offered.includes(name)
        ? new Response(Bun.file(join(DIST, name)))
        : new Response("no such asset", { status: 404 });
    },
  });
  try {
    for (const form of carried) {
      offered = [assetName(form)];
      const folder = join(scratch, form);
      mkdirSync(folder);
      const env = {
        TOKENIX_MIRROR: `http://127.0.0.1:${server.port}`,
        TOKENIX_INSTALL_DIR: folder,
        TOKENIX_HOME: join(scratch, "home"),
        TOKENIX_AIRGAP: "",
      };
      // The installer takes zstd only where its tool is.
      if (form === "gz" || Bun.which("zstd")) await run(["sh", join(ROOT, "scripts", "install.sh")], scratch, env);
      else {
        console.log("install: no zstd tool here; its form is left to the update");
        continue;
      }
      const program = join(folder, "tokenix");
      const answer = (await run([program, "--version"], scratch)).trim();
      if (answer !== `tokenix ${version}`) throw new Error(`the installed program answers as '${answer}'`);
      await run([program, "update", "--version", `v${version}`], scratch, env);
      const after = (await run([program, "--version"], scratch)).trim();
      if (after !== answer) throw new Error(`the updated program answers as '${after}'`);
      if (asked.filter((path) => path.endsWith(`/${offered[0]}`)).length < 2)
        throw new Error(`${offered[0]} was not fetched by both the installer and the update`);
      console.log(`install and update: ${offered[0]} was fetched, checked, put in place and started`);
      asked.length = 0;
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
