/**
 * Makes bash command lines from a grammar, the same ones for the same seed, and says what it meant: the words of each
 * command at the top level and the operator behind it. What the reader finds is held against that.
 */

export interface MeantCommand {
  /** As written; empty for a compound construct. */
  readonly words: readonly string[];
  readonly operator: string | undefined;
  readonly isCompound: boolean;
}

export interface GeneratedLine {
  readonly line: string;
  readonly meant: readonly MeantCommand[];
}

export class Random {
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.below(list.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }
}

const NAMES = "git cargo ls cat grep npm echo pytest make find 日本 x./gradlew ./gradlew /usr/bin/env é cd go".split(
  " ",
);
const PLAIN =
  "a -x --long --opt=value status src/a.ts 1 -- a=b x#y é ✓ 日本語 🙂 e\u0301 a:b @x %y a.b,c ^HEAD HEAD~1 {} { a~ +x done if then in fi !".split(
    " ",
  );
const INSIDE = [
  "a b",
  " && ",
  "|",
  "; rm",
  "# no",
  "(x)",
  "<>",
  "✓ é",
  "\n",
  "\t",
  "{a,b}",
  "*",
  "&",
  "->",
  "!",
  "end",
  "",
];

export class LineGenerator {
  private heredocs: { delimiter: string; body: string }[] = [];

  constructor(private readonly random: Random) {}

  line(): GeneratedLine {
    const meant: MeantCommand[] = [];
    let text = this.random.chance(0.05) ? this.random.pick(["\n", "# first\n", "  ", "\t"]) : "";
    const count = 1 + this.random.below(4);
    for (let index = 0; index < count; index++) {
      const isLast = index === count - 1;
      text += this.random.chance(0.05) ? this.random.pick(["! ", "time ", "time -p "]) : "";
      let heredoc = "";
      for (;;) {
        const command = this.command(2);
        // `&` and `>` without a blank between them are one operator
        if (/[;&|]$/.test(text) && /^[&<>]/.test(command.text)) text += " ";
        text += command.text;
        heredoc = this.random.chance(0.04) ? this.heredoc() : "";
        if (heredoc) text += heredoc;
        const isPiped = !heredoc && this.random.chance(0.15);
        const operator = isPiped ? this.random.pick(["|", "|", "|&"]) : undefined;
        meant.push({ words: command.words, operator, isCompound: command.isCompound });
        if (!operator) break;
        text += this.space() + operator + this.softBreak();
      }
      const operator = heredoc ? "\n" : isLast && this.random.chance(0.8) ? undefined : this.operator(isLast);
      const last = meant.pop();
      if (last) meant.push({ ...last, operator });
      if (operator === undefined) text += this.tail();
      else if (heredoc) text += `\n${this.bodies()}${this.space()}`;
      else if (operator === "\n") text += `${this.space()}${this.comment()}\n${this.space()}`;
      else if (operator === "&&" || operator === "||") text += this.space() + operator + this.softBreak();
      else text += this.space() + operator + this.space();
    }
    return { line: text, meant };
  }

  private operator(isLast: boolean): string {
    return this.random.pick(isLast ? [";", "\n", "&"] : ["&&", "&&", "||", ";", ";", "\n", "\n", "&"]);
  }

  /** What can follow the last command. */
  private tail(): string {
    return this.random.chance(0.1) ? this.random.pick([" ", "  # the end", "\t"]) : "";
  }

  private comment(): string {
    return this.random.chance(0.15) ? this.random.pick([' # it\'s "odd"', " # git status; done", " #"]) : "";
  }

  private space(): string {
    return this.random.pick(["", " ", " ", " ", "  ", "\t", " \\\n "]);
  }

  private blank(): string {
    return this.random.pick([" ", " ", " ", " ", "  ", "\t", " \\\n"]);
  }

  /** The bodies of the heredocs that were announced on the line before. */
  private bodies(): string {
    const bodies = this.heredocs.map(({ delimiter, body }) => `${body}${delimiter}\n`).join("");
    this.heredocs = [];
    return bodies;
  }

  private softBreak(): string {
    if (this.random.chance(0.8)) return this.space();
    return `${this.comment()}\n${this.space()}`;
  }

