import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { byKey } from "../../../support/signed-in.ts";

test("a new monitor's form says which channels get it without being ticked", async () => {
  const ann = await byKey(await operatorScene({ pages: "signed in", days: 0 }), "write");
  expect(await ann.text("/monitors/new")).toContain("There is none to tick yet.");
  const slack = {
    webhook_url: "https://hooks.slack.com/services/T0/B0/x",
    events: "error",
    time_zone: "UTC",
    all_monitors: "yes",
  };
  await ann.send("/channels/new/slack", { ...slack, name: "ops" });
  const page = await ann.text("/monitors/new");
  expect(page).toContain("ops is for all monitors and gets this one, too");
  // Only locations are still to be made.
  expect(page.split("There is none to tick yet.").length - 1).toBe(2);
});
