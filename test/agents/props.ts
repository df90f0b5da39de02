/** What a scene needs on stage: a test runner with two failures among many passes, a large source file, a long log. */
import type { Sandbox } from "./sandbox.ts";

export const failureLines = [
  "FAILED tests/test_orders.py::test_total_with_tax - assert 107.0 == 108.5",
  "FAILED tests/test_users.py::test_rename_keeps_id - KeyError: 'id'",
];

/** A `pytest` that needs no Python: 240 tests, two fail, exit 1. */
export function failingPytest(sandbox: Sandbox): void {
  sandbox.tool("pytest", `#!/bin/bash\ncat <<'OUT'\n${pytestReport()}\nOUT\nexit 1\n`);
}

export function pytestReport(): string {
  const passes = Array.from(
    { length: 238 },
    (_, i) =>
      `tests/test_part_${i % 12}.py::test_case_number_${i} PASSED${" ".repeat(20)}[ ${String(Math.floor(i / 2.4)).padStart(2)}%]`,
  );
  return [
    "============================= test session starts ==============================",
    "platform linux -- Python 3.12.4, pytest-8.3.2, pluggy-1.5.0 -- /usr/bin/python3",
    "cachedir: .pytest_cache",
    "rootdir: /srv/app",
    "collecting ... collected 240 items",
    "",
    ...passes,
    "tests/test_orders.py::test_total_with_tax FAILED                         [ 99%]",
    "tests/test_users.py::test_rename_keeps_id FAILED                         [100%]",
    "",
    "=================================== FAILURES ===================================",
    "______________________________ test_total_with_tax _____________________________",
    "",
    "    def test_total_with_tax():",
    "        order = Order(net=100, tax=0.085)",
    ">       assert order.total() == 108.5",
    "E       assert 107.0 == 108.5",
    "E        +  where 107.0 = total()",
    "",
    "tests/test_orders.py:14: AssertionError",
    "_____________________________ test_rename_keeps_id _____________________________",
    "",
    "    def test_rename_keeps_id():",
    '        user = rename({"id": 7, "name": "a"}, "b")',
    '>       assert user["id"] == 7',
    "E       KeyError: 'id'",
    "",
    "tests/test_users.py:9: KeyError",
    "=========================== short test summary info ============================",
    ...failureLines,
    "======================== 2 failed, 238 passed in 4.21s =========================",
  ].join("\n");
}

/** A TypeScript file long enough to be answered by its outline. */
export function largeSource(sandbox: Sandbox): string {
  const functions = Array.from({ length: 60 }, (_, i) =>
    [
      `/** Step ${i} of the billing run. */`,
      `export function billingStep${i}(input: number): number {`,
      ...Array.from({ length: 7 }, (_, line) => `  const part${line} = input * ${i} + ${line};`),
      `  return ${Array.from({ length: 7 }, (_, line) => `part${line}`).join(" + ")};`,
      "}",
      "",
    ].join("\n"),
  );
  functions.splice(
    30,
    0,
    "/** Sends a failed upload again, with a growing pause. */\nexport function retryFailedUpload(attempt: number): number {\n  return Math.min(60_000, 500 * 2 ** attempt);\n}\n",
  );
  return sandbox.write("project/src/billing.ts", functions.join("\n"));
}
