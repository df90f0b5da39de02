/** `tokenix filter active`: what is in force here, and what would take a command. */
import { defineCommand } from "citty";
import { openFilters } from "../../../output/filters/find.ts";
import { trustState } from "../../../output/filters/trust.ts";
import { candidates } from "../../../output/shell/index.ts";
import { EXIT } from "../../../platform/errors.ts";
import { homePath } from "../../../platform/paths.ts";
import { filterRoot } from "./place.ts";

export default defineCommand({
  meta: { name: "active", description: "Which filters are in force here, and which one takes a command" },
  args: {
    command: { type: "positional", required: false, valueHint: "COMMAND...", description: "A command line" },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args }) {
    const root = filterRoot();
    const set = await openFilters(root);
    const words = args._.length > 0 ? args._ : args.command ? [args.command] : [];
    if (words.length > 0) {
      // One word is a line as it is; of several, each is a word of the line.
      const names = candidates(words.length === 1 ? (words[0] ?? "") : words.map(quoted).join(" "));
      const found = set.find(names);
      if (args.json) console.log(JSON.stringify({ candidates: names, filter: found?.name, tier: found?.tier }));
      else if (found) console.log(`${found.name} (${found.tier})`);
      else
        console.log(
          names.length > 0 ? "no filter: generic compression only" : "several commands: generic compression only",
        );
      return EXIT.ok;
    }
    const { fresh, changed } = trustState(root);
    const waiting = [...fresh, ...changed]
      .map(({ path }) => path)
      .filter((path) => path.startsWith(".tokenix/filters/"));
    const tiers = set.tiers.map(({ tier, table }) => ({ tier, filters: table.heads.map(([name]) => name) }));
    if (args.json) {
      console.log(JSON.stringify({ root, tiers, untrusted: waiting, problems: set.problems }, undefined, 2));
      return EXIT.ok;
    }
    for (const { tier, filters } of tiers)
      console.log(`${tier.padEnd(10)}  ${tier === "bundled" ? `${filters.length} filters` : filters.join(", ")}`);
    if (!tiers.some(({ tier }) => tier === "user")) console.log(`user        none in ${homePath("filters")}`);
    for (const path of waiting) console.log(`untrusted   ${path} ('tokenix trust' shows what it would do)`);
    for (const problem of set.problems) console.error(problem);
    return EXIT.ok;
  },
});

function quoted(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