  private command(depth: number): { text: string; words: string[]; isCompound: boolean } {
    if (depth > 0 && this.random.chance(0.08)) {
      return { text: this.compound(depth - 1), words: [], isCompound: true };
    }
    return { ...this.simple(depth), isCompound: false };
  }

  private simple(depth: number): { text: string; words: string[] } {
    const parts: string[] = [];
    const words: string[] = [];
    if (this.random.chance(0.1))
      parts.push(`${this.random.pick(["A", "FOO", "x_1"])}=${this.random.chance(0.2) ? "" : this.word(depth)}`);
    if (this.random.chance(0.04)) parts.push(this.redirection());
    if (parts.length === 0 || this.random.chance(0.9)) {
      words.push(this.name());
      parts.push(words[0] ?? "");
      for (let count = this.random.below(4); count > 0; count--) {
        if (this.random.chance(0.1)) parts.push(this.redirection());
        else {
          const word = this.word(depth);
          words.push(word);
          parts.push(word);
        }
      }
    }
    return { text: parts.reduce((text, part) => `${text}${this.blank()}${part}`), words };
  }

  private name(): string {
    const name = this.random.pick(NAMES);
    return this.random.chance(0.06)
      ? this.random.pick([`"${name}"`, `'${name}'`, `\\${name}`, `$x`, `${name}"x y"`])
      : name;
  }

  private redirection(): string {
    if (this.random.chance(0.3)) return this.random.pick(["2>&1", ">&2", "2>/dev/null", "1>&2", "2>&-", "</dev/null"]);
    return this.random.pick(["> ", ">", ">>", "<", "2>", "&>", ">|", "<<< ", "&>> ", "<>"]) + this.target();
  }

  private target(): string {
    const word = this.word(0);
    return /^(?:done|if|then|in|fi|!|[{}])$/.test(word) ? "out" : word;
  }

  private heredoc(): string {
    const delimiter = this.random.pick(["EOF", "E", "END_1"]);
    const body = this.random.pick(["", "a b\n", "it's \"x\n && | ; (\n", "EOF2\n  E\n$(x) `y`\n", "✓\n#\n"]);
    const isQuoted = this.random.chance(0.5);
    this.heredocs.push({ delimiter, body });
    return ` ${this.random.pick(["<<", "<<", "<<-"])}${this.random.pick(["", " "])}${isQuoted ? `'${delimiter}'` : delimiter}`;
  }

  private word(depth: number): string {
    let text = this.piece(depth);
    while (this.random.chance(0.2)) text += this.piece(depth, true);
    return text;
  }

  private piece(depth: number, isInside = false): string {
    const kind = this.random.below(depth > 0 ? 15 : 11);
    switch (kind) {
      case 0:
      case 1:
      case 2: {
        const plain = this.random.pick(PLAIN);
        return isInside && plain === "{}" ? "x" : plain;
      }
      case 3:
        return `'${this.inside("'")}'`;
      case 4:
      case 5:
        return this.doubleQuoted(depth);
      case 6:
        return this.random.pick([
          "a\\ b",
          "\\;",
          "\\|",
          "\\#",
          "\\$x",
          "\\'",
          '\\"',
          "\\\\",
          "a\\&b",
          "\\(",
          "\\✓",
          "a\\\nb",
          "\\*",
        ]);
      case 7:
        return this.random.pick([
          "$x",
          "$HOME/y",
          "$1",
          "$?",
          "$@",
          "${x}",
          "${x:-y z}",
          "${x//a/b}",
          "${#x}",
          '${x:-"}"}',
          "${x%.*}",
        ]);
      case 8:
        return this.random.pick(["*.ts", "a?b", "[ab]*", "src/**", "[!a]", "--x=[%h]"]);
      case 9:
        return this.random.pick(["{a,b}", "{1..3}", "x{,y}", "~", "~/x", "a~b"]);
      case 10:
        return this.random.pick(["$'a\\'b\\n'", '$"x y"', "$((1 + 2))", "$(( (1+x) * 2 ))", "$((x<<2))"]);
      case 11:
      case 12:
        return this.substitution(depth - 1);
      case 13:
        return `\`${this.backticked()}\``;
      default:
        return this.random.chance(0.3) && !isInside ? `<( ${this.nestedList(depth - 1)})` : this.random.pick(PLAIN);
    }
  }

