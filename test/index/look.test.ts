import { afterAll, expect, test } from "bun:test";
import { lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changedAmong } from "../../src/repo/index/look.ts";

const root = mkdtempSync(join(tmpdir(), "tokenix-look-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** What the store gives of these files. */
function known(paths: readonly string[]) {
  const stamps = paths.map((path): [number, number, number] => {
    const { size, mtimeMs, ctimeMs } = lstatSync(join(root, path));
    return [size, mtimeMs, ctimeMs];
  });
  return { paths: new TextEncoder().encode(paths.map((path) => `${path}\0`).join("")), stamps };
}

// Few files are looked at by lstat, many by the system's own call where there is one.
for (const count of [20, 700]) {
  test(`of ${count} files those are named that changed, went, or are no files any more`, async () => {
    const folder = `many${count}`;
    mkdirSync(join(root, folder, "sub ordner ü"), { recursive: true });
    const paths = Array.from({ length: count }, (_, n) => `${folder}/${n % 3 ? "sub ordner ü/" : ""}datei-${n}-é.ts`);
    for (const [n, path] of paths.entries()) {
      writeFileSync(join(root, path), "x".repeat(n % 50));
      // Times of all lengths, to the nanosecond: the two ways of reading them must agree to the last bit.
      utimesSync(join(root, path), 1_700_000_000, (1_000_000_000 + n * 7_654_321.123456) / 1);
    }
    const before = known(paths);
    expect(await changedAmong(root, before)).toEqual([]);

    const path = (n: number): string => paths[n] as string;
    writeFileSync(join(root, path(2)), "grown by this");
    rmSync(join(root, path(5)));
    rmSync(join(root, path(7)));
    mkdirSync(join(root, path(7)));
    rmSync(join(root, path(9)));
    symlinkSync(join(root, path(8)), join(root, path(9)));
    utimesSync(join(root, path(count - 1)), 1_700_000_000, 1_600_000_000.5);
    expect(await changedAmong(root, before)).toEqual([2, 5, 7, 9, count - 1].map(path));

    const unsettled = known(paths.slice(0, 2).concat(paths.slice(10, count - 1)));
    unsettled.stamps[0] = [unsettled.stamps[0]?.[0] ?? 0, -1, unsettled.stamps[0]?.[2] ?? 0];
    expect(await changedAmong(root, unsettled)).toEqual([path(0)]);
  });
}

test("no files are no work", async () => {
  expect(await changedAmong(root, { paths: new Uint8Array(), stamps: [] })).toEqual([]);
});
