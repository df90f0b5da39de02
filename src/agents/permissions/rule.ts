/**
 * Claude Code's permission rules, `Tool` or `Tool(specifier)`, as its documentation describes them.
 * Allowing is read strictly and refusing widely: where the documentation leaves a doubt, an allow rule
 * does not cover the command and a deny or ask rule does.
 */
export interface Rule {
  readonly tool: string;
  /** Undefined: every use of the tool. */
  readonly specifier: string | undefined;
  readonly source: string;
}

/** Undefined when the text is no rule that we understand to the end. */
export function parseRule(source: string): Rule | undefined {
  const text = source.trim();
  const open = text.indexOf("(");
  if (open < 0) return /^[^\s()]+$/.test(text) ? { tool: text, specifier: undefined, source } : undefined;
  if (!text.endsWith(")")) return undefined;
  const tool = text.slice(0, open).trim();
  if (!/^[^\s()]+$/.test(tool)) return undefined;
  const specifier = text.slice(open + 1, -1);
  return { tool, specifier: specifier === "" || specifier === "*" ? undefined : specifier, source };
}

/** A deny or ask rule may name its tool with a glob; an allow rule for the shell may not. */
export function namesTool(rule: Rule, tool: string, asRefusal: boolean): boolean {
  if (rule.tool === tool) return true;
  if (!asRefusal || !rule.tool.includes("*")) return false;
  return globToRegExp(rule.tool, "^", "$").test(tool);
}

/** Does this allow rule let exactly this one simple command run? */
export function allows(rule: Rule, command: string): boolean {
  const specifier = rule.specifier;
  if (specifier === undefined) return true;
  // An escaped star or a backslash: the documentation does not say how it is read.
  if (specifier.includes("\\")) return false;
  if (specifier.endsWith(":*") && !specifier.slice(0, -2).includes("*")) {
    return startsAtWord(command, specifier.slice(0, -2));
  }
  const first = specifier.indexOf("*");
  if (first < 0) return command === specifier;
  if (first === specifier.length - 1) {
    const prefix = specifier.slice(0, -1);
    // A space before the last star makes it a word's end: `ls *` is `ls` and `ls -la`, never `lsof`.
    return prefix.endsWith(" ") ? startsAtWord(command, prefix.slice(0, -1)) : command.startsWith(prefix);
  }
  return globToRegExp(specifier, "^", "$").test(command);
}

/** An allow rule without a wildcard: the only kind that stays in force in every mode. */
export function isExact(rule: Rule): boolean {
  return rule.specifier !== undefined && !rule.specifier.includes("*");
}

/**
 * Could this deny or ask rule mean something in this line? The pattern may match anywhere from a word's
 * start: behind assignments, wrappers, operators, inside quotes and substitutions alike.
 */
export function mayRefuse(rule: Rule, lines: readonly string[], input: Readonly<Record<string, unknown>>): boolean {
  const specifier = rule.specifier;
  if (specifier === undefined) return true;
  const parameter = /^\s*([A-Za-z_]\w*)\s*:\s*(.*)$/s.exec(specifier);
  if (parameter?.[1] !== undefined && parameter[1] !== "command" && Object.hasOwn(input, parameter[1])) {
    const value = input[parameter[1]];
    // A list or a table is matched by nothing that we know, so it may be matched.
    if (typeof value === "object" || globToRegExp(parameter[2] ?? "", "^", "$").test(String(value))) return true;
  }
  if (specifier.includes("\\")) return true;
  const bare = specifier.replace(/(?::\*|\s*\*)$/, "").trim();
  // Nothing but stars, or a leading star: it can match whatever there is.
  if (bare === "" || bare.startsWith("*")) return true;
  const pattern = globToRegExp(bare.replace(/\s+/g, " "), "(?<![A-Za-z0-9_-])", "");
  return lines.some((line) => pattern.test(line.replace(/\s+/g, " ")));
}

/** Could this deny or ask rule mean a command that begins like this? Read from its first character, as the agent does. */
export function mayRefuseFromStart(rule: Rule, command: string): boolean {
  if (rule.specifier === undefined) return true;
  const bare = rule.specifier.replace(/(?::\*|\s*\*)$/, "").trim();
  return globToRegExp(bare, "^", "").test(command);
}

function startsAtWord(command: string, prefix: string): boolean {
  return command === prefix || command.startsWith(`${prefix} `);
}

function globToRegExp(glob: string, before: string, after: string): RegExp {
  const body = glob.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace(/\*+/g, "[\\s\\S]*");
  return new RegExp(before + body + after);
}
