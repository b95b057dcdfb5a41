import { expect, test } from "vitest";
import { opening } from "#agent/prober/schedule/slots";
import * as limits from "#limits/prober-limits";
import { epochMillis, millis } from "#base/units";
import { endpointScene } from "../../support/endpoint-scene.ts";
import { shop } from "../../support/metering.ts";
import { telemetryTo, watched } from "../../support/telemetry-scene.ts";

test("a slot that is made up for after a restart is as late in the metric as in /status", async () => {
  const monitor = { ...shop("m", "http://127.0.0.1:1"), otel: null, periodicity: millis(600_000) };
  const latenesses: (number | null)[] = [];
  const notes: ((...noted: Parameters<ReturnType<typeof telemetryTo>["note"]>) => void)[] = [];
  const { clock, agent, get } = await endpointScene({
    monitors: [monitor],
    prepare: ({ clock: now, controlPlane: service }) => {
      // The location's newest result is two periods old, as after an agent that was away.
      const newest = epochMillis(now.wall() - 1_200_000);
      service.newestSlots = new Map([["m", newest]]);
      const first = opening("m", monitor.periodicity, now.wall(), newest);
      expect(first.due - first.at).toBeGreaterThan(0);
    },
    sinks: [
      ({ result, monitor: checked, lateness }) => {
        latenesses.push(lateness);
        for (const note of notes) note(result, checked, lateness);
      },
    ],
  });
  const telemetry = telemetryTo({ url: null, clock });
  telemetry.watch(watched());
  notes.push((...noted) => telemetry.note(...noted));
  await clock.advance(limits.firstCheckWithin);
  expect(latenesses).toHaveLength(1);
  const status: unknown = await (await get("/status")).json();
  expect(status).toMatchObject({ schedule: { lateness_ms: { max: latenesses[0] } } });
  expect(agent.status.latenessMax).toBeLessThan(1_000);
  const scraped = telemetry.scraped(new URLSearchParams("scope=agent"));
  const text = scraped.ok ? [...scraped.text].join("") : scraped.message;
  const sum = /^picket_agent_schedule_lateness_seconds_sum\S* (\S+)/m.exec(text)?.[1];
  expect(Number(sum)).toBe((latenesses[0] ?? NaN) / 1e3);
});
