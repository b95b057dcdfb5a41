import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { failureCodes } from "#check/failure";
import { failureAdvice } from "#service/operator/failures/failure-advice";

test("docs/troubleshoot.md lists every failure code once, in the words of the vocabulary, with what to do and an example", () => {
  const page = path.resolve(import.meta.dirname, "../docs/troubleshoot.md");
  const rows = [
    ...readFileSync(page, "utf8").matchAll(/^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| `[^|`]+` \|$/gm),
  ];
  const shown = rows.map(([, code, means]) => [code, means] as const);
  expect(shown).toHaveLength(new Set(shown.map(([code]) => code)).size);
  expect(Object.fromEntries(shown)).toEqual(failureCodes);
  const advised = rows.map(([, code, , advice]) => [code, advice] as const);
  // The service's page says the same.
  expect(Object.fromEntries(advised)).toEqual(failureAdvice);
  for (const [, advice = ""] of advised) expect(advice).toMatch(/\.$/);
});
