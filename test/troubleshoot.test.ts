import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { failureCodes } from "#check/failure";

test("docs/troubleshoot.md tells of every failure code once, in the words of the vocabulary, and what to do", () => {
  const page = path.resolve(import.meta.dirname, "../docs/troubleshoot.md");
  const rows = [...readFileSync(page, "utf8").matchAll(/^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|$/gm)];
  const told = rows.map(([, code, means]) => [code, means] as const);
  expect(told).toHaveLength(new Set(told.map(([code]) => code)).size);
  expect(Object.fromEntries(told)).toEqual(failureCodes);
  for (const [, , , advice = ""] of rows) expect(advice).toMatch(/\.$/);
});
