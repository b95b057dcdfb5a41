import { expect, test } from "vitest";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { type OperatorScene, operatorScene } from "../../../support/operator-scene.ts";
import { byAccount, byKey } from "../../../support/signed-in.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

interface Found {
  readonly monitors: readonly { readonly name: string }[];
  readonly acts: readonly {
    readonly words: string;
    readonly path: string;
    readonly fields: object;
  }[];
  readonly places: readonly { readonly words: string; readonly note: string }[];
}

const findIn =
  ({ get }: { readonly get: OperatorScene["get"] | ((path: string) => Promise<Response>) }) =>
  async (text: string): Promise<Found> => {
    const query = new URLSearchParams({ text }).toString();
    return JSON.parse(await (await get(`/jump.json?${query}`)).text());
  };

test("the box finds reports and planned work by words of their titles, and the act of a page by its verb", async () => {
  const here = await operatorScene();
  await generatedPage(here.service);
  const find = findIn(here);
  expect((await find("payments slow")).places).toEqual([
    { words: "Card payments are slow", note: "Report", path: "/reports/1" },
  ]);
  expect((await find("DB upg")).places).toEqual([]);
  expect((await find("data upg")).places).toEqual([
    { words: "Database upgrade", note: "Maintenance", path: "/maintenances/1" },
  ]);
  expect((await find("report on acme")).places).toEqual([
    { words: "Report on Acme", note: "Status page", path: "/status-pages/1/reports/new" },
  ]);
  expect((await find("edit warehouse")).places).toEqual([
    { words: "Edit Warehouse", note: "Location", path: "/locations/2/edit" },
  ]);
});

test("the box reads the titles of reports alone, not all their updates at each letter", async () => {
  let reads = 0;
  const here = await operatorScene({
    opensStore: async (place) => {
      const store = await openStoreHere(place);
      const { reports } = store.pages;
      const list: typeof reports.list = (...asked) => {
        reads += 1;
        return reports.list(...asked);
      };
      return { ...store, pages: { ...store.pages, reports: { ...reports, list } } };
    },
  });
  await generatedPage(here.service);
  const before = reads;
  expect((await findIn(here)("payments slow")).places).toHaveLength(1);
  expect(reads).toBe(before);
});

test("the box finds an incident by its number, and offers to acknowledge one that waits", async () => {
  const here = await operatorScene();
  const find = findIn(here);
  const listed = JSON.parse(await (await here.get("/incidents.json?open=yes")).text());
  const number = String(listed.incidents[0].number);
  for (const text of [`incident ${number}`, `#${number}`, number])
    expect((await find(text)).places[0]).toMatchObject({
      note: "Open incident",
      path: `/incidents/${number}`,
    });
  expect((await find(`ack ${number}`)).acts[0]).toMatchObject({
    words: `Acknowledge incident ${number}`,
    path: `/incidents/${number}/acknowledge`,
  });
  expect((await find("incident 99999")).places).toEqual([]);
});

test("a beginning of acknowledge or incidents finds the open incidents, to whoever may do that", async () => {
  const here = await operatorScene({ pages: "signed in" });
  const find = findIn(await byKey(here, "write", "ops"));
  const listed = JSON.parse(
    await (await (await byKey(here, "write")).get("/incidents.json?state=open")).text(),
  ).incidents;
  const numbers: readonly number[] = listed.map(({ number }: { number: number }) => number);
  const waiting = listed.filter(
    ({ acknowledged_at: at }: { acknowledged_at: unknown }) => at === null,
  );
  expect(waiting.length).toBeGreaterThan(2);
  for (const text of ["ack", "Acknowledge"]) {
    const { acts, places } = await find(text);
    expect(acts.map(({ path }) => path)).toEqual(
      waiting.map(({ number }: { number: number }) => `/incidents/${number}/acknowledge`),
    );
    expect(acts[0]?.words).toMatch(/^Acknowledge \w/);
    expect(places).toContainEqual({
      words: "Open incidents",
      note: "Incidents",
      path: "/incidents?state=open",
    });
  }
  for (const text of ["inc", "incident", "incidents"])
    expect((await find(text)).places.slice(0, numbers.length)).toEqual(
      numbers.map((number) => ({
        words: expect.stringMatching(new RegExp(`^Incident ${number}: \\w`)),
        note: "Open incident",
        path: `/incidents/${number}`,
      })),
    );
  const reader = findIn(await byKey(here, "read", "reader"));
  expect((await reader("ack")).acts).toEqual([]);
  expect((await reader("inc")).places.length).toBeGreaterThan(2);
});

test("the box silences a monitor for each usual length, whichever verb people know", async () => {
  const here = await operatorScene();
  const lengths = [
    ["1h", "1 hour"],
    ["30m", "30 min"],
    ["4h", "4 hours"],
    ["24h", "1 day"],
  ];
  for (const text of ["silence billing", "mute billing"])
    expect((await findIn(here)(text)).acts).toEqual(
      lengths.map(([length, words]) => ({
        words: `Silence Billing API for ${words}`,
        note: "Monitor",
        path: "/monitors/2/silence",
        is_sent: true,
        fields: { length },
      })),
    );
  const { acts } = await findIn(here)("billing");
  expect(acts.filter(({ words }: { words: string }) => words.startsWith("Silence"))).toHaveLength(
    1,
  );
});

