/**
 * The door. `hook`, `hook-post`, `run` and `--version` are felt hundreds of times an hour, so they are
 * reached by one dynamic import each; nothing is imported statically but this file.
 */
const argv = process.argv.slice(2);

switch (argv[0]) {
  case "hook":
  case "hook-post": {
    const { hookDoor } = await import("./agents/hook/door.ts");
    await hookDoor(argv[0], argv.slice(1));
    break;
  }
  case "run": {
    const { runDoor } = await import("./output/run/door.ts");
    await runDoor(argv.slice(1), {
      loadRanker: async (model) => (await import("./cli/line-ranker.ts")).loadRanker(model),
    });
    break;
  }
  case "--version":
  case "version":
  case "-V":
  case "-v": {
    const { VERSION } = await import("./platform/version.ts");
    // console.log, not process.stdout: merely touching that getter loads the stream classes (10 ms here).
    console.log(`tokenix ${VERSION}`);
    break;
  }
  default: {
    const { runCli } = await import("./cli/run.ts");
    await runCli(argv);
  }
}

export {};
