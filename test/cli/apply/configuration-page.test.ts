import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { configurationMessage } from "#cli/apply/configuration-message";
import { connectManagement } from "#cli/management/management";
import { directWay } from "#cli/management/service-way";
import { configurationPage } from "../../../scripts/configuration-page.ts";
import { readTexts } from "../../support/configuration-text.ts";
import { runningService } from "../../support/running-service.ts";

const page = readFileSync(
  path.resolve(import.meta.dirname, "../../../docs/reference/configuration.md"),
  "utf8",
);

test("docs/reference/configuration.md is made from the tables: npm run generate:docs", () => {
  expect(page).toBe(configurationPage());
});

test("every example of the page is applied, and then there is nothing to change", async () => {
  const examples = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = ""]) =>
    text
      .replaceAll(/\{ file: [^}]+\}/g, "{ env: SECRET }")
      .replaceAll(/SHOP_TOKEN|SECRET_OF_PAGE/g, "SECRET"),
  );
  expect(examples.length).toBeGreaterThan(4);
  for (const text of examples) {
    const reading = readTexts({ file: text }, { SECRET: "https://hooks.test/x" });
    expect(reading).toMatchObject({ ok: true });
    if (!reading.ok) continue;
    await using service = await runningService();
    const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
    const calls = connectManagement(service.url, key, directWay()).configuration;
    const configuration = configurationMessage(reading.configuration, "docs", null);
    const { changes } = await calls.applyConfiguration({ configuration });
    expect(changes.every(({ action }) => action === "create")).toBe(true);
    const plan = await calls.planConfiguration({ configuration });
    expect(plan.changes.every(({ action }) => action === "same")).toBe(true);
  }
});
