import { expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import * as limits from "#limits/check-limits";
import { operatorScene } from "../../../support/operator-scene.ts";
import { sentForm } from "../../../support/sent-form.ts";

/** Two monitors, and the bar of the overview: what is sent with it, and the page that comes back. */
async function barOfTwo() {
  const { service, get, post } = await operatorScene({ days: 0 });
  for (const name of ["web 1", "web 2"])
    await service.admin.createMonitor(
      { ...httpDefaults, name, url: "https://web.test/", periodicity: "1m", active: false },
      "management",
    );
  const send = async (path: string, fields: Readonly<Record<string, string>>) => {
    const sent = sentForm(await (await get("/")).text(), "/monitors/many");
    for (const [name, value] of Object.entries(fields)) sent.set(name, value);
    const answer = await post(path, sent);
    return { status: answer.status, page: (await answer.text()).replaceAll(/\s+/g, " ") };
  };
  const labels = async (): Promise<readonly object[]> =>
    JSON.parse(await (await get("/overview.json")).text()).monitors.map(
      (one: { labels: object }) => one.labels,
    );
  return { send, labels };
}

const picked = /value="2" form="many" checked/;

test("an empty label is refused on the list, with the monitors still selected and the value still typed", async () => {
  const { send, labels } = await barOfTwo();
  for (const act of ["label", "unlabel"]) {
    const { status, page } = await send("/monitors/many", {
      act,
      key: " ",
      value: "shop",
      monitor: "2",
    });
    expect(status).toBe(422);
    expect(page).toContain("Nothing is changed: the label is empty.");
    expect(page).toMatch(picked);
    expect(page).toMatch(/<details name="many" class="drop" open> <summary class="button">Label/);
    expect(page).toMatch(/name="value" value="shop"/);
  }
  expect(await labels()).toEqual([{}, {}]);
});

test.each([
  [
    "a".repeat(limits.locationLabelCharsMax + 1),
    "shop",
    "have a name that is not 1 to 64 characters long",
  ],
  ["{{secret:A}}", "shop", "name a secret: labels are shown to people"],
  [
    "team",
    "a".repeat(limits.locationValueCharsMax + 1),
    "have a value that is longer than 256 characters",
  ],
])(
  "the label %s of many monitors is refused at its field in the words of a monitor's form",
  async (key, value, words) => {
    const { send, labels } = await barOfTwo();
    const { status, page } = await send("/monitors/many", {
      act: "label",
      key,
      value,
      monitor: "2",
    });
    expect(status).toBe(422);
    expect(page).toMatch(new RegExp(`id="many-label-wrong" role="alert">Labels ${words}`));
    expect(page).toMatch(/name="key"[^>]*aria-invalid="true" aria-describedby="many-label-wrong"/);
    expect(page).toContain(`value="${value}"`);
    expect(page).toMatch(picked);
    expect(await labels()).toEqual([{}, {}]);
  },
);

test("a silence and a label with nothing selected are kept as they were typed", async () => {
  const { send } = await barOfTwo();
  const silence = { length: "own", count: "7", unit: "d", reason: "move to the new hall" };
  const silenced = await send("/monitors/many/silence", silence);
  expect(silenced.status).toBe(422);
  expect(silenced.page).toContain("Nothing is selected: tick the boxes of monitors first.");
  expect(silenced.page).toContain('value="move to the new hall"');
  expect(silenced.page).toMatch(/value="own" checked/);
  expect(silenced.page).toMatch(/<section class="card many"[^>]* data-refused/);
  const labelled = await send("/monitors/many", { act: "label", key: "team", value: "shop" });
  expect(labelled.page).toContain("Nothing is selected: tick the boxes of monitors first.");
  expect(labelled.page).toMatch(/name="key" value="team"/);
});
