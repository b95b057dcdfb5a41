import { describe, expect, test } from "vitest";
import { chartMarksMax } from "#limits/pages-limits";
import type { Incident } from "#service/alerting/incident";
import type { Store } from "#service/store/store";
import { epochMillis, type EpochMillis } from "#base/units";
import { notedIncident } from "../../../support/noted-incident.ts";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

interface Mark {
  readonly kind: string;
  readonly from: string;
  readonly to: string;
  readonly words: string;
  readonly address: string;
}

async function chartScene() {
  const opened: Store[] = [];
  const { get } = await operatorScene({
    opensStore: async (place) => {
      const store = await openStoreHere(place);
      opened.push(store);
      return store;
    },
  });
  const [store] = opened;
  if (store === undefined) throw new Error("the service opened no store");
  const marks = async (query: string, monitor = 2, range = "24h"): Promise<readonly Mark[]> => {
    const chart: { readonly marks: readonly Mark[] } = JSON.parse(
      await (await get(`/monitors/${monitor}/chart.json?range=${range}${query}`)).text(),
    );
    return chart.marks;
  };
  return { get, marks, ...store.alerts };
}

const at = (time: string): EpochMillis => epochMillis(Date.parse(`2026-11-22T${time}:00Z`));

/** Notes one with other facts than those that it opened with. */
async function over(
  incidents: Store["alerts"]["incidents"],
  subject: Incident["subject"],
  changed: Partial<Incident>,
  event: "worsened" | "closed",
  now: EpochMillis,
): Promise<number> {
  const [incident] = await incidents.newest(subject.kind, [subject.id]);
  if (incident === undefined) throw new Error("no incident was noted");
  const change = notedIncident(subject, now);
  const events = [{ kind: event, to: { are: "channels", channels: [] } }] as const;
  await incidents.note({ ...change, incident: { ...incident, ...changed }, events });
  return incident.number;
}

describe("the marks of a monitor's chart", () => {
  test("are grey while a location of it was silent, and lead to the incident", async () => {
    const { marks, incidents, get } = await chartScene();
    const warehouse = { kind: "location", id: 2 } as const;
    await incidents.note(notedIncident(warehouse, at("08:00")));
    const ended = { at: at("08:40"), because: "recovered" } as const;
    const number = await over(incidents, warehouse, { ended }, "closed", at("08:40"));
    const silence = {
      kind: "gap",
      from: "2026-11-22T08:00:00.000Z",
      to: "2026-11-22T08:40:00.000Z",
      words: `Incident ${number}: Warehouse was silent`,
      address: `/incidents/${number}`,
    };
    const gaps = async (query: string) => (await marks(query)).filter(({ kind }) => kind === "gap");
    expect(await gaps("")).toEqual([silence]);
    expect(await gaps("&location=2")).toEqual([silence]);
    expect(await gaps("&location=1&compare=2")).toEqual([silence]);
    expect(await gaps("&location=1")).toEqual([]);
    const page = await (await get("/monitors/2?range=24h")).text();
    expect(page).toContain(`<a href="/incidents/${number}">${silence.words}</a>`);
  });

  test("are amber where an incident was slow, and red from when it was down", async () => {
    const { marks, incidents } = await chartScene();
    const monitor = { kind: "monitor", id: 4 } as const;
    const opening = notedIncident(monitor, at("03:00"));
    const slow = { severity: "degraded", worst: "degraded" } as const;
    await incidents.note({ ...opening, incident: { ...opening.incident, ...slow } });
    const worse = { severity: "error", worst: "error" } as const;
    const number = await over(incidents, monitor, worse, "worsened", at("03:20"));
    const ended = { at: at("03:50"), because: "recovered" } as const;
    await over(incidents, monitor, { ended }, "closed", at("03:50"));
    const own = (await marks("", 4)).filter(({ words }) => words === `Incident ${number}`);
    expect(own.map(({ kind, from, to }) => [kind, from.slice(11, 16), to.slice(11, 16)])).toEqual([
      ["degraded", "03:00", "03:20"],
      ["error", "03:20", "03:50"],
    ]);
  });

  test("are grey for a silence of a month ago, whatever other locations had since", async () => {
    const { marks, incidents } = await chartScene();
    const warehouse = { kind: "location", id: 2 } as const;
    const day = (time: string): EpochMillis => epochMillis(Date.parse(`2026-10-20T${time}:00Z`));
    await incidents.note(notedIncident(warehouse, day("08:00")));
    const ended = { at: day("08:40"), because: "recovered" } as const;
    const number = await over(incidents, warehouse, { ended }, "closed", day("08:40"));
    // As many of others as a chart marks, and one of its own that is later than the range.
    for (let id = 101; id <= 100 + chartMarksMax; id += 1)
      await incidents.note(notedIncident({ kind: "location", id }, at("08:00")));
    await incidents.note(notedIncident(warehouse, at("08:00")));
    const range = "custom&from=2026-10-20T00:00:00&to=2026-10-21T00:00:00";
    for (const query of ["", "&location=2"]) {
      const gaps = (await marks(query, 2, range)).filter(
        ({ kind, address }) => kind === "gap" && address,
      );
      expect(gaps.map(({ words }) => words)).toEqual([`Incident ${number}: Warehouse was silent`]);
    }
  });

  test("are of each incident of the range, though one of them opened again a hundred times", async () => {
    const { marks, incidents } = await chartScene();
    const monitor = { kind: "monitor", id: 4 } as const;
    await incidents.note(notedIncident(monitor, at("02:00")));
    const first = { at: at("02:10"), because: "recovered" } as const;
    const early = await over(incidents, monitor, { ended: first }, "closed", at("02:10"));
    await incidents.note(notedIncident(monitor, at("03:00")));
    const minute = (count: number) => epochMillis(at("03:00") + count * 60_000);
    const well = Array.from({ length: 100 }, (_, index) => ({
      from: minute(2 * index + 1),
      to: minute(2 * index + 2),
    }));
    const second = { at: minute(202), because: "recovered" } as const;
    const flapping = await over(incidents, monitor, { well, ended: second }, "closed", minute(202));
    const found = await marks("", 4);
    const of = (number: number) => found.filter(({ words }) => words === `Incident ${number}`);
    expect(of(early).map(({ from, to }) => [from.slice(11, 16), to.slice(11, 16)])).toEqual([
      ["02:00", "02:10"],
    ]);
    expect(of(flapping).length).toBeGreaterThan(10);
    expect(found.filter(({ address }) => address !== null).length).toBeLessThanOrEqual(
      chartMarksMax,
    );
    // None of what it was is left out: its parts begin and end with it.
    expect([of(flapping).at(0)?.from, of(flapping).at(-1)?.to]).toEqual([
      new Date(at("03:00")).toISOString(),
      new Date(minute(202)).toISOString(),
    ]);
  });
});
