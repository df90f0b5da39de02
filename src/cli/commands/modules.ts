/** `tokenix modules`: groups of symbols that belong together by their edges. */
import { defineCommand } from "citty";
import { EXIT } from "../../platform/errors.ts";
import { communities } from "../../repo/graph/communities.ts";
import { wholeGraph } from "../../repo/graph/whole.ts";
import { nodeJson, wholeNumber, withGraph } from "../graph-session.ts";

export default defineCommand({
  meta: {
    name: "modules",
    description: "Communities of symbols by who uses whom (Louvain, the same answer every time)",
  },
  args: {
    limit: { type: "string", default: "20", description: "at most this many" },
    members: { type: "string", default: "8", description: "members shown of each" },
    seed: { type: "string", default: "1", description: "another order of visits" },
    json: { type: "boolean", description: "print JSON" },
  },
  run: ({ args }) =>
    withGraph((graph) => {
      const limit = wholeNumber(args.limit, "limit", 1, 10_000);
      const shownMembers = wholeNumber(args.members, "members", 1, 10_000);
      const { communities: every, modularity } = communities(
        wholeGraph(graph),
        wholeNumber(args.seed, "seed", 0, 1_000_000),
      );
      const shown = every.slice(0, limit);
      if (args.json) {
        const told = shown.map(({ name, members, inside, outside }) => ({
          name,
          size: members.length,
          inside,
          outside,
          members: members.slice(0, shownMembers).map(nodeJson),
        }));
        console.log(JSON.stringify({ modularity, modules: told, left_out: every.length - shown.length }));
        return EXIT.ok;
      }
      console.log(`${every.length} modules, modularity ${modularity.toFixed(2)}`);
      for (const { name, members, inside, outside } of shown) {
        console.log(`\n${name}  ${members.length} symbols, ${inside} edges inside, ${outside} going out`);
        for (const node of members.slice(0, shownMembers))
          console.log(`  ${node.path}:${node.startLine}  ${node.qualifiedName}`);
        if (members.length > shownMembers) console.log(`  ... ${members.length - shownMembers} more (--members)`);
      }
      if (shown.length < every.length) console.log(`\n... ${every.length - shown.length} more modules (--limit)`);
      return EXIT.ok;
    }),
});
