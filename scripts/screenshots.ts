/**
 * `bun scripts/screenshots.ts`: the pictures of the documentation, made from real output of the built binary on this
 * repository: terminal text put into a page, and the graph's own page, both taken by a headless Chromium. Says so and
 * stops where there is none. Not part of the check: pictures differ by fonts.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DIST, ROOT } from "./build.ts";

const IMAGES = join(ROOT, "docs", "images");
const BINARY = join(DIST, process.platform === "win32" ? "tokenix.exe" : "tokenix");

const SHOTS: readonly { name: string; lines: readonly string[][] }[] = [
  {
    name: "query",
    lines: [["query", "how is a command line rewritten without changing its meaning", "--budget", "700"]],
  },
  { name: "impact-text", lines: [["impact", "acquireWriter", "--depth", "2"]] },
];

const chromium = Bun.which("chromium") ?? Bun.which("chromium-browser") ?? Bun.which("google-chrome");
if (!chromium) {
  console.error("no Chromium here: the pictures stay as they are");
  process.exit(0);
}
const scratch = mkdtempSync(join(tmpdir(), "tokenix-shots-"));
const env = { ...process.env, TOKENIX_HOME: join(scratch, "home"), TOKENIX_AIRGAP: "1" };

function run(args: readonly string[]): string {
  const result = Bun.spawnSync([BINARY, ...args], { cwd: ROOT, env });
  if (!result.success) throw new Error(`tokenix ${args.join(" ")}: ${result.stderr.toString()}`);
  return result.stdout.toString();
}

function take(page: string, image: string, width: number, height: number): void {
  const flags = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
  ];
  const result = Bun.spawnSync(
    [
      chromium ?? "",
      ...flags,
      `--user-data-dir=${join(scratch, "profile")}`,
      `--window-size=${width},${height}`,
      `--screenshot=${image}`,
      `file://${page}`,
    ],
    { timeout: 90_000 },
  );
  if (!result.success) throw new Error(`the picture ${image} could not be taken`);
  console.error(`wrote ${image}`);
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

try {
  mkdirSync(IMAGES, { recursive: true });
  run(["index"]);
  for (const { name, lines } of SHOTS) {
    const text = lines
      .map(
        (args) =>
          `<b>$ tokenix ${escaped(args.map((word) => (word.includes(" ") ? `"${word}"` : word)).join(" "))}</b>\n${escaped(run(args))}`,
      )
      .join("\n");
    const count = text.split("\n").length;
    const page = join(scratch, `${name}.html`);
    const style =
      "body{margin:0;background:#15191c;color:#e7ebee}pre{margin:0;padding:18px 22px;font:14px/1.5 ui-monospace,'DejaVu Sans Mono',monospace;white-space:pre-wrap;overflow-wrap:anywhere}b{color:#f08457}";
    await Bun.write(page, `<!doctype html><meta charset="utf-8"><style>${style}</style><pre>${text}</pre>`);
    take(page, join(IMAGES, `${name}.png`), 1100, Math.min(1400, 60 + count * 22));
  }
  const impact = join(scratch, "impact.html");
  run(["impact", "acquireWriter", "--depth", "3", "--format", "html", "--output", impact]);
  take(impact, join(IMAGES, "impact.png"), 1300, 820);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
