/** The doctor's checks of the home, the index, git, the grammars and the configuration. */
import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";

import { messageOf } from "../../platform/errors.ts";
import { git, gitFingerprint } from "../../platform/git.ts";
import { tokenixHome } from "../../platform/paths.ts";
import { storageRefusal } from "../../platform/storage-errors.ts";
import { loadProjectConfig } from "../../repo/languages/project-config.ts";
import type { Check, Finding } from "./types.ts";

export const homeCheck: Check = {
  name: "home",
  run() {
    const home = tokenixHome();
    const named = process.env["TOKENIX_HOME"];
    const findings: Finding[] = [];
    if (named && home !== named && !named.startsWith("/"))
      findings.push({ status: "warn", detail: `TOKENIX_HOME '${named}' is not absolute and is ignored` });
    if (!existsSync(home)) return [...findings, { status: "ok", detail: `${home} does not exist yet` }];
    try {
      accessSync(home, constants.R_OK | constants.W_OK);
    } catch (error) {
      return [...findings, { status: "fail", detail: `${home}: ${messageOf(error)}`, hint: "check who owns it" }];
    }
    const mode = statSync(home).mode & 0o077;
    if (process.platform !== "win32" && mode !== 0)
      return [...findings, { status: "warn", detail: `${home} can be read by others`, hint: `chmod 700 ${home}` }];
    return [...findings, { status: "ok", detail: home }];
  },
};

export const indexCheck: Check = {
  name: "index",
  async run({ root, indexed }) {
    if (!indexed) return [{ status: "warn", detail: `${root} is not indexed`, hint: "run 'tokenix index'" }];
    const { openStore, storePaths } = await import("../../repo/store/open.ts");
    const { acquireWriter } = await import("../../platform/lock.ts");
    const paths = storePaths(root);
    const findings: Finding[] = [];
    try {
      const store = openStore(root, { mode: "read" });
      try {
        const fault = store.integrity();
        if (fault !== undefined) {
          const { markDamaged } = await import("../../repo/store/damage.ts");
          markDamaged(store.path);
          findings.push({ status: "fail", detail: `${store.path} is damaged: ${fault}`, hint: "run 'tokenix index'" });
        } else {
          const { totalsOf } = await import("../../repo/index/run.ts");
          const totals = totalsOf(store);
          findings.push({ status: "ok", detail: `${totals.files} files, ${totals.chunks} chunks in ${store.path}` });
        }
        if (store.meta("building") || store.meta("indexed_at") === undefined)
          findings.push({ status: "warn", detail: "its first run has not finished", hint: "run 'tokenix index'" });
        const { vectorGap } = await import("../../repo/index/vector-gaps.ts");
        const gap = fault === undefined ? await vectorGap(store) : undefined;
        if (gap) findings.push({ status: "warn", ...gap });
      } finally {
        store.close();
      }
    } catch (error) {
      const hint = (error as { hint?: string }).hint;
      findings.push({ status: "fail", detail: messageOf(error), ...(hint ? { hint } : {}) });
    }
    try {
      const lock = acquireWriter(paths.lock, "doctor");
      if ("release" in lock) lock.release();
      else
        findings.push({
          status: "ok",
          detail: `process ${lock.heldBy?.pid ?? "?"} is writing it (since ${lock.heldBy?.startedAt ?? "?"})`,
        });
    } catch (error) {
      const refusal = storageRefusal(error, paths.lock);
      findings.push({
        status: "fail",
        detail: refusal?.message ?? messageOf(error),
        ...(refusal?.hint ? { hint: refusal.hint } : {}),
      });
    }
    const damaged = readdirSync(dirname(paths.database)).filter((name) =>
      name.startsWith(`${basename(paths.database)}.damaged-`),
    );
    if (damaged.length > 0)
      findings.push({
        status: "warn",
        detail: `${damaged.length} damaged files were set aside: ${damaged.join(", ")}`,
        hint: `delete them when you don't want to look into them (${dirname(paths.database)})`,
      });
    return findings;
  },
};

export const gitCheck: Check = {
  name: "git",
  async run({ root }) {
    const version = await git(["--version"], { cwd: root });
    if (version.code !== 0)
      return [{ status: "warn", detail: "git is not on the PATH: tracked files that ignore rules hide are not found" }];
    const print = gitFingerprint(root);
    if (!print) return [{ status: "ok", detail: `${version.stdout.trim()}; ${root} is not in a repository` }];
    const where = print.branch || "detached";
    return [
      { status: "ok", detail: `${version.stdout.trim()}; ${where} at ${print.head.slice(0, 12) || "no commit"}` },
    ];
  },
};

export const configCheck: Check = {
  name: "config",
  async run({ root }) {
    const { path, problems } = await loadProjectConfig(root);
    if (problems.length > 0) return problems.map((detail) => ({ status: "warn", detail }));
    return [{ status: "ok", detail: path ?? "none: defaults are used" }];
  },
};

export const grammarCheck: Check = {
  name: "grammars",
  async run() {
    const { extract, isGrammarLoaded } = await import("../../repo/languages/extract.ts");
    const { languages } = await import("../../repo/languages/registry.ts");
    const failed: Finding[] = [];
    let loaded = 0;
    for (const [id, definition] of languages) {
      if (!definition.grammar) continue;
      try {
        const { gaveUp } = await extract(id, "x\n");
        if (gaveUp !== undefined || !isGrammarLoaded(id)) throw new Error(gaveUp ?? "it did not load");
        loaded++;
      } catch (error) {
        failed.push({ status: "fail", detail: `${id}: ${messageOf(error)}`, hint: "files of it become plain blocks" });
      }
    }
    return [...failed, { status: failed.length > 0 ? "warn" : "ok", detail: `${loaded} grammars load and parse` }];
  },
};
