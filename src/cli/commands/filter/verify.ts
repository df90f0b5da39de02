/** `tokenix filter verify`: the user's and the repository's filter files, or the ones named. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { defineCommand } from "citty";
import { withExpected } from "../../../output/filters/expected.ts";
import { filterFilesIn, MAX_FILTER_BYTES, verifyFile } from "../../../output/filters/verify.ts";
import { EXIT } from "../../../platform/errors.ts";
import { readBounded, writeFileAtomic } from "../../../platform/files.ts";
import { homePath } from "../../../platform/paths.ts";
import { filterRoot } from "./place.ts";

export default defineCommand({
  meta: { name: "verify", description: "Check filter files: keys, patterns, cases" },
  args: {
    "require-all": { type: "boolean", description: "Every filter needs two cases, one of them failing" },
    write: { type: "boolean", description: "First write what the filters make into 'expected' of their cases" },
    json: { type: "boolean", description: "Print JSON" },
  },
  run({ args }) {
    const named = args._ as string[];
    const files =
      named.length > 0
        ? named
        : [...filterFilesIn(homePath("filters")), ...filterFilesIn(join(filterRoot(), ".tokenix", "filters"))];
    if (args.write) for (const path of files) putExpected(path);
    const results = files.map((path) => verifyFile(path, args["require-all"] === true));
    const faults = results.reduce((sum, { problems }) => sum + problems.length, 0);
    if (args.json) console.log(JSON.stringify(results, undefined, 2));
    else {
      for (const { path, filters, cases, problems, remarks } of results) {
        console.log(
          `${problems.length === 0 ? "ok   " : "FAULT"} ${path}: ${filters.join(", ") || "no filter"}; ${cases} cases`,
        );
        for (const problem of problems) console.log(`  ${problem}`);
        for (const remark of remarks) console.log(`  note: ${remark}`);
      }
      if (results.length === 0)
        console.log(
          "no filter files of yours or of this repository; the bundled ones are checked when tokenix is built",
        );
    }
    return faults > 0 ? EXIT.findings : EXIT.ok;
  },
});

/** A file that can't be read or parsed stays as it is: the check that follows names its fault. */
function putExpected(path: string): void {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readBounded(path, MAX_FILTER_BYTES));
  } catch {
    return;
  }
  const written = withExpected(text);
  if (written !== text) writeFileAtomic(path, written, { mode: statSync(path).mode & 0o777 });
}
