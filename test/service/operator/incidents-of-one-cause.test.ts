import { expect, test } from "vitest";
import { tcpDefaults } from "#check/definition";
import { operatorScene } from "../../support/operator-scene.ts";
import { byKey } from "../../support/signed-in.ts";

const wordsIn = (page: string): string => page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

test("all open incidents of one cause are acknowledged in one act, and those of others are not", async () => {
  const scene = await operatorScene({ pages: "signed in" });
  const ann = await byKey(scene, "write");
  const incidents = async () =>
    JSON.parse(await (await ann.get("/incidents.json?state=open")).text()).incidents;
  const before = await incidents();
  const page = await (await ann.get("/incidents")).text();
  expect(wordsIn(page)).toMatch(
    /3 incidents for 42 min The name server .* dns_timeout while resolving the name at Warehouse Acknowledge all 3 /,
  );
  const cause = /name="cause" value="([^"]*)"/.exec(page)?.[1]?.replaceAll("&quot;", '"') ?? "";
  expect(cause).toContain('["Warehouse"]');
  const renamed = await ann.send("/incidents/acknowledge", {
    cause: cause.replace("Warehouse", "Depot"),
  });
  expect(renamed.headers.get("location")).toBe("/incidents?notice=changed");
  expect(await incidents()).toEqual(before);
  // As the page was while one more location saw it, and as another status.
  const spread = cause
    .replace('["Warehouse"]', '["Depot","Warehouse"]')
    .replace("error", "degraded");
  expect(spread).not.toBe(cause);
  const led = await ann.send("/incidents/acknowledge", { cause: spread });
  expect(led.headers.get("location")).toBe("/incidents?notice=cause-acknowledged");
  const after = await incidents();
  const open = (all: typeof before): readonly string[] =>
    all
      .filter(({ acknowledged_at: at }: { readonly acknowledged_at: unknown }) => at === null)
      .map(({ cause: own }: { readonly cause: string }) => own.split(" ")[1] ?? "");
  expect(open(before)).toContain("dns_timeout");
  expect(open(after)).toEqual(open(before).filter((code) => code !== "dns_timeout"));
  const again = wordsIn(await (await ann.get("/incidents")).text());
  expect(again).toMatch(
    /dns_timeout while resolving the name at Warehouse acknowledged by \S+ Printer queue, Scanner, Stock /,
  );
  expect(wordsIn(await (await ann.get("/")).text())).toContain("All are acknowledged.");
  const gone = await ann.send("/incidents/acknowledge", { cause: "[]" });
  expect(gone.headers.get("location")).toBe("/incidents?notice=no-cause");
  const reader = await byKey(scene, "read", "reader");
  expect((await reader.send("/incidents/acknowledge", { cause })).status).toBe(403);
  expect(await (await reader.get("/incidents")).text()).not.toContain('name="cause"');
});

test("a monitor that no location checks says so, with the next step", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const ann = await byKey(scene, "write");
  const typed = { name: "alone", uri: "db.test:5432", periodicity: "1m", active: true };
  await scene.service.admin.createMonitor({ ...tcpDefaults, ...typed }, "management");
  const page = await (await ann.get("/")).text();
  expect(wordsIn(page)).toContain("No location checks it: choose one");
  expect(page).toContain('href="/monitors/1/edit#field-locations"');
});
