/** Stand-in for `output/shell` until it lands: the same name and meaning, for the common spellings only. */

const PREFIX =
  /^(?:[A-Za-z_]\w*=\S*\s+|(?:sudo|time|nice|nohup|env|command)\s+|timeout\s+\S+\s+|(?:uv|poetry|pipenv|pdm|hatch|rye)\s+run\s+|(?:npx|bunx|bun\s+x|pnpm\s+(?:exec|dlx)|yarn\s+dlx|deno\s+(?:run|task))\s+(?:-y\s+|--yes\s+)?|python3?\s+-m\s+|bundle\s+exec\s+)/;

export function candidates(line: string): string[] {
  const out: string[] = [];
  const add = (command: string) => {
    if (command !== "" && !out.includes(command)) out.push(command);
  };
  for (const segment of split(line)) {
    let command = segment.trim();
    add(command);
    for (let rest = command.replace(PREFIX, ""); rest !== command; rest = command.replace(PREFIX, "")) {
      command = rest;
      add(command);
    }
    add(
      command
        .replace(/^git(?:\s+(?:-C\s+\S+|-c\s+\S+|--no-pager|--git-dir(?:=|\s+)\S+|--work-tree(?:=|\s+)\S+))+/, "git")
        .replace(/^kubectl(?:\s+(?:-n|--namespace|--context|--kubeconfig)(?:=|\s+)\S+)+/, "kubectl")
        .replace(/^docker(?:\s+(?:-H|--host|--context)(?:=|\s+)\S+)+/, "docker")
        .replace(/^cargo\s+\+\S+/, "cargo"),
    );
  }
  return out;
}

function split(line: string): string[] {
  const out: string[] = [];
  let current = "";
  let quote = "";
  for (let at = 0; at < line.length; at++) {
    const char = line[at] as string;
    if (quote) {
      if (char === quote) quote = "";
      current += char;
    } else if (char === "'" || char === '"') {
      quote = char;
      current += char;
    } else if (char === "\\") {
      current += char + (line[++at] ?? "");
    } else if (char === ";" || char === "|" || (char === "&" && line[at + 1] === "&")) {
      if (line[at + 1] === char) at++;
      out.push(current);
      current = "";
    } else current += char;
  }
  out.push(current);
  return out;
}
