import { expect, test } from "vitest";
import { runbookNote } from "#service/operator/incidents/runbook-note";

const linksIn = (description: string): readonly string[] =>
  [...(runbookNote(description)?.text ?? "").matchAll(/href="([^"]*)"/g)].map(([, to = ""]) => to);

test("addresses in a description are links, without the punctuation after them, and nothing else is", () => {
  expect(linksIn("Runbook: https://wiki.test/billing?a=1&b=2. Ask (http://a.test/).")).toEqual([
    "https://wiki.test/billing?a=1&amp;b=2",
    "http://a.test/",
  ]);
  expect(linksIn("javascript:alert(1) //evil.test")).toEqual([]);
  expect(runbookNote('<b>https://a.test/"x</b>')?.text).not.toContain("<b>");
  expect(runbookNote("")).toBeNull();
});
