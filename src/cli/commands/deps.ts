/** `tokenix deps`: what a file imports, and who imports it. */
import { defineCommand } from "citty";
import { EXIT, UserError } from "../../platform/errors.ts";
import { nearest } from "../../platform/nearest.ts";
import { dependenciesOf, importersOf } from "../../repo/graph/deps.ts";
import { withGraph } from "../graph-session.ts";

export default defineCommand({
  meta: { name: "deps", description: "What a file imports (files, or outside) and which files import it" },
  args: {
    file: { type: "positional", required: true, description: "a path, or its end" },
    json: { type: "boolean", description: "print JSON" },
  },
  run: ({ args }) =>
    withGraph((graph) => {
      const wanted = args.file.replace(/^\.\//, "").replaceAll("\\", "/");
      const paths = [...graph.universe.allFiles()].map(({ path }) => path);
      const matches = paths.includes(wanted) ? [wanted] : paths.filter((path) => path.endsWith(`/${wanted}`));
      const [path] = matches;
      if (path === undefined) {
        const near = nearest(wanted, paths) ?? paths.find((one) => one.includes(wanted));
        throw new UserError(
          `'${args.file}' is not in the index`,
          near ? `did you mean ${near}?` : "'tokenix files' lists what is",
        );
      }
      if (matches.length > 1)
        throw new UserError(
          `${matches.length} files end with '${wanted}'`,
          `name one whole: ${matches.slice(0, 4).join(", ")}`,
          EXIT.usage,
        );
      const file = graph.universe.fileAt(path);
      const imports = file ? dependenciesOf(graph, file.id) : [];
      const importers = importersOf(graph, path);
      if (args.json) {
        console.log(JSON.stringify({ path, imports, importers }));
        return EXIT.ok;
      }
      console.log(`${path} imports ${imports.length === 0 ? "nothing" : ""}`.trim());
      for (const one of imports) {
        const target =
          one.paths.length > 0
            ? `${one.paths.slice(0, 4).join(", ")}${one.paths.length > 4 ? ` and ${one.paths.length - 4} more` : ""}${one.isGuess ? "  (guess)" : ""}`
            : `outside: ${one.external}`;
        console.log(`  :${one.line}  ${one.module} → ${target}`);
      }
      console.log(importers.length === 0 ? "and is imported by nothing in the index" : "and is imported by");
      for (const one of importers) console.log(`  ${one.path}:${one.line}${one.isGuess ? "  (guess)" : ""}`);
      return EXIT.ok;
    }),
});
