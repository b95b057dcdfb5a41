import { describe, expect, test } from "vitest";
import { History, RecentPoints } from "#agent/endpoint/history";
import { failure } from "#check/failure";
import * as limits from "#limits/pages-limits";
import { epochMillis, millis } from "#base/units";
import { httpOutcome, resultWith } from "../../support/results.ts";

const uri = resultWith().uri;

describe("the history of a monitor", () => {
  test("keeps so many of the newest points, oldest first, each as it was", () => {
    const points = new RecentPoints();
    expect(points.list()).toEqual([]);
    const all = Array.from({ length: 47 }, (_, index) => ({
      slot: epochMillis(1_800_000_000_000 + index * 30_000),
      status: (["success", "degraded", "error"] as const)[index % 3] ?? "error",
      latency: millis(index === 46 ? 1_320_000 : index),
      uncertain: index % 5 === 0,
    }));
    for (const [index, point] of all.entries()) {
      points.add(point);
      expect(points.list()).toEqual(all.slice(0, index + 1).slice(-limits.monitorHistoryMax));
    }
  });

  test("is of one target: another one under the same id starts again", () => {
    const history = new History(() => true);
    history.note(resultWith());
    expect(history.of("m", uri)?.recent.list().length).toBe(1);
    expect(history.of("m", "https://other.test/")).toBeNull();
    history.note(resultWith({ uri: "https://other.test/" }));
    expect(history.of("m", uri)).toBeNull();
    expect(history.of("m", "https://other.test/")?.recent.list().length).toBe(1);
  });

  test("is forgotten with its monitor, however many come and go", () => {
    const assigned = new Set<string>();
    const history = new History((id) => assigned.has(id));
    for (let round = 0; round < 5_000; round += 1) {
      assigned.clear();
      assigned.add(`m${round}`);
      history.note(resultWith({ monitorId: `m${round}` }));
    }
    expect(history.size).toBeLessThanOrEqual(65);
    expect(history.of("m4999", uri)?.last?.status).toBe("success");
  });

  test("holds on to no body, and cuts what is long", () => {
    const history = new History(() => true);
    const { response } = httpOutcome();
    if (response === null) throw new Error("no response");
    const body = new Uint8Array(1_000_000);
    const outcome = httpOutcome({
      response: { ...response, body, bodyBytes: body.length },
      tls: {
        protocol: "TLSv1.3",
        cipher: null,
        alpn: null,
        serverName: null,
        acceptedFault: null,
        certificate: {
          subject: `CN=${"long".repeat(1_000)}`,
          issuer: "",
          altNames: [],
          validFrom: epochMillis(0),
          validTo: epochMillis(1001 + 3.5 * 86_400_000),
          fingerprint256: "",
          chain: [],
        },
      },
    });
    const message = "words ".repeat(1_000);
    const told = failure("assertion_failed", "assertion", message);
    history.note(resultWith({ outcome, status: "error", failure: told }));
    const last = history.of("m", uri)?.last;
    expect(last?.failure?.message.length).toBe(limits.keptMessageCharsMax);
    expect(last?.facts).toContainEqual({ label: "Answer", value: "HTTP/1.1 200, 1000000 bytes" });
    const certificate = last?.facts.find(({ label }) => label === "Certificate")?.value;
    expect(certificate).toMatch(/^3 days left, CN=long/);
    expect(certificate?.length).toBe(limits.keptFactCharsMax);
    expect(JSON.stringify(last).length).toBeLessThan(1_500);
  });
});
