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
  expect(warehouse).toMatch(
    /Failing Stock HTTP stock\.warehouse\.internal timeout for 42 min The name server/,
  );
  expect(office).toMatch(/Failing Billing API HTTP .* timeout for 14 min Timeout after 5 000 ms/);
  expect(warehouse).toMatch(/Failing Billing API .*Failing Stock .*Degraded Intranet .*Passing CI/);
  expect(warehouse).toContain("All 9 monitors at this location");
  expect(await (await get("/locations/2")).text()).toContain('<a href="/?location=2"');
  expect(warehouse).toContain("States are as this location sees them");
});
