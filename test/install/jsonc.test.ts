import { describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  appendItem,
  EditError,
  insertMember,
  removeElement,
  undoInsertion,
} from "../../src/agents/install/jsonc/edit.ts";
import { parseJsonc, plainValue } from "../../src/agents/install/jsonc/parse.ts";
import { randomJsonc, randomSource } from "../support/random-jsonc.ts";

// Hundreds of random files a test: on a busy machine that takes more than the usual five seconds.
setDefaultTimeout(60_000);

const read = (text: string): unknown => plainValue(parseJsonc(text));

describe("reading JSON with comments", () => {
  test("plain JSON reads as JSON.parse reads it", () => {
    for (const text of [
      '{"a":[1,-2.5e3,true,false,null,"\\u00e9\\n"]}',
      "[]",
      "{}",
      '"x"',
      " 3 ",
      '{"__proto__":{"a":1}}',
    ]) {
      expect(read(text)).toEqual(JSON.parse(text));
    }
  });

  test("comments, trailing commas and a byte-order mark are taken", () => {
    expect(read('\uFEFF// one\n{ /* two */ "a": [1, 2,], // three\n}\n/* end */')).toEqual({ a: [1, 2] });
  });

  test("what is not JSON is refused, and never hangs", () => {
    for (const text of [
      "",
      "{",
      '{"a"}',
      "{a:1}",
      '{"a":1 "b":2}',
      "[1 2]",
      "[,]",
      "{,}",
      '"a\nb"',
      "1 2",
      "/* x",
      "nul",
      "01",
      '"\\x"',
      "[".repeat(9999),
    ]) {
      expect(() => parseJsonc(text)).toThrow();
    }
  });

  test("random bytes never throw anything but a refusal", () => {
    const random = randomSource(7);
    for (let i = 0; i < 3000; i++) {
      const text = Array.from({ length: random.below(30) }, () => random.pick('{}[]",:/*\\ \n1at')).join("");
      try {
        parseJsonc(text);
      } catch (error) {
        expect((error as Error).name).toBe("JsoncError");
      }
    }
  });
});

describe("editing in place", () => {
  test("a member joins the others in their style, and every other byte stays", () => {
    const text = '{\r\n\t"a": 1, // keep\r\n\t"b": {} // mine\r\n}\r\n';
    const made = insertMember(text, [], "hooks", { x: [1] });
    expect(made.text).toBe(
      '{\r\n\t"a": 1, // keep\r\n\t"b": {}, // mine\r\n\t"hooks": {\r\n\t\t"x": [\r\n\t\t\t1\r\n\t\t]\r\n\t}\r\n}\r\n',
    );
    expect(undoInsertion(made.text, made)).toBe(text);
  });

  test("an object on one line stays on one line", () => {
    expect(insertMember('{"a":1,"b":2}', [], "c", { d: 1 }).text).toBe('{"a":1,"b":2,"c":{"d":1}}');
    expect(insertMember('{ "a": 1 }', [], "c", 2).text).toBe('{ "a": 1, "c": 2 }');
  });

  test("an element goes behind the last one of a list", () => {
    expect(appendItem('{"h":{"P":[\n  {"a":1},\n  ]}}', ["h", "P"], 2).text).toBe(
      '{"h":{"P":[\n  {"a":1},\n  2,\n  ]}}',
    );
    expect(read(appendItem("{}", ["h", "P"], 2).text)).toEqual({ h: { P: [2] } });
  });

  test("a key that is there, or a wrong type on the way, is refused", () => {
    expect(() => insertMember('{"a":1}', [], "a", 2)).toThrow(EditError);
    expect(() => insertMember('{"a":1}', ["a"], "b", 2)).toThrow(EditError);
    expect(() => appendItem('{"a":{}}', ["a"], 2)).toThrow(EditError);
    expect(() => insertMember("[]", [], "b", 2)).toThrow(EditError);
  });

  test("whatever the file looks like, an insertion adds just its value and can be undone to the byte", () => {
    for (let seed = 1; seed <= 1500; seed++) {
      const random = randomSource(seed);
      const text = randomJsonc(random);
      const before = read(text) as Record<string, unknown>;
      const value = { matcher: "Bash", hooks: [{ command: "x" }] };
      const first = appendItem(text, ["tokenixHooks", "PreToolUse"], value);
      const second = appendItem(first.text, ["tokenixHooks", "PostToolUse"], value);
      const third = insertMember(second.text, ["tokenixServers"], "tokenix", { command: "y", args: ["mcp"] });
      expect(read(third.text)).toEqual({
        ...before,
        tokenixHooks: { PreToolUse: [value], PostToolUse: [value] },
        tokenixServers: { tokenix: { command: "y", args: ["mcp"] } },
      });
      const undone = [third, second, first].reduce<string | undefined>(
        (current, made) => (current === undefined ? undefined : undoInsertion(current, made)),
        third.text,
      );
      expect(undone).toBe(text);
    }
  });

  test("after a later edit by someone else, ours goes and theirs stays", () => {
    for (let seed = 1; seed <= 400; seed++) {
      const text = randomJsonc(randomSource(seed));
      const ours = appendItem(text, ["tokenixHooks", "PreToolUse"], { command: "ours" });
      const theirs = insertMember(ours.text, [], "laterKey", [1]);
      const undone = undoInsertion(theirs.text, ours) ?? removeElement(theirs.text, ["tokenixHooks"]) ?? "";
      expect(read(undone)).toEqual({ ...(read(text) as object), laterKey: [1] });
    }
  });

  test("an element can be taken out of any file, and nothing else goes with it", () => {
    for (let seed = 1; seed <= 1500; seed++) {
      const random = randomSource(seed);
      const text = randomJsonc(random);
      const before = read(text) as Record<string, unknown>;
      const keys = Object.keys(before);
      if (keys.length === 0) continue;
      const key = random.pick(keys);
      const { [key]: _gone, ...rest } = before;
      expect(read(removeElement(text, [key]) ?? "")).toEqual(rest);
    }
  });
});
