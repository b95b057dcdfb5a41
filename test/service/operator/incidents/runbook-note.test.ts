import { expect, test } from "vitest";
import { runbookNote } from "#service/operator/incidents/runbook-note";

test("a description is shown with its runbook as a link, and an empty one is left out", () => {
  expect(runbookNote("See https://wiki.test/billing.")?.text).toBe(
    '<p class="runbook">See <a href="https://wiki.test/billing" rel="noreferrer">https://wiki.test/billing</a>.</p>',
  );
  expect(runbookNote("")).toBeNull();
});
