import { expect, test } from "vitest";
import type { IncidentsQuery } from "#service/store/alert-store";
import { alertedOffice } from "../../alerts/alerted-office.ts";
import { reading } from "../../../support/reading-pages.ts";
import { notedIncident } from "../../../support/noted-incident.ts";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

const ungroupedMade = 60;

test("incidents of one cause are one row of the list, and every other one is a row of one page", async () => {
  const { database, clock, get } = await operatorScene();
  await using store = await openStoreHere({ database, use: "command", onProgress: () => {} });
  for (let made = 0; made < ungroupedMade; made += 1)
    await store.alerts.incidents.note(
      notedIncident({ kind: "channel", id: 1_000 + made }, clock.wall()),
    );
  const pageAt = async (path: string): Promise<string> => (await get(path)).text();
  const listed = (page: string): readonly number[] =>
    [...page.matchAll(/<h3><a href="\/incidents\/(\d+)">/g)].map(([, number]) => Number(number));
  const first = await pageAt("/incidents");
  // Stock, Scanner and Printer queue fail for one cause.
  expect(first).toContain("65 open incidents, 63 causes");
  for (const state of ["", "state=open&"]) {
    const pages = [
      await pageAt(`/incidents?${state}`),
      await pageAt(`/incidents?${state}offset=50`),
    ];
    const all = pages.flatMap(listed);
    const rows = pages.join("").split('<li class="incident event outage').length - 1;
    const over = state === "" ? [2, 1] : [];
    const open = Array.from({ length: ungroupedMade + 1 }, (_, index) => 67 - index);
    expect(all).toEqual([...open, 3, ...over]);
    expect(rows).toBe(all.length + 1);
    expect(pages[1]).toContain(`51 to ${rows} of ${rows}`);
    expect(pages[0]).not.toContain("<h3>3 monitors: DNS timeout</h3>");
    expect(pages[1]).toContain("<h3>3 monitors: DNS timeout</h3>");
  }
  expect(first).toMatch(/All <span class="count">67<\/span>/);
  // What is narrowed has the groups of what it finds; they can be taken apart.
  expect(listed(await pageAt("/incidents?location=2"))).toEqual([7, 3, 2]);
  expect(listed(await pageAt("/incidents?location=2&grouped=no"))).toEqual([7, 6, 5, 4, 3, 2]);
  expect(listed(await pageAt("/incidents?monitor=7"))).toEqual([4]);
  // Those that are over are listed without a look at the rows of the open ones, which are counted still.
  const over = await pageAt("/incidents?state=over");
  expect(listed(over)).toEqual([2, 1]);
  expect(over).toContain("65 open incidents");
  expect(over).not.toContain("causes");
});

test("a look at the list reads the incidents of its page alone, with and without rows of one cause", async () => {
  const read: number[] = [];
  const scene = await operatorScene({
    opensStore: async (place) => {
      const opened = await openStoreHere(place);
      const all = opened.alerts.incidents;
      const incidents = {
        ...all,
        list: async (asked: IncidentsQuery) => {
          const found = await all.list(asked);
          if (asked.isOpen === true && asked.kind === null) read.push(found.incidents.length);
          return found;
        },
        named: async (numbers: readonly number[]) => {
          const found = await all.named(numbers);
          read.push(found.length);
          return found;
        },
      };
      return { ...opened, alerts: { ...opened.alerts, incidents } };
    },
  });
  await using store = await openStoreHere({
    database: scene.database,
    use: "command",
    onProgress: () => {},
  });
  for (let made = 0; made < ungroupedMade; made += 1)
    await store.alerts.incidents.note(
      notedIncident({ kind: "channel", id: 1_000 + made }, scene.clock.wall()),
    );
  for (const path of ["/incidents", "/incidents?state=open&grouped=no", "/incidents?offset=50"]) {
    read.length = 0;
    const page = await (await scene.get(path)).text();
    expect(page).toContain("65 open incidents");
    expect(read).toHaveLength(1);
    expect(read[0]).toBeLessThanOrEqual(50);
    expect(read[0]).toBeGreaterThan(0);
  }
});

test("a resolved incident says what was wrong, with the code next to it", async () => {
  const { get } = await operatorScene();
  const page = await (await get("/incidents?state=over")).text();
  const rows = page.split('<li class="incident event outage over">').slice(1);
  const words = rows.map((row) => row.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " "));
  expect(words[0]).toContain("Timeout after 5 000 ms: no complete response head came Incident 2");
  expect(words[0]).toContain("response_timeout while waiting for the answer at Office");
  expect(words[1]).toContain("Connection refused (10.20.0.31:5432) Incident 1");
  expect(rows[1]).toContain('<a href="/failures#connection_refused">');
});

