import { expect, test } from "vitest";
import { policyUnwritten } from "#check/alert-policy";
import { tcpDefaults } from "#check/definition";
import { certificateTile } from "#service/operator/monitors/certificate-tile";
import { monitorFigures } from "#service/operator/monitor-figures";
import type { PicturedMonitor } from "#service/operator/picture";
import { epochMillis, hours, millis, minutes } from "#base/units";

const monitor: PicturedMonitor = {
  id: 1,
  name: "shop",
  kind: "tcp",
  target: "db:5432",
  labels: {},
  owner: "",
  period: minutes(1),
  status: "active",
  since: epochMillis(0),
  lastCheckedAt: null,
  seenBy: [],
  reason: null,
  unread: false,
  unheard: false,
  incident: null,
  recovery: null,
  latency: null,
  usual: null,
  medianToday: null,
  days: [],
};

/** The tiles of uptime, of a monitor whose newest days had so many hours of results, an hour of which it was down on the last. */
const uptimes = (...known: readonly number[]): readonly string[] => uptimesAfter(null, ...known);

/** The same of one that was last under planned work so many days before the end. */
function uptimesAfter(planned: number | null, ...known: readonly number[]): readonly string[] {
  const all = [...Array.from({ length: 90 - known.length }, () => 0), ...known];
  const days = all.map((length, index) => ({
    begin: epochMillis(index * hours(24)),
    known: hours(length),
    down: millis(index === 89 && length > 0 ? hours(1) : 0),
    checks: length,
    slow: 0,
  }));
  const rest = { certificate: null, lastGood: null, median: null, tail: null };
  const plannedUntil = planned === null ? null : epochMillis((90 - planned) * hours(24));
  const { text } = monitorFigures({
    monitor: { ...monitor, days },
    at: epochMillis(0),
    definition: tcpDefaults,
    plannedUntil,
    ...rest,
  });
  return [...text.matchAll(/<dt>(Uptime[^<]*)<\/dt>\s*<dd>(.*?)<\/dd>/gs)].map(
    ([, name = "", value = ""]) =>
      `${name}: ${value}`
        .replaceAll(/<[^>]*>/g, " ")
        .replaceAll(/\s+/g, " ")
        .trim(),
  );
}

/** The tile of a certificate that is valid for so many days, with some left, under such thresholds. */
function certificate(life: number, left: number, certificateDays = ""): string {
  const seen = { begin: epochMillis(0), end: epochMillis(life * hours(24)) };
  const alerting = { ...policyUnwritten, certificateDays };
  const at = epochMillis((life - left) * hours(24));
  const { text } = certificateTile(seen, { active: true, alerting }, at);
  const [colour = "calm"] = /(?<=class="mark )\w+/.exec(text) ?? [];
  const words = text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  return `${colour}:${words.trimEnd()}`;
}

test("a certificate that ends soon is marked, and the tile says why no message is sent", () => {
  expect(certificate(90, 40)).toBe("calm: Certificate 40 d left");
  expect(certificate(90, 27)).toBe("degraded: Certificate 27 d left ends soon");
  expect(certificate(5, 4)).toBe(
    "degraded: Certificate 4 d left ends soon; no message is sent for a certificate of only 5 days",
  );
  expect(certificate(30, 13)).toBe(
    "degraded: Certificate 13 d left ends soon; the first message comes on 24 Jan, 00:00 UTC",
  );
  expect(certificate(90, 3, "none")).toBe(
    "error: Certificate 3 d left ends soon; its messages are off",
  );
  expect(certificate(90, -1)).toBe("error: Certificate expired");
});

test("the uptime of a monitor younger than its tile says of how long it is", () => {
  expect(uptimes()).toEqual(["Uptime, 7 days: – no data yet"]);
  expect(uptimes(5)).toEqual(["Uptime, 7 days: 80.00 % of 5 h so far"]);
  expect(uptimes(24, 16)).toEqual(["Uptime, 7 days: 97.50 % of 1 d 16 h so far"]);
});

test("an uptime says that planned maintenance counts if there was some in the days that it is of", () => {
  const known = Array.from({ length: 20 }, () => 24);
  expect(uptimesAfter(10, ...known)).toEqual([
    "Uptime, 7 days: 99.40 %",
    "Uptime, 30 days: 99.79 % of 20 d so far; planned maintenance counts, too",
  ]);
  expect(uptimesAfter(1, ...known)[0]).toBe(
    "Uptime, 7 days: 99.40 % planned maintenance counts, too",
  );
  expect(uptimesAfter(40, ...known).join()).not.toContain("planned");
});

test("the uptime of a monitor that was paused for most of the time is that of what its checks saw", () => {
  const paused = (last: number): readonly string[] =>
    uptimes(24, 24, 24, 24, 24, 24, 24, 24, 0, 0, 0, 0, 0, 0, last);
  expect(paused(2)).toEqual([
    "Uptime, 7 days: 50.00 % of 2 h that checks saw",
    "Uptime, 30 days: 99.48 % of 8 d 2 h so far",
  ]);
  expect(paused(0)[0]).toBe("Uptime, 7 days: – no data");
});

test("the uptime of a monitor that was checked all the time needs no note", () => {
  expect(uptimes(...Array.from({ length: 8 }, () => 24))).toEqual(["Uptime, 7 days: 99.40 %"]);
});

test("a monitor without data, and one that is paused, has a last latency and none of now", () => {
  const latencyOf = (status: PicturedMonitor["status"]): string | undefined => {
    const rest = {
      definition: tcpDefaults,
      certificate: null,
      lastGood: null,
      median: null,
      tail: null,
    };
    const seen = { ...monitor, status, latency: millis(12) };
    const { text } = monitorFigures({
      monitor: seen,
      at: epochMillis(0),
      plannedUntil: null,
      ...rest,
    });
    return /<dt>([^<]*[lL]atency[^<]*)</.exec(text)?.[1];
  };
  expect(latencyOf("active")).toBe("Latency now");
  for (const status of ["unknown", "inactive"] as const)
    expect(latencyOf(status)).toBe("Last latency");
});
