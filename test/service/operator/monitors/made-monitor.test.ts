import { expect, test } from "vitest";
import { applyFile } from "../../../support/applied-file.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";
import { sentForm } from "../../../support/sent-form.ts";

test.each([
  ["team-net", "/locations/new", "Every location belongs to files: make a location here"],
  [null, "/monitors/1/edit#field-locations", "Choose where it runs"],
])(
  "a new monitor that no location has says so, and its next step, with a location of %s",
  async (owner, link, words) => {
    const { get, post, service } = await operatorScene({ days: 0 });
    if (owner !== null) await applyFile(service, { owner, locations: [{ name: "office" }] });
    const typed = sentForm(await (await get("/monitors/new")).text(), "/monitors/new");
    typed.set("url", "https://shop.test/");
    const made = await post("/monitors/new", typed);
    const text = (await (await get(made.headers.get("location") ?? "")).text()).replaceAll(
      /\s+/g,
      " ",
    );
    expect(text).toContain("The monitor is created. It runs at no location yet.");
    expect(text).not.toContain("first check comes");
    const [, notice = ""] =
      /<p class="notice">( Nothing checks this monitor.*?)<\/p>/.exec(text) ?? [];
    expect(notice).toContain(`href="${link}"`);
    expect(notice.replaceAll(/<[^>]*>/g, "")).toContain(words);
  },
);

test("a new monitor that a location has says at which it runs", async () => {
  const { get, post } = await operatorScene({ days: 0 });
  const form = formTokenIn(await (await get("/locations/new")).text());
  await post("/locations/new", { form, name: "office" });
  const typed = sentForm(await (await get("/monitors/new")).text(), "/monitors/new");
  typed.set("url", "https://shop.test/");
  const made = await post("/monitors/new", typed);
  const text = (await (await get(made.headers.get("location") ?? "")).text()).replaceAll(
    /\s+/g,
    " ",
  );
  expect(text).toContain("The monitor is created. It runs at office. Its first check comes within");
});

test("a new monitor that is saved as paused promises no first check", async () => {
  const { get, post } = await operatorScene({ days: 0 });
  const typed = sentForm(await (await get("/monitors/new")).text(), "/monitors/new");
  typed.set("url", "https://shop.test/");
  typed.delete("active");
  const made = await post("/monitors/new", typed);
  const text = (await (await get(made.headers.get("location") ?? "")).text()).replaceAll(
    /\s+/g,
    " ",
  );
  expect(text).toContain("The monitor is created. Paused: nothing is checked until it is resumed.");
  expect(text).not.toContain("first check comes");
});
