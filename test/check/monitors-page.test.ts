import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { monitorsPage } from "../../scripts/monitors-page.ts";
import { parseMonitors } from "#cli/apply/monitors-file";

const page = readFileSync(path.resolve(import.meta.dirname, "../../docs/monitors.md"), "utf8");

test("docs/monitors.md is what npm run generate:docs makes of the tables", () => {
  expect(page).toBe(monitorsPage());
});

test("each example of docs/monitors.md is a file without a mistake", () => {
  const examples = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = ""]) => text);
  expect(examples.length).toBe(3);
  for (const example of examples) {
    const file = parseMonitors(example, false);
    expect(file.ok ? [] : file.mistakes).toEqual([]);
  }
});
