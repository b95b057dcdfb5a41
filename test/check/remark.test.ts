import { describe, expect, test } from "vitest";
import { failure } from "#check/failure";
import { noPhases } from "#check/outcome";
import { isPerhapsSlow, reasonsOf, remarksOf } from "#check/remark";
import type { Result } from "#check/result";
import { epochMillis, millis, nanos } from "#base/units";
import { httpOutcome, resultWith } from "../support/results.ts";

const day = 86_400_000;
const ms = (value: number): ReturnType<typeof nanos> => nanos(value * 1e6);
const spent = (connect: number, wait: number): Partial<Parameters<typeof httpOutcome>[0]> => ({
  phases: { ...noPhases, connect: ms(connect), wait: ms(wait) },
  total: ms(connect + wait),
});
const took = (status: Result["status"], outcome: Parameters<typeof httpOutcome>[0]): Result => {
  const seen = httpOutcome(outcome);
  const latency = millis(seen.total / 1e6);
  return resultWith({ status, latency, degradedAt: millis(500), outcome: seen });
};

describe("a degraded check", () => {
  test("says latency, threshold and the slowest phase", () => {
    expect(remarksOf(took("degraded", spent(72, 540)))).toEqual([
      "slow: 612 ms, over the threshold of 500 ms; most of it was wait, 540 ms",
    ]);
  });
  test("says that all of it was one phase, without the same figure twice", () => {
    expect(remarksOf(took("degraded", spent(0, 1_001)))).toEqual([
      "slow: 1001 ms, over the threshold of 500 ms; all of it was wait",
    ]);
  });
  test("names the longest phase if none was half of it", () => {
    const phases = { ...noPhases, dns: ms(200), connect: ms(220), wait: ms(240) };
    expect(remarksOf(took("degraded", { phases, total: ms(660) }))).toEqual([
      "slow: 660 ms, over the threshold of 500 ms; the longest phase was wait, 240 ms",
    ]);
  });
  test("says its error bar if that is large", () => {
    const busy = { ...spent(100, 910), errorBar: ms(342) };
    expect(remarksOf(took("degraded", busy))).toEqual([
      "slow: 1010 ± 342.0 ms, over the threshold of 500 ms; most of it was wait, 910 ms",
    ]);
  });
});

test("a check that may have been slow says so, and one that was quick says nothing", () => {
  const near = took("success", { ...spent(10, 480), errorBar: ms(20) });
  expect(isPerhapsSlow(near)).toBe(true);
  expect(remarksOf(near)).toEqual([
    "perhaps slow: 490 ± 20.0 ms, too close to the threshold of 500 ms to be sure",
  ]);
  const quick = took("success", { ...spent(10, 480), errorBar: ms(10) });
  expect(isPerhapsSlow(quick)).toBe(false);
  expect(remarksOf(quick)).toEqual([]);
});

test("a failure comes before the remarks", () => {
  const refused = failure("assertion_failed", "assertion", "Assertion failed: body contains ok");
  const outcome = httpOutcome({ tls: ending(2 * day + 1) });
  expect(reasonsOf(resultWith({ status: "error", failure: refused, outcome }))).toBe(
    "Assertion failed: body contains ok; the certificate has 2 days left: renew it before 1970-01-03T00:00:01.002Z",
  );
  expect(reasonsOf(resultWith())).toBe("");
});

test.each([
  [-1, []],
  [1, ["less than a day left"]],
  [day - 1, ["less than a day left"]],
  [day, ["1 day left"]],
  [14 * day - 1, ["13 days left"]],
  [14 * day, []],
])("a certificate that ends in %d ms is remarked on as %j", (left, words) => {
  const remarks = remarksOf(resultWith({ outcome: httpOutcome({ tls: ending(left) }) }));
  expect(remarks.map((remark) => /has (.*):/.exec(remark.split(" renew")[0] ?? "")?.[1])).toEqual(
    words,
  );
});

function ending(left: number): NonNullable<ReturnType<typeof httpOutcome>["tls"]> {
  return {
    protocol: "TLSv1.3",
    cipher: null,
    alpn: null,
    serverName: null,
    acceptedFault: null,
    certificate: {
      subject: "CN=a.test",
      issuer: "CN=ca",
      altNames: [],
      validFrom: epochMillis(0),
      validTo: epochMillis(1001 + left),
      fingerprint256: "",
      chain: [],
    },
  };
}
