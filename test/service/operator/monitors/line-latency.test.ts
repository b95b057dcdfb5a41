import { expect, test } from "vitest";
import { httpDefaults, tcpDefaults } from "#check/definition";
import { PrivateLocationService } from "#contract/private_location/v1/private_location_pb";
import { pictureShownFor } from "#limits/pages-limits";
import { isUnusual } from "#service/operator/monitors/line-latency";
import { millis } from "#base/units";
import { operatorScene } from "../../../support/operator-scene.ts";
import { serviceClient } from "../../../support/service-client.ts";

/** What the newest check of each monitor failed of, by the monitor's target; a check that is null passed in 42 ms. */
const newest: Readonly<Record<string, readonly [code: string, statusCode: bigint] | null>> = {
  "https://fine.test/": null,
  "http://plain.test/": null,
  "https://away.test/health": ["unexpected_status", 503n],
  "https://login.test/deep/": ["unexpected_status", 302n],
  // An agent that says of the answer nothing but that it was not wanted.
  "https://silent.test/": ["unexpected_status", 0n],
  "https://words.test/": ["assertion_failed", 200n],
  "https://old.test/": ["tls_expired", 0n],
  "https://late.test/": ["response_timeout", 0n],
  "db.test:5432": ["connection_refused", 0n],
  "slow.test:22": ["connect_timeout", 0n],
};

/** A service that has these results, one for each monitor. */
async function newestChecksScene() {
  const scene = await operatorScene({ days: 0 });
  const { service, clock } = scene;
  const made: (readonly [target: string, monitorId: string])[] = [];
  for (const target of Object.keys(newest)) {
    const common = { name: target, periodicity: "1m", active: true } as const;
    const definition = target.startsWith("http")
      ? { ...httpDefaults, ...common, url: target }
      : { ...tcpDefaults, ...common, uri: target };
    made.push([target, (await service.admin.createMonitor(definition, "management")).id]);
  }
  const { token } = await service.admin.createPrivateLocation({
    name: "office",
    monitorIds: made.map(([, id]) => id),
    metadata: {},
  });
  const agent = serviceClient(PrivateLocationService, service.url, "x-service-token", token);
  await agent.heartbeat({ instanceId: "a", leaving: false });
  const slot = BigInt(clock.wall() - 1_000);
  await agent.ingestBatch({
    instanceId: "a",
    results: made.map(([target, monitorId]) => {
      const failed = newest[target] ?? null;
      const [code, statusCode] = failed ?? ["", 200n];
      const requestStatus = failed === null ? "success" : "error";
      const said = { monitorId, requestStatus, latency: 42n, timestamp: slot, cronTimestamp: slot };
      return {
        result: target.startsWith("http")
          ? { case: "http" as const, value: { ...said, statusCode } }
          : { case: "tcp" as const, value: said },
        detail: failed === null ? {} : { failure: { code, phase: "connect", message: code } },
      };
    }),
  });
  // The service may have taken a picture of its own before these came.
  clock.suspend(pictureShownFor);
  return scene;
}

test("a line of the overview says how the newest check failed, by the status if that was not wanted, and its title is the whole target", async () => {
  const { get } = await newestChecksScene();
  const page = await (await get("/?sort=name")).text();
  // The scheme of a target, and its end, are parts of their own.
  const part = /<span class="(?:scheme|starts|begins|ends)">([^<]*)<\/span\s*>/g;
  const whole = page.replaceAll(part, "$1").replaceAll(part, "$1");
  const lines = whole.split('<li class="line ').slice(1);
  const said = lines.map((line) => [
    /title="([^"]*)"/.exec(line)?.[1] ?? "",
    /title="[^"]*"\s*>([^<]*)</.exec(line)?.[1] ?? "",
    /<p class="latency[^>]*>([^<]*)</.exec(line)?.[1]?.replace("\u00a0", " ") ?? "",
  ]);
  expect(said).toEqual([
    ["db.test:5432", "db.test:5432", "refused"],
    ["http://plain.test/", "http://plain.test/", "42 ms"],
    ["https://away.test/health", "away.test/health", "503"],
    ["https://fine.test/", "fine.test", "42 ms"],
    ["https://late.test/", "late.test", "timeout"],
    ["https://login.test/deep/", "login.test/deep/", "302"],
    ["https://old.test/", "old.test", "failed"],
    ["https://silent.test/", "silent.test", "failed"],
    ["https://words.test/", "words.test", "failed"],
    ["slow.test:22", "slow.test:22", "timeout"],
  ]);
});

test("a latency far above the median of the days before, or of the first day, is unusual", () => {
  const marked = (latency: number, usual: number | null, today: number | null): boolean =>
    isUnusual({
      latency: millis(latency),
      usual: usual === null ? null : millis(usual),
      medianToday: today === null ? null : millis(today),
    });
  expect([marked(3_000, null, 1.5), marked(15, null, 1.5)]).toEqual([true, false]);
  // The median of today may have followed already: the days before have not.
  expect([marked(3_000, 1.5, 3_000), marked(3_000, 3_000, 1.5)]).toEqual([true, false]);
  expect(marked(3_000, null, null)).toBe(false);
});
