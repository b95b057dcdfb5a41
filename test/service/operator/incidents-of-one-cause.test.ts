import { expect, test } from "vitest";
import { tcpDefaults } from "#check/definition";
import { applyFile } from "../../support/applied-file.ts";
import { operatorScene } from "../../support/operator-scene.ts";
import { sentForm } from "../../support/sent-form.ts";
import { byKey } from "../../support/signed-in.ts";

/** Those of the button of a row. */
const numbersOfCause = /<form class="next"[^>]*>(?:(?!<\/form>).)*name="numbers" value="([^"]*)"/s;
const wordsIn = (page: string): string => page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

test("all open incidents of one cause are acknowledged in one act, and those of others are not", async () => {
  const scene = await operatorScene({ pages: "signed in" });
  const ann = await byKey(scene, "write");
  const incidents = async () =>
    JSON.parse(await (await ann.get("/incidents.json?state=open")).text()).incidents;
  const before = await incidents();
  const page = await (await ann.get("/incidents")).text();
  expect(wordsIn(page)).toMatch(
    /3 monitors: DNS timeout for 42 min The name server .* dns_timeout while resolving the name at Warehouse Acknowledge all 3 /,
  );
  const numbers = numbersOfCause.exec(page)?.[1] ?? "";
  expect(numbers).toBe("4-6");
  for (const wrong of ["", "4-", "6-4", "1-10001", "4;5"]) {
    const refused = await ann.send("/incidents/acknowledge", { numbers: wrong });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toMatch(/One press is for 1 to 10\s000 incidents/);
  }
  expect(await incidents()).toEqual(before);
  const led = await ann.send("/incidents/acknowledge", { numbers });
  expect(led.headers.get("location")).toMatch(/^\/incidents\?acknowledged=done\.3\.0&undo=/);
  const after = await incidents();
  const open = (all: typeof before): readonly string[] =>
    all
      .filter(({ acknowledged_at: at }: { readonly acknowledged_at: unknown }) => at === null)
      .map(({ cause: own }: { readonly cause: string }) => own.split(" ")[1] ?? "");
  expect(open(before)).toContain("dns_timeout");
  expect(open(after)).toEqual(open(before).filter((code) => code !== "dns_timeout"));
  const again = wordsIn(await (await ann.get("/incidents")).text());
  expect(again).toMatch(
    /dns_timeout while resolving the name at Warehouse acknowledged by the key “ops” Printer queue, Scanner, Stock /,
  );
  expect(wordsIn(await (await ann.get("/")).text())).toContain("All are acknowledged.");
  const gone = await ann.send("/incidents/acknowledge", { numbers });
  expect(gone.headers.get("location")).toBe("/incidents?notice=no-cause");
  const reader = await byKey(scene, "read", "reader");
  expect((await reader.send("/incidents/acknowledge", { numbers })).status).toBe(403);
  expect(await (await reader.get("/incidents")).text()).not.toContain('name="numbers"');
});

test("all open incidents that a filter finds are acknowledged in one act, and no others", async () => {
  const scene = await operatorScene({ pages: "signed in" });
  const ann = await byKey(scene, "write");
  const form = /<form class="acts" method="post"[^>]*>(.*?)<\/form>/s;
  const formOn = async (path: string): Promise<string> =>
    form.exec(await (await ann.get(path)).text())?.[1] ?? "";
  const reader = await byKey(scene, "read", "reader");
  expect(await (await reader.get("/incidents")).text()).not.toMatch(form);
  expect(await formOn("/incidents?state=over")).toBe("");
  // One of monitor 7 alone has the button in its row.
  expect(await formOn("/incidents?monitor=7")).toBe("");
  expect(wordsIn(await formOn("/incidents"))).toContain("Acknowledge the other 4");
  const some = await formOn("/incidents?location=2&state=open");
  expect(wordsIn(some)).toContain("Acknowledge the other 4");
  const [, numbers = ""] = /name="numbers" value="([^"]*)"/.exec(some) ?? [];
  const [, back = ""] = /name="back" value="([^"]*)"/.exec(some) ?? [];
  const led = await ann.send("/incidents/acknowledge", { numbers, back: "/incidents?state=open" });
  expect(back).toContain("state=open");
  const done = led.headers.get("location") ?? "";
  expect(done).toMatch(/^\/incidents\?state=open&acknowledged=done\.4\.0&undo=/);
  expect(await formOn("/incidents")).toBe("");
  const shown = await (await ann.get(done)).text();
  expect(wordsIn(shown)).toMatch(
    /4 incidents are acknowledged: no reminders follow until one is worse or opens again\. You can undo this until \d/,
  );
  // The same filter again, and no notice.
  const undo = Object.fromEntries(sentForm(shown, "/incidents/acknowledge/undo"));
  expect(undo["back"]).toBe("/incidents?state=open");
  const readerOfIt = await byKey(scene, "read", "reader");
  expect((await readerOfIt.send("/incidents/acknowledge/undo", undo)).status).toBe(403);
  const undone = await ann.send("/incidents/acknowledge/undo", undo);
  const after = await (await ann.get(undone.headers.get("location") ?? "")).text();
  expect(wordsIn(after)).toContain(
    "Undone: 4 incidents are not acknowledged, as before. Reminders follow again.",
  );
  expect(wordsIn(await formOn("/incidents"))).toContain("Acknowledge the other 4");
  expect(wordsIn(await (await ann.get("/changes")).text())).toContain(
    "took back the acknowledgement of 4 incidents",
  );
  const late = await ann.send("/incidents/acknowledge/undo", undo);
  expect(wordsIn(await (await ann.get(late.headers.get("location") ?? "")).text())).toContain(
    "It can no longer be undone",
  );
});

test("what fails after a page was shown is not acknowledged by its button", async () => {
  const scene = await operatorScene({ pages: "signed in" });
  const ann = await byKey(scene, "write");
  const page = await (await ann.get("/incidents")).text();
  const numbers = numbersOfCause.exec(page)?.[1] ?? "";
  // As the page was before the third of them failed.
  expect(numbers).toBe("4-6");
  await ann.send("/incidents/acknowledge", { numbers: "4-5" });
  const seen = async (number: number): Promise<string> =>
    (await ann.get(`/incidents/${number}.json`)).text();
  expect(await Promise.all([4, 5, 6].map(seen))).toEqual([
    expect.not.stringContaining('"acknowledged_at":null'),
    expect.not.stringContaining('"acknowledged_at":null'),
    expect.stringContaining('"acknowledged_at":null'),
  ]);
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

test("a monitor of files that no location checks says what to write in its file, and leads to no form", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const ann = await byKey(scene, "write");
  const tcp = { name: "alone", uri: "db.test:5432", periodicity: "PERIODICITY_1M", active: true };
  await applyFile(scene.service, { owner: "web", monitors: [{ config: { tcp } }] });
  const overview = await (await ann.get("/")).text();
  const next = "Name one in its file, for example locations: [office] .";
  expect(wordsIn(overview)).toContain(`No location checks it. ${next}`);
  const page = await (await ann.get("/monitors/1")).text();
  expect(wordsIn(page)).toContain(`Nothing checks this monitor: it has no location. ${next}`);
  expect(`${overview}${page}`).not.toContain("#field-locations");
});
