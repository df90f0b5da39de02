/** `tokenix filter show NAME`: one filter's definition as it is in force. */
import { defineCommand } from "citty";
import { bundledFilter } from "../../../output/filters/bundled.ts";
import { openFilters } from "../../../output/filters/find.ts";
import { storeDefinition } from "../../../output/filters/stored.ts";
import { EXIT, UserError } from "../../../platform/errors.ts";
import { nearest } from "../../../platform/nearest.ts";
import { filterRoot } from "./place.ts";

export default defineCommand({
  meta: { name: "show", description: "One filter's definition" },
  args: {
    name: { type: "positional", required: true, description: "The filter's name" },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args }) {
    const set = await openFilters(filterRoot());
    const tier = set.tiers.find(({ table }) => table.heads.some(([name]) => name === args.name));
    if (!tier) {
      const names = set.tiers.flatMap(({ table }) => table.heads.map(([name]) => name));
      const near = nearest(args.name, names);
      throw new UserError(
        `there is no filter '${args.name}'`,
        near ? `did you mean '${near}'?` : "'tokenix filter list' names them all",
        EXIT.usage,
      );
    }
    const definition = tier.tier === "bundled" ? await bundledFilter(args.name) : tier.load?.(args.name);
    if (!definition) throw new UserError(`the filter '${args.name}' can't be read`, "try: tokenix filter verify");
    const stored = JSON.parse(storeDefinition(definition)) as Record<string, unknown>;
    if (args.json) {
      console.log(JSON.stringify({ tier: tier.tier, file: tier.files()[args.name], ...stored }, undefined, 2));
      return EXIT.ok;
    }
    const { stringify } = await import("smol-toml");
    const { name, ...rest } = stored;
    console.log(`# ${tier.tier}${tier.files()[args.name] ? `: ${tier.files()[args.name]}` : ""}`);
    console.log(stringify({ filters: { [String(name)]: rest } }).trimEnd());
    return EXIT.ok;
  },
});
