import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { monitorsPage } from "../../scripts/monitors-page.ts";
import { temporaryFolder } from "../support/running-service.ts";
import { readTexts } from "../support/configuration-text.ts";

const page = readFileSync(
  path.resolve(import.meta.dirname, "../../docs/reference/monitors.md"),
  "utf8",
);

test("docs/reference/monitors.md is what npm run generate:docs makes of the tables", () => {
  expect(page).toBe(monitorsPage());
});

test("each example of docs/reference/monitors.md is a file without a mistake", () => {
  const examples = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = ""]) => text);
  expect(examples.length).toBe(6);
  const secret = path.join(temporaryFolder(), "secret");
  writeFileSync(secret, "https://hooks.slack.com/services/planted\n");
  for (const example of examples) {
    // A file that is there stands for the secrets of the examples.
    const text = example.replaceAll(/\/run\/secrets\/[\w-]+/g, secret);
    const reading = readTexts({ file: text }, { SHOP_TOKEN: "x", ORDERS_TOKEN: "x" });
    expect(reading.ok ? [] : reading.mistakes.get("file")).toEqual([]);
  }
});
