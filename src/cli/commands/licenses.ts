/** `tokenix licenses`: the licence texts of everything that is inside this binary. */
import { gunzipSync } from "node:zlib";
import { defineCommand } from "citty";
import { licenses } from "../../generated/licenses.ts";
import { EXIT, UserError } from "../../platform/errors.ts";
import { nearest } from "../../platform/nearest.ts";

interface License {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly text: string;
}

export default defineCommand({
  meta: { name: "licenses", description: "Print the licences of what this binary contains" },
  args: {
    package: { type: "positional", required: false, description: "only this package, with its whole text" },
    json: { type: "boolean", description: "print JSON" },
  },
  run({ args }) {
    const list = JSON.parse(gunzipSync(Buffer.from(licenses, "base64")).toString("utf8")) as readonly License[];
    if (args.package === undefined) {
      if (args.json) console.log(JSON.stringify(list.map(({ text: _, ...rest }) => rest)));
      else for (const { name, version, license } of list) console.log(`${name}@${version}  ${license}`);
      return EXIT.ok;
    }
    const found = list.find(({ name }) => name === args.package);
    if (!found) {
      const near = nearest(
        args.package,
        list.map(({ name }) => name),
      );
      throw new UserError(
        `'${args.package}' is not in this binary`,
        near ? `did you mean '${near}'?` : "'tokenix licenses' lists what is",
      );
    }
    if (args.json) console.log(JSON.stringify(found));
    else console.log(`${found.name}@${found.version} (${found.license})\n\n${found.text}`);
    return EXIT.ok;
  },
});
