/** `tokenix update`: look for a newer release, install it, or install one that was carried over. */
import { defineCommand } from "citty";
import { EXIT, UserError } from "../../platform/errors.ts";
import { VERSION } from "../../platform/version.ts";
import { readRecord, writeRecord } from "../../update/background.ts";
import { checkForUpdate, updateFromFile, updateFromRelease } from "../../update/update.ts";

/** What `--check` answers when there is something newer; 0 means current. */
const NEWER = 10;

export default defineCommand({
  meta: { name: "update", description: "Update this binary; checked by SHA-256 before it is replaced" },
  args: {
    check: { type: "boolean", description: "only say whether there is a newer release (exit 0 current, 10 newer)" },
    version: { type: "string", description: "install this release, older ones too", valueHint: "TAG" },
    from: {
      type: "string",
      description: "install from a local asset, with sha256sums.txt beside it",
      valueHint: "FILE",
    },
    sums: { type: "string", description: "the checksum list for --from, when it lies elsewhere", valueHint: "FILE" },
    json: { type: "boolean", description: "print JSON" },
    background: { type: "boolean", description: "the quiet form that an interactive command starts" },
  },
  async run({ args }) {
    if (args.background) return background(Boolean(args.check));
    const print = (text: string, value: object): void => {
      console.log(args.json ? JSON.stringify(value) : text);
    };
    if (args.from !== undefined && (args.check || args.version !== undefined))
      throw new UserError("--from goes alone", "tokenix update --from FILE [--sums FILE]", EXIT.usage);
    if (args.from !== undefined) {
      const { version } = await updateFromFile(args.from, args.sums);
      print(`tokenix ${VERSION} → ${version}`, { before: VERSION, version });
      return EXIT.ok;
    }
    if (args.check) {
      const { current, latest, isNewer } = await checkForUpdate();
      print(
        isNewer ? `tokenix ${latest} is out (this is ${current}): tokenix update` : `tokenix ${current} is current`,
        {
          current,
          latest,
          newer: isNewer,
        },
      );
      return isNewer ? NEWER : EXIT.ok;
    }
    const { version, changed } = await updateFromRelease(args.version, { onProgress: (text) => console.error(text) });
    print(changed ? `tokenix ${VERSION} → ${version}` : `tokenix ${version} is current`, {
      before: VERSION,
      version,
      changed,
    });
    return EXIT.ok;
  },
});

/** Nobody reads what this prints; how it went is in the record that the next command reads. */
async function background(onlyCheck: boolean): Promise<number> {
  const record = readRecord();
  try {
    const { latest, isNewer } = await checkForUpdate();
    writeRecord({ ...record, triedAt: Date.now(), latest });
    if (isNewer && !onlyCheck) {
      const { version } = await updateFromRelease(undefined);
      writeRecord({ triedAt: Date.now(), latest, installed: version });
    }
  } catch {
    // Offline, or a server that answers nonsense: tomorrow is another day.
  }
  return EXIT.ok;
}
