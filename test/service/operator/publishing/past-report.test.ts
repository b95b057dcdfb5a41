import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

/** It is 12:00 on 22 November; the page is published, and one program subscribes to it. */
async function pastScene() {
  const { service, get, post } = await operatorScene({ days: 1 });
  await generatedPage(service);
  const form = formTokenIn(await (await get("/status-pages/1")).text());
  const send = (path: string, fields: Readonly<Record<string, string>>) =>
    post(path, { form, ...fields });
  await send("/settings/service", { address: "https://picket.test" });
  await send("/status-pages/1/subscribers", { webhook_url: "https://chat.test/planted" });
  const past = (fields: Readonly<Record<string, string>>) =>
    send("/status-pages/1/reports/new", {
      title: "Desk",
      status: "resolved",
      message: "A cable was cut.",
      notify: "yes",
      ...fields,
    });
  return { service, get, past };
}

const began = "2026-11-22T08:05";
const ended = "2026-11-22T09:35:00Z";

test("a report of what is over is written by one form: it began, it ended, and it is sent to no one", async () => {
  const { service, get, past } = await pastScene();
  const answer = await past({ date: began, ended });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/reports/3?notice=past"]);
  const { updates } = JSON.parse(await (await get("/reports/3.json")).text());
  expect(updates).toMatchObject([
    { at: "2026-11-22T09:35:00.000Z", status: "resolved", message: "A cable was cut." },
    {
      at: "2026-11-22T08:05:00.000Z",
      status: "investigating",
      message: "We are investigating the problem.",
    },
  ]);
  const page = await (await fetch(`${service.url}/status/acme/events/report/3`)).text();
  expect(page).toContain("Lasted 1 hr, 30 min");
  const own = await (await get("/reports/3?notice=past")).text();
  expect(own).toContain("It has ended, so it is sent to no one.");
  // Without letters, that is also what the notice of a report that goes on says.
  expect(await (await get("/reports/3?notice=reported")).text()).toContain("It is sent to no one");
});

test("words for another state than resolved are said of the beginning", async () => {
  const { get, past } = await pastScene();
  await past({ date: began, ended, status: "identified" });
  const { updates } = JSON.parse(await (await get("/reports/3.json")).text());
  expect(updates).toMatchObject([
    { status: "resolved", message: "The problem is resolved." },
    { status: "identified", message: "A cable was cut." },
  ]);
});

test("an end before the beginning, in the future or without a beginning is refused at its field", async () => {
  const { past } = await pastScene();
  for (const [fields, field, words] of [
    [{ date: began, ended: "2026-11-22T08:04" }, "ended", "It must not be before it began."],
    [{ date: began, ended: "2026-11-22T12:01" }, "ended", "It must not be in the future."],
    [{ ended }, "date", "It is required, as it has ended."],
    [{ date: began }, "ended", "It is missing: it is resolved and began earlier, so it ended."],
  ] as const) {
    const answer = await past(fields);
    const shown = await answer.text();
    const [, said = ""] = new RegExp(`${field}-wrong">\\s*([^<]*)`).exec(shown) ?? [];
    expect([answer.status, said.trim()]).toEqual([422, words]);
  }
});

test("the preview of what is over has its end, and says that it is sent to no one", async () => {
  const { past } = await pastScene();
  const shown = await (await past({ date: began, ended, preview: "part" })).text();
  const states = [...shown.matchAll(/<strong>(Resolved|Investigating)<\/strong>/g)];
  expect(states.map(([, state]) => state)).toEqual(["Resolved", "Investigating"]);
  expect(shown).toContain("It has ended: it is sent to no one.");
  expect(shown).not.toContain("Their mail is called");
});
