import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";

const tokenIn = (page: string): string => /name="form" value="([^"]+)"/.exec(page)?.[1] ?? "";

test("an update is for the subscribers if one before it was sent to them, and a first report if the page has some", async () => {
  const { get, post } = await operatorScene();
  const form = tokenIn(await (await get("/status-pages/new")).text());
  const send = async (path: string, fields: Record<string, string>): Promise<number> =>
    (await post(path, { form, ...fields })).status;
  const isTicked = async (path: string): Promise<boolean> =>
    /name="notify"\s+value="yes"\s+checked/.test(await (await get(path)).text());
  await send("/status-pages", { title: "Acme", slug: "acme" });
  await send("/status-pages/1/parts", { name: "Shop" });
  await send("/status-pages/1/publish", {});
  await send("/settings/service", { address: "https://picket.test" });
  const report = { title: "Slow", status: "investigating", message: "We look." };
  const path = "/status-pages/1/reports/new";
  expect(await isTicked(path)).toBe(false);
  expect([await send(path, report), await send(path, { ...report, notify: "yes" })]).toEqual([
    303, 303,
  ]);
  for (const query of ["", "?status=resolved", "?fill=recovered"])
    expect([
      query,
      await isTicked(`/reports/1${query}`),
      await isTicked(`/reports/2${query}`),
    ]).toEqual([query, false, true]);
  // A quiet update changes nothing of that; one that is sent does.
  await send("/reports/2", { status: "identified", message: "A switch." });
  await send("/reports/1", { status: "identified", message: "A switch.", notify: "yes" });
  expect([await isTicked("/reports/1"), await isTicked("/reports/2")]).toEqual([true, true]);
  const words = await (await get("/reports/1")).text();
  // Whom it reaches depends on what is ticked, which comes before the message that follows it.
  const places = [">State<", ">Components<", ">Impact<", ">Message<", "Who gets it"];
  const found = places.map((one) => words.indexOf(one));
  expect([found, found.includes(-1)]).toEqual([found.toSorted((a, b) => a - b), false]);
  await send("/status-pages/1/subscribers", { webhook_url: "https://chat.test/planted" });
  expect(await isTicked(path)).toBe(true);
});
