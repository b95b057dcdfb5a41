import { expect, test } from "vitest";
import { readYaml } from "#cli/apply/yaml-text";

test.each(["null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE"])(
  "a key %s means the same in a block, in a flow mapping and next to a block text",
  (word) => {
    const text = `labels:\n  ${word}: x\nmore: { ${word}: x }\n`;
    const { labels, more } = Object(readYaml(text).value);
    expect(Object.keys(labels)).toHaveLength(1);
    expect(labels).toEqual(more);
    expect(readYaml(`${text}note: |\n  a\n`).value).toEqual({ labels, more, note: "a\n" });
  },
);
