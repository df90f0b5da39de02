/**
 * The project's configuration with its languages checked: `platform` reads the file, and only this room knows which
 * languages there are. The registry is loaded only for a project that names some.
 */
import { type LoadedConfig, loadConfig } from "../../platform/config.ts";

export async function loadProjectConfig(root: string): Promise<LoadedConfig> {
  const loaded = await loadConfig(root);
  const named = Object.entries(loaded.config.languages);
  if (named.length === 0) return loaded;
  const { languages } = await import("./registry.ts");
  const { nearest } = await import("../../platform/nearest.ts");
  const problems = [...loaded.problems];
  const known = named.filter(([extension, id]) => {
    if (languages.has(id)) return true;
    const near = nearest(id, languages.keys());
    problems.push(
      `languages.${extension}: there is no language '${id}'${near ? ` (did you mean ${near}?)` : ""}: ignored`,
    );
    return false;
  });
  return { ...loaded, problems, config: { ...loaded.config, languages: Object.fromEntries(known) } };
}