test("the theme is chosen from any page, which is shown again in it", async () => {
  const here = await operatorScene();
  const { acts } = await findIn(here)("dark");
  expect(acts).toEqual([
    {
      words: "Dark theme",
      note: "Here",
      path: "/settings/profile",
      is_sent: true,
      fields: { theme: "dark", back: "" },
    },
  ]);
  const page = await (await here.get("/")).text();
  const form = /name="form" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const sent = { form, theme: "dark", back: "/incidents?open=yes" };
  const answer = await here.post("/settings/profile", sent);
  expect(answer.headers.get("location")).toBe("/incidents?open=yes");
  expect(answer.headers.get("set-cookie")).toContain("dark");
  const away = await here.post("/settings/profile", { ...sent, back: "https://else.example/" });
  expect(away.headers.get("location")).toBe("/");
});

test("people and keys are found by owners alone", async () => {
  const here = await operatorScene({ pages: "signed in", days: 0 });
  const owner = await byAccount(here, "bob@acme.example", "owner");
  await byKey(here, "write", "deploys");
  const find = findIn(owner);
  expect((await find("Bob")).places).toEqual([
    { words: "bob", note: "Person", path: "/settings/people/1" },
  ]);
  expect((await find("deploys")).places).toEqual([
    { words: "deploys", note: "API key", path: "/settings/keys" },
  ]);
  expect((await find("sign out")).acts.map(({ words }) => words)).toEqual(["Sign out"]);
  const responder = findIn(await byAccount(here, "ann@acme.example", "responder"));
  for (const text of ["bob", "deploys"]) expect((await responder(text)).places).toEqual([]);
});

/** A monitor with this name, made by a call. */
async function madeMonitor({ service }: OperatorScene, name: string): Promise<void> {
  const { key } = await service.admin.createApiKey({ name, scope: "write" });
  const made = await fetch(
    `${service.url}/rpc/openstatus.monitor.v1.MonitorService/CreateTCPMonitor`,
    {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-key": key },
      body: JSON.stringify({
        monitor: { name, uri: "127.0.0.1:18101", periodicity: "PERIODICITY_1M", active: true },
      }),
    },
  );
  expect(made.status).toBe(200);
}

test("a monitor is found without its accents, and by its words in any order, by the box and by the list", async () => {
  const here = await operatorScene({ days: 0 });
  await madeMonitor(here, "Müller & Söhne");
  for (const text of ["muller", "sohne Müller", "MÜLLER 18101"]) {
    const { monitors } = await findIn(here)(text);
    expect(monitors.map(({ name }) => name)).toEqual(["Müller & Söhne"]);
    const query = new URLSearchParams({ text }).toString();
    const list = JSON.parse(await (await here.get(`/overview.json?${query}`)).text());
    expect(list.monitors).toHaveLength(1);
  }
});

test("a monitor with the whole name is first, then one whose name begins so, and what is done is done with that one", async () => {
  const here = await operatorScene({ days: 0 });
  for (const name of ["DNS shop", "shop db", "shop d"]) await madeMonitor(here, name);
  const { monitors, acts } = await findIn(here)("shop d");
  expect(monitors.map(({ name }) => name)).toEqual(["shop d", "shop db", "DNS shop"]);
  expect(acts.map(({ words }) => words)).toContain("Pause shop d");
  expect(acts.map(({ words }) => words)).not.toContain("Pause DNS shop");
  const [first] = (await findIn(here)("pause shop d")).acts;
  expect(first?.words).toBe("Pause shop d");
});

test("a URL, host:port or command leads to the form of a new monitor that is filled in from it", async () => {
  const here = await operatorScene({ days: 0 });
  const find = findIn(here);
  for (const [text, words] of [
    ["https://shop.test/health", "New HTTP monitor: https://shop.test/health"],
    ["db.test:5432", "New TCP monitor: db.test:5432"],
    ["dig +short acme.test @10.0.0.53", "New DNS monitor: acme.test"],
    ["nc -zv db.test 22", "New TCP monitor: db.test:22"],
    ["wget -qO- https://shop.test/", "New HTTP monitor: https://shop.test/"],
  ] as const) {
    const query = new URLSearchParams({ paste: text }).toString();
    const [place] = (await find(text)).places;
    expect(place).toEqual({
      words: expect.stringContaining(words),
      note: "Create",
      path: `/monitors/new?${query}`,
    });
  }
  const page = await (await here.get("/monitors/new?paste=nc+-zv+db.test+22")).text();
  expect(page).toContain("Filled in from the nc command.");
});

test("a word, and what may have a secret, leads to no form: an address would keep it", async () => {
  const find = findIn(await operatorScene({ days: 0 }));
  for (const text of [
    "shop.test",
    "pause a",
    "ping",
    "dig @10.0.0.53",
    "https://ann:pw@shop.test/",
    "https://shop.test/?token=a",
    "curl -H 'x-key: a' https://shop.test/",
    "curl -d a=b https://shop.test/",
  ])
    expect((await find(text)).places, text).toEqual([]);
});