  private inside(quote: string): string {
    let text = this.random.pick(INSIDE);
    while (this.random.chance(0.4))
      text += this.random.pick(INSIDE) + (quote === "'" ? this.random.pick(['"', "\\", "$", "`"]) : "'");
    return text;
  }

  private doubleQuoted(depth: number): string {
    let text = this.inside('"');
    while (this.random.chance(0.35)) {
      const kind = this.random.below(depth > 0 ? 5 : 3);
      if (kind === 0) text += this.random.pick(['\\"', "\\\\", "\\$", "\\`", "\\n", "\\\n"]);
      else if (kind === 1) text += this.random.pick(["$x", "${x}", "${x:-a b}", "$1", "$ ", "$((1+2))"]);
      else if (kind === 2) text += this.inside('"');
      else text += this.substitution(depth - 1);
    }
    return `"${text}"`;
  }

  private backticked(): string {
    return this.random.pick(["git log -1", "x | y", "echo \\`z\\`", "a 'b c'", "", "x && y # z"]);
  }

  /** `$((` would be arithmetic. */
  private substitution(depth: number): string {
    const list = this.nestedList(depth);
    return `$(${list.startsWith("(") ? " " : this.space()}${list}${this.space()})`;
  }

  /** Commands for inside a substitution or a compound construct, on one line or several. */
  private nestedList(depth: number): string {
    let text = this.nestedCommand(depth);
    while (this.random.chance(0.3)) {
      text += this.random.pick([" && ", " || ", "; ", "\n", " | ", " # c)\n", " ; "]) + this.nestedCommand(depth);
    }
    return text;
  }

  private nestedCommand(depth: number): string {
    return this.command(Math.min(depth, 1)).text;
  }

  private compound(depth: number): string {
    const list = () => this.nestedList(depth);
    const end = () => this.random.pick(["; ", "\n", " ;\n", " # c\n"]);
    switch (this.random.below(11)) {
      case 0:
        return `( ${list()})`;
      case 1:
        return `{ ${list()}${end()}}`;
      case 2:
        return `if ${list()}${end()}then ${list()}${end()}${this.random.pick(["", `else ${list()}${end()}`])}fi`;
      case 3:
        return `while ${list()}${end()}do ${list()}${end()}done`;
      case 4:
        return `for i in ${this.word(0)} ${this.word(0)}${end()}do ${list()}${end()}done`;
      case 5:
        return `case ${this.word(0)} in a|b) ${list()};; (*) ${list()}\n;; esac`;
      case 6:
        return `case $x in done) ${list()}${end()}esac`;
      case 7:
        return `f() { ${list()}${end()}}`;
      case 8:
        return `function g {\n${list()}${end()}}`;
      case 9:
        return this.random.pick([
          "[[ -f x && $a == b* ]]",
          "[[ $a =~ ^(x|y)+$ ]]",
          "[[ ! ( -d a || -e b ) ]]",
          "[[ a < b ]]",
        ]);
      default:
        return this.random.pick([
          "((i++))",
          "(( x > 1 && y ))",
          "for ((i=0; i<3; i++)); do echo $i; done",
          "until false\ndo x\ndone >out",
        ]);
    }
  }
}

/** A line spoilt at random: characters taken out, doubled, put in. */
export function spoil(line: string, random: Random): string {
  let out = line;
  for (let count = 1 + random.below(3); count > 0; count--) {
    const at = random.below(out.length + 1);
    const kind = random.below(3);
    if (kind === 0) out = out.slice(0, at) + out.slice(at + 1);
    else if (kind === 1)
      out =
        out.slice(0, at) +
        random.pick(["'", '"', "`", "$(", ")", "(", "{", "}", ";", "&", "|", "<", "\n", "\\", "#", " ", "\r", "\0"]) +
        out.slice(at);
    else out = out.slice(0, at) + out.slice(at, at + 5) + out.slice(at);
  }
  return out;
}