test("an incident of a monitor that was just deleted stays in the list, with its name, and is not open", async () => {
  const { get, post } = await operatorScene();
  const before = await (await get("/incidents")).text();
  const form = formTokenIn(before);
  await post("/monitors/2/delete", { form });
  const rows = async (query: string): Promise<readonly string[]> =>
    (await (await get(`/incidents${query}`)).text())
      .replaceAll(/\s+/g, " ")
      .split('<li class="incident event outage')
      .filter((row) => row.includes('<a href="/incidents/7">'));
  for (const query of ["", "?state=over", "?monitor=2"]) {
    const [row = ""] = await rows(query);
    expect(row).toContain("Monitor deleted");
    expect(row).toContain("Billing API");
    expect(row).toContain("can be restored");
  }
  expect(await rows("?state=open")).toEqual([]);
});

test("the browser's tab and the page say that a monitor is paused before its incident closes", async () => {
  const { get, post } = await operatorScene();
  const form = formTokenIn(await (await get("/incidents")).text());
  await post("/monitors/2/pause", { form });
  const page = await (await get("/incidents/7")).text();
  expect(page).toContain("<title>Paused · Billing API · Picket</title>");
});

test("the rows of the list say which monitors are silenced, those of one cause together", async () => {
  const { get, post } = await operatorScene();
  const form = formTokenIn(await (await get("/incidents")).text());
  for (const id of [2, 7]) await post(`/monitors/${id}/silence`, { form, length: "1h" });
  const page = (await (await get("/incidents")).text()).replaceAll(/\s+/g, " ");
  expect(page).toMatch(
    /Billing API<\/a ?> ?<span class="chip until"[^>]*>Silenced<span class="when" ?> until/,
  );
  expect(page).toMatch(/3 monitors: DNS timeout ?<span class="chip until" ?>Silenced: 1 of 3/);
});

test("what no one has acknowledged comes first, then what fails before what is slow, then the newest", async () => {
  const { get, post } = await operatorScene();
  const text = async (path: string): Promise<string> => (await get(path)).text();
  // Printer queue, Scanner and Stock are 4 to 6, and fail for one cause; 3 is slow, and acknowledged.
  const ordered = async (path: string): Promise<readonly string[]> =>
    [...(await text(path)).matchAll(/<h3>(?:<a href="\/incidents\/(\d+)">|(3 monitors))/g)].map(
      ([, number = "group"]) => number,
    );
  const form = formTokenIn(await text("/incidents"));
  const act = (path: string) => post(path, { form });
  expect(await ordered("/incidents")).toEqual(["7", "group", "3", "2", "1"]);
  await act("/incidents/3/take-back");
  await act("/incidents/7/acknowledge");
  expect(await ordered("/incidents")).toEqual(["group", "3", "7", "2", "1"]);
  expect(await ordered("/incidents?state=open&grouped=no")).toEqual(["6", "5", "4", "3", "7"]);
  const { incidents } = JSON.parse(await text("/incidents.json"));
  const numbers = incidents.map(({ number }: { readonly number: number }) => number);
  expect(numbers).toEqual([6, 5, 4, 3, 7, 2, 1]);
  // A row of one cause has the place of the most urgent of them.
  for (const number of [5, 6]) await act(`/incidents/${number}/acknowledge`);
  expect(await ordered("/incidents")).toEqual(["group", "3", "7", "2", "1"]);
  await act("/incidents/4/acknowledge");
  expect(await ordered("/incidents")).toEqual(["3", "7", "group", "2", "1"]);
  for (const path of ["/incidents", "/incidents?state=open"])
    expect(await text(path)).toContain("Unacknowledged first, then the worst, then the newest.");
  expect(await text("/incidents?state=over")).toContain("The newest comes first.");
});

test("the list for programs has of each incident how long it was down, as its own document has it", async () => {
  const { get } = await operatorScene();
  const read = async (path: string) => JSON.parse(await (await get(path)).text());
  const { incidents } = await read("/incidents.json");
  const downOf = new Map<number, number | null>(
    incidents.map((one: { readonly number: number; readonly down_ms: number | null }) => [
      one.number,
      one.down_ms,
    ]),
  );
  const own: (readonly [number, number | null])[] = [];
  for (const number of downOf.keys())
    own.push([number, (await read(`/incidents/${number}.json`)).down_ms]);
  expect([...downOf]).toEqual(own);
  // One that is over, and one that was only slow.
  expect(downOf.get(1)).toBeGreaterThan(3_600_000);
  expect(downOf.get(3)).toBe(null);
});

test("what failed anew a moment ago was down for no more of that than the moment", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  await office.beat();
  for (const one of "x..") {
    await office.report(one === "x" ? "error" : "success");
    await office.pass(30);
  }
  await office.report("error");
  await office.pass(2);
  await office.until(async () => (await read("/incidents")).includes("down twice"));
  expect(await read("/incidents")).toMatch(/for \d+ min[^,]*, 32 s down/);
});
