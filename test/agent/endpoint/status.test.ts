import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { endpointScene } from "../../support/endpoint-scene.ts";
import { office, officeMonitors } from "../../support/office.ts";
import { monitorWith, unavailable } from "../../support/twins.ts";

/** Every name in a document, as `service.last_error.at`; those of lists once. */
function namesIn(value: unknown, path = ""): readonly string[] {
  if (Array.isArray(value)) return namesIn(value[0], path);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = path === "" ? name : `${path}.${name}`;
    return [here, ...namesIn(inner, here)];
  });
}

describe("/status", () => {
  test("shows everything of an agent, its monitors and their last checks", async () => {
    const { clock, controlPlane, get } = await office();
    controlPlane.fault = unavailable;
    await clock.advance(120_000);
    const response = await get("/status");
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    const text = await response.text();
    expect(text).not.toContain("planted");
    const document: Record<string, unknown> & { monitors: unknown[] } = JSON.parse(text);
    expect(document).toMatchObject({
      version: "0.1.0",
      instance: "office-1",
      now: "2026-01-01T00:16:00.000Z",
      started_at: "2026-01-01T00:00:00.000Z",
      uptime_seconds: 960,
      state: "running",
      live: { ok: true },
      ready: { ok: true },
      location: "office",
      assignment_revision: "r1",
      remarks: [
        {
          monitor: "b09d7e11",
          name: "Billing",
          field: "headers[1].key",
          message: "headers[1].key is required: the header is not sent",
        },
      ],
      service: {
        url: "https://service.test/base",
        state: "down",
        last_error: { reason: "unavailable", message: "the service is away" },
      },
      heartbeat: { interval_ms: 30_000, last_taken_at: null },
      schedule: {
        in_flight: 0,
        missed: { late: 0, clock: 0, overlap: 0, busy: 0, drained: 0, vantage: 0 },
        lateness_ms: { p50: 0, p99: 0, max: 0 },
        probes_stuck_ms: 0,
      },
      reports: { duplicate: 0, rejected: 0, given_up: { age: 0, room: 0, service: 0 } },
      uncertain_results: 0,
      monitor_counts: { total: 10, error: 3, success: 6, unchecked: 0 },
      page: { limit: 100, offset: 0, matched: 10, next: null },
    });
    expect(document.monitors[0]).toMatchObject({
      id: "b09d7e11",
      kind: "http",
      target: "https://billing.internal/api/v2/invoices/status",
      period_ms: 30_000,
      status: "error",
      last: {
        status: "error",
        code: "response_timeout",
        phase: "wait",
        message: "Timeout after 1000 ms: no complete response head came",
        latency_ms: 1_000,
        attempts: 1,
        error_bar_ms: 0.041,
        uncertain: false,
        phases_ms: { dns: 1.214, wait: 993, receive: null },
      },
    });
  });

  test("has no name that its documentation does not tell, and the reverse", async () => {
    const { clock, controlPlane, get } = await office();
    controlPlane.fault = unavailable;
    await clock.advance(120_000);
    const names = namesIn(await (await get("/status")).json());
    const told = readFileSync(new URL("../../../docs/agent-endpoint.md", import.meta.url), "utf8");
    const rows = [...told.matchAll(/^\| `([a-z0-9_.]+)` /gm)].map(([, name = ""]) => name);
    expect(rows.toSorted()).toEqual(names.toSorted());
  });

  test("lists what was selected, and says where the next ones are", async () => {
    const { get } = await office();
    const seen: string[] = [];
    let next: string | null = "/status?limit=4";
    while (next !== null) {
      const document: {
        monitors: { id: string }[];
        page: { next: string | null; matched: number };
      } = JSON.parse(await (await get(next)).text());
      expect(document.page.matched).toBe(10);
      seen.push(...document.monitors.map(({ id }) => id));
      next = document.page.next;
    }
    expect(seen.toSorted()).toEqual(officeMonitors.map(({ id }) => id).toSorted());
    const failing = await get("/status?status=error&search=DB-REPLICA");
    expect(await failing.json()).toMatchObject({ monitors: [{ id: "0a77de20" }] });
  });

  test("of ten thousand monitors stays small, and so does the page", async () => {
    const monitors = Array.from({ length: 10_000 }, (_, index) => monitorWith({ id: `m${index}` }));
    const { clock, get, history } = await endpointScene({ monitors });
    await clock.advance(40_000);
    expect(history.size).toBe(10_000);
    const status = await (await get("/status")).text();
    expect(JSON.parse(status)).toMatchObject({
      monitor_counts: { total: 10_000, success: 10_000 },
    });
    expect(status.length).toBeLessThan(200_000);
    expect((await (await get("/status?limit=1000")).text()).length).toBeLessThan(1_500_000);
    expect((await (await get("/")).text()).length).toBeLessThan(400_000);
  });
});
