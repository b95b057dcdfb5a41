import { expect, test } from "vitest";
import { noPhases } from "#check/outcome";
import { millis, nanos } from "#base/units";
import { endpointScene } from "../support/endpoint-scene.ts";
import { httpOutcome } from "../support/results.ts";
import { monitorWith } from "../support/twins.ts";

const tookFor = (latency: number, errorBar: number): ReturnType<typeof httpOutcome> =>
  httpOutcome({
    phases: { ...noPhases, wait: nanos(latency * 1e6) },
    total: nanos(latency * 1e6),
    errorBar: nanos(errorBar * 1e6),
  });

const monitor = monitorWith({
  id: "slow",
  name: "Slow shop\u202e",
  kind: "http",
  uri: "https://shop.test/",
  target: {
    kind: "http",
    url: "https://shop.test/",
    method: "GET",
    headers: [],
    body: "",
    followRedirects: false,
  },
  degradedAt: millis(400),
});

test("a target that takes 0.9 s never passes a threshold of 0.4 s, however busy the agent is", async () => {
  const errorBars = [0, 342, 499, 12, 450];
  let checks = 0;
  const { clock, controlPlane, log } = await endpointScene({
    monitors: [monitor],
    prepare: ({ prober }) => {
      prober.script = () => tookFor(900, errorBars[(checks += 1) % errorBars.length] ?? 0);
    },
  });
  await clock.advance(300_000);
  const said = controlPlane.messages.map(({ result }) => result.value?.requestStatus);
  expect(said.length).toBeGreaterThan(errorBars.length);
  expect(new Set(said)).toEqual(new Set(["degraded"]));
  expect(log.said.filter(({ level }) => level === "warn")).toHaveLength(1);
  expect(log.said.map(({ message }) => message)).not.toContain(
    "a monitor is back under its threshold",
  );
});

test("while the agent is too busy to tell, a degraded monitor stays degraded everywhere", async () => {
  const errorBars = [0, 600, 700, 800];
  let checks = 0;
  const { clock, controlPlane, log, get } = await endpointScene({
    monitors: [monitor],
    prepare: ({ prober }) => {
      prober.script = () => tookFor(900, errorBars[Math.min(checks++, 3)] ?? 0);
    },
  });
  await clock.advance(120_000);
  expect(controlPlane.messages[0]?.detail?.remarks).toEqual([
    "slow: 900 ms, over the threshold of 400 ms; all of it was wait",
  ]);
  expect(controlPlane.messages.at(-1)?.result.value?.requestStatus).toBe("success");
  expect(controlPlane.messages.at(-1)?.detail?.perhapsSlow).toBe(true);
  expect(log.said.map(({ message }) => message)).not.toContain(
    "a monitor is back under its threshold",
  );
  const status: unknown = await (await get("/status")).json();
  expect(status).toMatchObject({
    monitor_counts: { degraded: 1, success: 0 },
    monitors: [
      {
        status: "degraded",
        last: {
          status: "success",
          remarks: [
            "perhaps slow: 900 ± 800.0 ms, too close to the threshold of 400 ms to be sure",
          ],
        },
      },
    ],
  });
  const page = await (await get("/")).text();
  expect(page).toContain("Degraded");
  expect(page).toContain("perhaps slow: 900 ± 800.0 ms");
});
