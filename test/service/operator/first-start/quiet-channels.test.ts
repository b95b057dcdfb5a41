import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { sentForm } from "../../../support/sent-form.ts";

const words = (page: string): string => page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

/** A channel that is made at 12:00 UTC, quiet until 18:00. */
async function quietChannel() {
  const { get, post } = await operatorScene();
  const path = "/channels/new/slack";
  const form = sentForm(await (await get(path)).text(), path);
  const typed = {
    name: "Night",
    webhook_url: "https://hooks.slack.com/services/T0/B0/night",
    "quiet_hours[0].days": "mon,tue,wed,thu,fri,sat,sun",
    "quiet_hours[0].from": "11:00",
    "quiet_hours[0].to": "18:00",
    time_zone: "UTC",
  };
  for (const [name, value] of Object.entries(typed)) form.set(name, value);
  const made = await post(path, form);
  expect(made.status).toBe(303);
  const page = words(await (await get(made.headers.get("location") ?? "")).text());
  return { page, start: words(await (await get("/start")).text()) };
}

test("a channel that is made in its quiet hours says until when it is quiet", async () => {
  const { page, start } = await quietChannel();
  expect(page).toMatch(/Created\. .*Night is quiet until 18:00 UTC , and gets its messages then\./);
  expect(start).toMatch(
    /get a message within seconds\. Night is quiet until 18:00 UTC , and gets its messages then\./,
  );
});
