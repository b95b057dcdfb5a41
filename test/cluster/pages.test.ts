import { expect, test, vi } from "vitest";
import { rangeNames } from "#service/operator/charts/time-range";
import { monitorId } from "#service/store/ids";
import { citusPrograms, startCitus } from "./citus-cluster.ts";
import { twentyShops } from "./twenty-shops.ts";

const programs = citusPrograms();
const sentence = "results cannot be read now";
/** How long a reader waits at most; a busy machine may take more to draw, and never as long as a call waits for a worker. */
const waitMax = 1_000;

test.skipIf(programs === null)(
  "while a worker is away, pages come within a second and say whose results cannot be read, and no more once it is back",
  async () => {
    await using cluster = await startCitus(programs ?? "");
    await using shops = await twentyShops(await cluster.fresh());
    const { service, store, key } = shops;
    const ids = shops.ids.map(String);
    const incidents = new Map<string, number>();
    const all = { isOpen: true, kind: "monitor", limit: 100, offset: 0 } as const;
    await vi.waitFor(async () => {
      const any = { ...all, subject: null, location: null, cause: null, before: null };
      const found = await store.alerts.incidents.list(any);
      for (const { incident } of found.incidents)
        incidents.set(String(incident.subject.id), incident.number);
      expect(incidents.size).toBe(ids.length);
    }, 60_000);
    const see = async (at: string): Promise<{ text: string; took: number }> => {
      const began = performance.now();
      const answer = await fetch(`${service.url}${at}`, { headers: { accept: "text/html" } });
      const text = (await answer.text()).replaceAll(/\s+/g, " ");
      expect(`${at} ${answer.status}`).toBe(`${at} 200`);
      return { text, took: performance.now() - began };
    };
    const standing = async (id: string): Promise<string> => {
      const call = "openstatus.monitor.v1.MonitorService/GetMonitorStatus";
      const answer = await fetch(`${service.url}/rpc/${call}`, {
        method: "POST",
        headers: { "x-service-key": key, "content-type": "application/json" },
        body: JSON.stringify({ id }),
      });
      return answer.text();
    };
    expect((await see("/")).text).not.toContain(sentence);
    await cluster.killWorker();
    // The picture was taken before, and no call has noticed it yet.
    const first = await Promise.all(ids.map((id) => see(`/monitors/${id}`)));
    expect(first.some(({ text }) => text.includes(sentence))).toBe(true);
    const { unread } = await store.results.seen(ids.map((id) => monitorId(Number(id))));
    const away = ids.filter((id) => unread.has(monitorId(Number(id))));
    const read = ids.filter((id) => !away.includes(id));
    expect([away.length > 2, read.length > 2]).toEqual([true, true]);
    // At first it may say so of those alone that have turned meanwhile.
    const ofAll = `the results of ${away.length} monitors below cannot be read`;
    await vi.waitFor(async () => expect((await see("/")).text).toContain(ofAll), 30_000);
    const overview = await see("/");
    expect(overview.text).toContain(ofAll);
    const [gone = "", there = ""] = [away[0], read[0]];
    const page = await see(`/monitors/${gone}`);
    expect(page.text).toContain(sentence);
    const other = await see(`/monitors/${there}`);
    expect(other.text).not.toContain(sentence);
    const counted = "They cannot be counted now";
    expect((await see(`/monitors/${gone}/delete`)).text).toContain(counted);
    expect((await see(`/monitors/${there}/delete`)).text).toContain("Its 2 results go with it.");
    expect((await see(`/incidents/${incidents.get(gone)}`)).text).toContain(sentence);
    expect((await see(`/incidents/${incidents.get(there)}`)).text).not.toContain(sentence);
    for (const range of rangeNames)
      for (const id of [gone, there])
        for (const part of ["", ".json", "/chart.json"])
          await see(`/monitors/${id}${part}?range=${range}`);
    expect(Math.max(overview.took, page.took, other.took)).toBeLessThan(waitMax);
    expect(JSON.parse((await see(`/monitors/${gone}.json`)).text)).toMatchObject({
      results_unreadable: true,
    });
    expect(await standing(gone)).toContain("its results cannot be read now");
    expect(await standing(there)).not.toContain("cannot be read");
    await cluster.startWorker();
    await vi.waitFor(async () => expect((await see("/")).text).not.toContain(sentence), 60_000);
    for (const id of ids) expect((await see(`/monitors/${id}`)).text).not.toContain(sentence);
  },
);
