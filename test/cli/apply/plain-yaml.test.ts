import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parseDocument } from "yaml";
import { readPlainYaml } from "#cli/apply/plain-yaml";
import { readYaml } from "#cli/apply/yaml-text";
import { numbers } from "../../support/generated-configuration.ts";

/** What the whole parser says: the value, or that it is wrong. */
function wholeOf(text: string): { readonly value: unknown } | "wrong" {
  try {
    const document = parseDocument(text, { prettyErrors: false });
    if (document.errors.length + document.warnings.length > 0) return "wrong";
    return { value: document.toJS() };
  } catch {
    return "wrong";
  }
}

const docs = path.resolve(import.meta.dirname, "../../../docs/reference");
const examples = readdirSync(docs)
  .filter((name) => name.endsWith(".md"))
  .flatMap((name) => [
    ...readFileSync(path.join(docs, name), "utf8").matchAll(/```yaml\n([\s\S]*?)```/g),
  ])
  .map(([, text = ""]) => text);

const tricky = `a:
  - 1
  - -2.5e3
  - "x: y" # said
  - 'it''s'
b: { c: [1, two, "3"], d: https://a.test:8443/x?y=1, e: {} }
c:
- name: x y
  url: http://[::1]/#a
  when: 2026-12-01T22:00
  text: a, b] c} #not
  no: off
  none: ~
  nothing:
d: [a b, 012, 1_000, .5, 0x1F, 0o7, .inf, null, Null, True]
e: true
`;

describe("YAML that is read plainly", () => {
  test("is that of every example, but for those that have what only the whole parser reads", () => {
    expect(examples.length).toBeGreaterThan(10);
    for (const text of examples) {
      const plain = readPlainYaml(text);
      if (plain !== null) expect([text, plain]).toEqual([text, wholeOf(text)]);
    }
    const read = examples.filter((text) => readPlainYaml(text) !== null);
    expect(read.length / examples.length).toBeGreaterThan(0.7);
  });

  test.each([
    "a: 1\n",
    "a:\n- b\n- c: 1\n  d: [x, { y: 2 }]\n\n# said\ne: f g # h\n",
    "a: \"b\\n\\\"c\\\"\"\nd: 'e''f'\n",
    "a: -1.5e3\nb: .5\nc: 012\nd: +7\ne: 1_000\nf: 1.2.3\n",
    "a: http://[::1]:80/x#y\nb: a, b] c}\nc: 22:00\n",
    "a:\nb: null\nc: True\nd: no\n",
    'a: {}\nb: []\nc: { d: 22:00, e: a b, "f g": [] } # h\n',
  ])("says what the whole parser says: %j", (text) => {
    const plain = readPlainYaml(text);
    expect(plain).not.toBeNull();
    expect(plain).toEqual(wholeOf(text));
  });

  test.each(["null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE"])(
    "a key %s means the same, however the rest of the file is written",
    (word) => {
      const text = `labels:\n  ${word}: x\nmore: { ${word}: y }\n`;
      const unusual = `${text}note: |\n  a\n`;
      expect({ ...Object(readYaml(text).value), note: "a\n" }).toEqual(readYaml(unusual).value);
    },
  );

  test("never says what the whole parser does not, however the text is changed", () => {
    const pick = numbers(7);
    const sources = [...examples, tricky];
    const pieces = [
      ..." :-#,[]{}\n\"'~&*!|>?%@`=<\\/.01aé\t".split(""),
      "\n  ",
      ": ",
      "- ",
      " #",
      "\n- ",
      "? ",
    ];
    let read = 0;
    for (let round = 0; round < 20_000; round += 1) {
      let text = sources[pick(sources.length)] ?? "";
      if (text.length > 400) {
        const lines = text.split("\n");
        const from = pick(lines.length);
        text = lines.slice(from, from + 12).join("\n");
      }
      for (let edits = 1 + pick(3); edits > 0; edits -= 1) {
        const at = pick(text.length + 1);
        text = text.slice(0, at) + (pieces[pick(pieces.length)] ?? "") + text.slice(at + pick(3));
      }
      const plain = readPlainYaml(text);
      if (plain === null) continue;
      read += 1;
      const whole = wholeOf(text);
      if (JSON.stringify(plain) !== JSON.stringify(whole))
        expect([text, plain]).toEqual([text, whole]);
    }
    expect(read).toBeGreaterThan(1_000);
  });
});
