/**
 * Makes `src/generated/` anew: every `scripts/generate/*.ts` exports `generate(outDir)`.
 * Run before types, tests and builds; what it makes is git-ignored and depends only on the tree and node_modules.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");

export async function generateAll(): Promise<void> {
  const outDir = join(root, "src", "generated");
  mkdirSync(outDir, { recursive: true });
  const names = [...new Bun.Glob("*.ts").scanSync(join(root, "scripts", "generate"))].sort();
  for (const name of names) {
    const module = (await import(join(root, "scripts", "generate", name))) as { generate(out: string): Promise<void> };
    await module.generate(outDir);
  }
}

if (import.meta.main) await generateAll();
