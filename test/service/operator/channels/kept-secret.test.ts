import { expect, test } from "vitest";
import { delivered, stopped } from "#service/notify/outcomes";
import { operatorScene } from "../../../support/operator-scene.ts";
import { byKey } from "../../../support/signed-in.ts";

const rules = { all_monitors: "yes", events: "error", time_zone: "UTC", name: "hook" };

test.each([
  ["that is accepted", delivered()],
  ["that fails", stopped("failing", "provider_failed", "it has a fault", 503)],
])("a new webhook's signing secret stays in sight after a test %s", async (_, outcome) => {
  const scene = await operatorScene({ pages: "signed in", days: 0, outcome: () => outcome });
  const ann = await byKey(scene, "write");
  const made = await ann.send("/channels/new/webhook", {
    ...rules,
    endpoint: "https://hook.test/",
  });
  const path = made.headers.get("location") ?? "";
  const page = await (await ann.get(path)).text();
  const [secret = "none"] = /whsec_[\w+/=]+/.exec(page) ?? [];
  const kept = (/name="kept" value="([^"]*)"/.exec(page)?.[1] ?? "").replaceAll("&amp;", "&");
  const tested = await ann.send("/channels/1/test", { kept });
  const next = tested.headers.get("location");
  const shown = next === null ? tested : await ann.get(next);
  expect(await shown.text()).toContain(secret);
  // Whoever does not come from there sees none, and no other address is led to.
  const plain = await ann.send("/channels/1/test", { kept: "notice=made" });
  expect(plain.headers.get("location") ?? "").not.toContain("made");
});
