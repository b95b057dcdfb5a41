import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";

const wordsOf = (page: string): string => page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

test("a location's page has its monitors as that location sees them, and for how long", async () => {
  const { get } = await operatorScene();
  // A target's end is a part of its own.
  const at = async (path: string): Promise<string> =>
    wordsOf((await (await get(path)).text()).replaceAll(/<\/span\s*><span class="ends">/g, ""));
  const office = await at("/locations/1");
  const warehouse = await at("/locations/2");
  expect(office).toMatch(/Passing Stock HTTP stock\.warehouse\.internal/);
  expect(office).not.toContain("dns_timeout");
  expect(warehouse).toMatch(/Failing Stock .* For 42 min at Warehouse\. The name server/);
  expect(office).toMatch(/Failing Billing API .* For 14 min at Office\. Timeout after 5 000 ms/);
  expect(warehouse).toContain("Their states are as this location sees them");
});
