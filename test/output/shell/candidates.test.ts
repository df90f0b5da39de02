import { describe, expect, test } from "bun:test";
import { argvCandidates, candidates, parseCommandLine, segmentCandidates } from "../../../src/output/shell/index.ts";

describe("candidates", () => {
  test.each([
    ["git diff", "git diff"],
    ["cd x && git -C y -c a=b --git-dir=z --no-pager diff --stat", "git diff --stat"],
    ["FOO=1 BAR='x y' git   status", "git status"],
    ["sudo -E -u root apt-get -y install x", "apt-get install x"],
    ["timeout --kill-after=5 -s KILL 60 cargo test", "cargo test"],
    ["nice -n 10 make -j4", "make -j4"],
    ["nice -10 make", "make"],
    ["env -u A B=1 make", "make"],
    ["nohup make", "make"],
    ["/usr/bin/git status", "git status"],
    ["./node_modules/.bin/eslint .", "eslint ."],
    ["node node_modules/.bin/jest --ci", "jest --ci"],
    ["php vendor/bin/phpunit tests", "phpunit tests"],
    ["git.exe status", "git status"],
    ["python -W error app/manage.py test", "manage.py test"],
    ["php artisan test", "artisan test"],
    ["uv run --with x -p 3.12 pytest -q", "pytest -q"],
    ["uv run -m pytest -q", "pytest -q"],
    ["uv --quiet run python -m pytest -q", "pytest -q"],
    ["python3 -X dev -m pytest", "pytest"],
    ["python3.12 -Wd -m unittest", "unittest"],
    ["npx -y eslint@9 .", "eslint ."],
    ["npx --package typescript tsc --noEmit", "tsc --noEmit"],
    ["bunx --bun vitest run", "vitest run"],
    ["bun x tsc", "tsc"],
    ["pnpm exec vitest run", "vitest run"],
    ["pnpm -C app dlx tsc", "tsc"],
    ["pnpm --filter web exec tsc", "tsc"],
    ["yarn dlx -q eslint", "eslint"],
    ["npm exec -- tsc -p .", "tsc -p ."],
    ["npm --prefix web test", "npm test"],
    ["yarn workspace web test", "yarn test"],
    ["deno task build", "build"],
    ["deno run -A npm:eslint@9 .", "eslint ."],
    ["poetry run pytest", "pytest"],
    ["poetry -C x run python -m pytest", "pytest"],
    ["cargo +nightly --locked test", "cargo test"],
    ["cargo -q clippy", "cargo clippy"],
    ["kubectl -n x --context=y get pods", "kubectl get pods"],
    ["docker -H tcp://x ps", "docker ps"],
    ["docker --context x compose -f a.yml -p b ps", "docker compose ps"],
    ["docker-compose -f a.yml ps", "docker compose ps"],
    ["docker compose exec -T web php artisan test", "artisan test"],
    ["terraform -chdir=x plan", "terraform plan"],
    ["helm -n x list", "helm list"],
    ["go -C x test ./...", "go test ./..."],
    ["bash -lc 'cd x && FOO=1 npx tsc'", "tsc"],
    ["sh -c \"sh -c 'git status'\"", "git status"],
    ["time cargo test 2>&1", "cargo test"],
    ["git commit -m 'two words'", "git commit -m 'two words'"],
    ["git status\r", "git status"],
    ["mkdir -p x && cd x && cmake ..", "cmake .."],
  ])("%s is matched as %s", (line, first) => {
    expect(candidates(line)[0]).toBe(first);
  });

  test("hold every form on the way, so that a filter on the wrapper matches too", () => {
    expect(candidates("sudo uv run python -m pytest -q")).toEqual([
      "pytest -q",
      "python -m pytest -q",
      "uv run python -m pytest -q",
      "sudo uv run python -m pytest -q",
    ]);
    expect(candidates("bash -lc 'npx tsc'")).toEqual(["tsc", "npx tsc", "bash -lc 'npx tsc'"]);
  });

  test("are none for a line in which several commands print, and those of each when asked one by one", () => {
    for (const line of ["git status; cargo test", "git log | head", "(git status)", "cat <<E\nE\n", "a & b", "'", ""]) {
      expect([line, candidates(line)]).toEqual([line, []]);
    }
    const each = parseCommandLine("npx tsc; git -C x diff | cat")?.segments.map(segmentCandidates);
    expect(each).toEqual([["tsc", "npx tsc"], ["git diff", "git -C x diff"], ["cat"]]);
  });

  test("of an argument vector take its words as they are", () => {
    expect(argvCandidates(["npx", "eslint@9", "a b"])).toEqual(["eslint a b", "npx eslint@9 a b"]);
    expect(argvCandidates(["bash", "-c", "git status"])[0]).toBe("git status");
    expect(argvCandidates([])).toEqual([]);
  });

  test("stay few and short, whatever is nested", () => {
    const nested = candidates(`${"sudo ".repeat(500)}ls`);
    expect(nested.length).toBeLessThanOrEqual(24);
    expect(Math.max(...candidates(`ls ${"x ".repeat(20_000)}`).map(({ length }) => length))).toBeLessThan(5000);
  });
});
