import { describe, expect, test } from "bun:test";
import { countTokens } from "../../src/platform/tokens.ts";
import { CONTEXT_MODES, type ContextOptions, makeContext } from "../../src/repo/context/context.ts";
import { gatherPlaces } from "../../src/repo/context/gather.ts";
import { type Files, Project } from "../graph/support.ts";

const SECRET = `ghp_${"a1B2".repeat(9)}`;
const FILES: Files = {
  "src/upload.ts":
    'import { backoff } from "./backoff";\n/** Sends a file and retries when the upload failed. */\nexport async function upload(path: string): Promise<void> {\n  for (let attempt = 0; attempt < 5; attempt++) {\n    if (await send(path)) return;\n    await backoff(attempt);\n  }\n}\nasync function send(path: string): Promise<boolean> {\n  return path !== "";\n}\n',
  "src/backoff.ts": "export function backoff(attempt: number): Promise<void> {\n  return Bun.sleep(2 ** attempt);\n}\n",
  "src/job.ts":
    'import { upload } from "./upload";\nexport function job(): Promise<void> {\n  return upload("x");\n}\n',
  "src/unrelated.ts": "export function colour(): string {\n  return 'green';\n}\n",
  "test/upload.test.ts":
    'import { upload } from "../src/upload";\nexport const retries = () => upload("retry failed upload");\n',
  ".env": "UPLOAD_RETRY=failed upload retry\n",
  "src/config.ts": `export const uploadToken = "${SECRET}"; // retry failed upload\n`,
};
const base: ContextOptions = {
  mode: "plan",
  budgetTokens: 2000,
  maxFiles: 25,
  explore: false,
  notes: [],
  changed: new Set(),
};

async function ask<T>(
  body: (make: (question: string, options?: Partial<ContextOptions>) => ReturnType<typeof makeContext>) => T,
): Promise<T> {
  using project = new Project(FILES);
  await project.index();
  return project.ask((graph) =>
    body((question, options) =>
      makeContext(graph, question, gatherPlaces(graph.store, question, 60), { ...base, ...options }),
    ),
  );
}

describe("a context", () => {
  test("leads to the code that was asked for, its neighbours by the graph, and the source of both", async () => {
    await ask((make) => {
      const { text, files } = make("where do we retry failed uploads");
      expect(files[0]).toBe("src/upload.ts");
      expect(text).toContain("Entry points:\n- src/upload.ts:");
      // The same words for the same reasons as in an answer of `query`.
      expect(text).toMatch(/^- src\/upload\.ts:\d+-\d+ .*\(words/m);
      expect(text).not.toMatch(/lexical|semantic/);
      expect(text).toMatch(/- job \(src\/job\.ts:3\) → upload \(src\/upload\.ts:3\)/);
      expect(text).toContain("- upload (src/upload.ts:6) → backoff (src/backoff.ts:1)");
      expect(text).toContain("await backoff(attempt);");
      expect(files).toContain("src/backoff.ts");
    });
  });

  test("holds no secret, neither a file for them nor one in a line", async () => {
    await ask((make) => {
      const { text, files } = make("upload token retry failed");
      expect(text).not.toContain(SECRET);
      expect(files).not.toContain(".env");
    });
  });

  test("keeps any budget in every mode, says what it left out, and counts where the tokens went", async () => {
    await ask((make) => {
      for (const mode of CONTEXT_MODES)
        for (const explore of [false, true])
          for (const budgetTokens of [100, 130, 200, 350, 700, 3000]) {
            const { text, tokens, breakdown } = make("where do we retry failed uploads", {
              mode,
              explore,
              budgetTokens,
            });
            expect(countTokens(text)).toBeLessThanOrEqual(budgetTokens);
            expect(tokens).toBe(countTokens(text));
            expect(text).toMatch(/(?:Left out: |Nothing was left out)/);
            expect(breakdown.length).toBeGreaterThan(1);
          }
    });
  });

  test("surfaces notes, and a review leads with what changed", async () => {
    await ask((make) => {
      const note = { id: 1, text: "uploads must not retry on 403", project: null, at: "2026-01-01T00:00:00Z" };
      expect(make("retry failed uploads", { notes: [note] }).text).toContain("- uploads must not retry on 403");
      const review = make("retry failed uploads", { mode: "review", changed: new Set(["test/upload.test.ts"]) });
      expect(review.files[0]).toBe("test/upload.test.ts");
    });
  });

  test("a question that nothing fits is answered by nothing, within its budget", async () => {
    await ask((make) => expect(make("zzzqqq").text).toBe("# zzzqqq\nEntry points:\nNothing was left out.\n"));
  });
});
