/** The network cable out: a namespace that has no interface but a loopback that is down. */
import { expect, test } from "bun:test";
import { BINARY, Sandbox } from "../support/sandbox.ts";

/** As root, or as a user that may make namespaces; elsewhere the test is skipped. */
const UNPLUGGED = [
  ["unshare", "--net"],
  ["unshare", "--user", "--map-root-user", "--net"],
].find(([program = "", ...options]) => {
  if (process.platform !== "linux" || !Bun.which(program)) return false;
  return Bun.spawnSync([program, ...options, "true"], { stdout: "ignore", stderr: "ignore" }).success;
});

test.skipIf(UNPLUGGED === undefined)(
  "index, query and related answer by words and by meaning where there is no network",
  async () => {
    using sandbox = new Sandbox();
    sandbox.write({
      "src/cache.py":
        'class LruCache:\n    """Forgets what nobody has asked for longest."""\n\n    def evict(self):\n        self.entries.popitem(last=False)\n',
      "src/router.ts":
        "/** Finds the handler of a request by its path. */\nexport class Router {\n  find(path: string) {\n    return this.routes.get(path);\n  }\n}\n",
    });
    // Not the product's own promise: nothing but the missing network keeps it from opening a socket.
    const env = { TOKENIX_AIRGAP: undefined };
    const unplugged = (...command: string[]) => sandbox.exec([...(UNPLUGGED ?? []), ...command], { env });

    const interfaces = (await unplugged("cat", "/proc/net/dev")).stdout.split("\n").slice(2).filter(Boolean);
    expect(interfaces.map((line) => line.trim().split(":")[0])).toEqual(["lo"]);
    expect((await unplugged("cat", "/proc/net/route")).stdout.trim().split("\n")).toHaveLength(1);

    expect((await unplugged(BINARY, "index")).code).toBe(0);
    const query = await unplugged(BINARY, "query", "--json", "which handler gets a request");
    expect(query.stderr).toBe("");
    expect(query.code).toBe(0);
    const [first] = (JSON.parse(query.stdout) as { hits: { path: string; why: string[] }[] }).hits;
    expect(first?.path).toBe("src/router.ts");
    expect(first?.why).toEqual(expect.arrayContaining(["lexical", "semantic"]));
    const related = await unplugged(BINARY, "related", "src/cache.py:1", "--json");
    expect(related.code).toBe(0);
    expect(JSON.parse(related.stdout)).toHaveProperty("hits");
  },
  60_000,
);
