import { describe, expect, test } from "vitest";
import { unseen } from "#check/kinds/unseen";
import type { Assertion } from "#check/assertion";
import { decide } from "#assertions/decide";
import { evaluate } from "#assertions/evaluate";
import { failure } from "#check/failure";
import type { HttpOutcome, HttpResponse, Outcome } from "#check/outcome";
import { epochMillis, millis, nanos } from "#base/units";
import type { Verdict } from "#check/verdict";
import { httpOutcome } from "../support/results.ts";
import { passed } from "../support/twins.ts";

const at = epochMillis(0);
const nothing = failure("connection_refused", "connect", "connection refused");

function responded(more: Partial<HttpResponse> = {}, latency = 100): HttpOutcome {
  const outcome = httpOutcome();
  if (outcome.response === null) throw new Error("httpOutcome() has no response");
  return { ...outcome, total: nanos(latency * 1e6), response: { ...outcome.response, ...more } };
}

function judge(
  outcome: Outcome,
  assertions: readonly Assertion[] = [],
  degradedAt: number | null = null,
): Verdict {
  return decide(
    outcome,
    evaluate(outcome, assertions),
    degradedAt === null ? null : millis(degradedAt),
  );
}

const body = (text: string): Partial<HttpResponse> => ({ body: Buffer.from(text) });

describe("the status rule", () => {
  test.each([
    [200, "success"],
    [204, "success"],
    [299, "success"],
    [199, "error"],
    [301, "error"],
    [404, "error"],
    [500, "error"],
  ] as const)("without an assertion, %i is %s", (statusCode, status) => {
    const verdict = judge(responded({ statusCode }));
    expect(verdict.status).toBe(status);
    if (status === "error")
      expect(verdict.failure).toMatchObject({
        code: "unexpected_status",
        phase: "assertion",
        message: `Request failed with status code ${statusCode}`,
      });
  });
  test("with one, it alone judges the status", () => {
    const not = (target: number): Assertion => ({ kind: "status", comparator: "eq", target });
    expect(judge(responded({ statusCode: 404 }), [not(404)]).status).toBe("success");
    expect(judge(responded({ statusCode: 200 }), [not(404)]).failure?.code).toBe(
      "unexpected_status",
    );
  });
  test("a header or body assertion does not replace it", () => {
    const contains: Assertion = { kind: "body", comparator: "contains", target: "ok" };
    expect(judge(responded({ statusCode: 500, ...body("ok") }), [contains]).failure?.code).toBe(
      "unexpected_status",
    );
  });
});

describe("assertions", () => {
  test("all must hold, and the first that does not is named", () => {
    const verdict = judge(responded(body("fine")), [
      { kind: "body", comparator: "contains", target: "fine" },
      { kind: "body", comparator: "contains", target: "ok" },
      { kind: "body", comparator: "empty", target: "" },
    ]);
    expect(verdict.failure).toMatchObject({
      code: "assertion_failed",
      phase: "assertion",
      message: 'Assertion failed: body contains "ok" (and 1 more)',
    });
  });
  test("an absent header is the empty string", () => {
    const header = (
      comparator: "empty" | "neq" | "not_contains" | "eq" | "contains" | "not_empty",
    ): string =>
      judge(responded(), [{ kind: "header", key: "X-A", comparator, target: "v" }]).status;
    expect([header("empty"), header("neq"), header("not_contains")]).toEqual([
      "success",
      "success",
      "success",
    ]);
    expect([header("eq"), header("contains"), header("not_empty")]).toEqual([
      "error",
      "error",
      "error",
    ]);
  });
  test("values of one header are joined, and its name has no case", () => {
    const headers = [
      ["vary", "a"],
      ["Vary", "b"],
    ] as const;
    expect(
      judge(responded({ headers }), [
        { kind: "header", key: "VARY", comparator: "eq", target: "a, b" },
      ]).status,
    ).toBe("success");
  });
  test("any Set-Cookie may satisfy, but a negation asks for all of them", () => {
    const headers = [
      ["Set-Cookie", "a=1"],
      ["Set-Cookie", "b=2"],
    ] as const;
    const cookie = (comparator: "eq" | "neq" | "not_contains", target: string): string =>
      judge(responded({ headers }), [{ kind: "header", key: "set-cookie", comparator, target }])
        .status;
    expect([
      cookie("eq", "b=2"),
      cookie("eq", "c=3"),
      cookie("neq", "b=2"),
      cookie("not_contains", "c="),
    ]).toEqual(["success", "error", "error", "success"]);
  });
  test("what was received is cut, so that a body does not become a message", () => {
    const [evaluation] = evaluate(responded(body("x".repeat(10_000))), [
      { kind: "body", comparator: "empty", target: "" },
    ]);
    expect(evaluation?.received).toHaveLength(256);
  });
  test("of a body that was cut, only what is already there is certain", () => {
    const cut = { ...body("begin"), bodyCut: true };
    const on = (
      comparator: "contains" | "not_contains" | "eq" | "neq" | "not_empty" | "empty" | "gt",
      target: string,
    ): string =>
      judge(responded(cut), [{ kind: "body", comparator, target }]).failure?.code ?? "fine";
    expect([
      on("contains", "beg"),
      on("not_empty", ""),
      on("empty", ""),
      on("not_contains", "beg"),
    ]).toEqual(["fine", "fine", "assertion_failed", "assertion_failed"]);
    expect([
      on("contains", "end"),
      on("not_contains", "end"),
      on("eq", "begin"),
      on("neq", "x"),
      on("gt", "a"),
    ]).toEqual(Array(5).fill("body_too_large"));
    expect(judge(responded(cut)).status).toBe("success");
  });

  test("a header that is named like a credential is judged, and neither side of it is said", () => {
    const headers = [["X-Api-Key", "planted-received"]] as const;
    const outcome = responded({ headers });
    const assertion = {
      kind: "header",
      key: "x-api-key",
      comparator: "eq",
      target: "planted",
    } as const;
    expect(evaluate(outcome, [assertion])).toMatchObject([
      { held: false, expected: 'header x-api-key eq "[removed]"', received: "[removed]" },
    ]);
    expect(judge(outcome, [assertion]).failure?.message).toBe(
      'Assertion failed: header x-api-key eq "[removed]"',
    );
    expect(judge(outcome, [{ ...assertion, target: "planted-received" }]).status).toBe("success");
  });
});

describe("degraded", () => {
  test("is strict: above the threshold, not at it", () => {
    expect(judge(responded({}, 100), [], 100).status).toBe("success");
    expect(judge(responded({}, 101), [], 100).status).toBe("degraded");
  });
  test("is judged by the whole milliseconds that are reported", () => {
    expect(judge(responded({}, 100.4), [], 100).status).toBe("success");
  });
  test("needs a threshold, and an error stays an error", () => {
    expect(judge(responded({}, 9_999)).status).toBe("success");
    expect(judge(responded({}, 9_999), [], 0).status).toBe("success");
    expect(judge(responded({ statusCode: 500 }, 9_999), [], 1).status).toBe("error");
  });
});

test("a failure on the wire is an error whatever the assertions say", () => {
  const broken = {
    ...responded({ statusCode: 200, ...body("ok") }),
    failure: failure("body_truncated", "receive", "…"),
  };
  expect(judge(broken, [{ kind: "status", comparator: "eq", target: 200 }]).failure?.code).toBe(
    "body_truncated",
  );
});

test("what is slow beyond its error bar is degraded, however busy the probe was", () => {
  const slow = { ...unseen("tcp", at, nothing), failure: null, total: nanos(1010e6) };
  const status = (errorBar: number): string =>
    decide({ ...slow, errorBar: nanos(errorBar * 1e6) }, [], millis(100)).status;
  expect(status(0)).toBe("degraded");
  expect(status(342)).toBe("degraded");
  expect(status(909)).toBe("degraded");
  expect(status(910)).toBe("success");
});

test("a check that was aborted is unknown, never an error", () => {
  expect(judge(unseen("tcp", at, failure("cancelled", "agent", "given up"))).status).toBe(
    "unknown",
  );
  expect(judge(unseen("tcp", at, nothing)).status).toBe("error");
});

test("records are judged by type, also on an empty list; without an answer nothing is judged", () => {
  const answered: Outcome = {
    ...unseen("dns", at, nothing),
    kind: "dns",
    failure: null,
    server: "s",
    rcode: "NOERROR",
    transport: "udp",
    measuredBy: "event",
    records: [{ type: "A", value: "10.0.0.1" }],
  };
  const eq = (record: "A" | "MX"): Assertion => ({
    kind: "record",
    record,
    comparator: "eq",
    target: "10.0.0.1",
  });
  expect(judge(answered, [eq("A")]).status).toBe("success");
  expect(judge(answered, [eq("MX")]).failure?.message).toBe('Assertion failed: MX eq "10.0.0.1"');
  expect(evaluate(unseen("dns", at, nothing), [eq("A")])).toEqual([]);
});

describe("an assertion on the latency of a ping", () => {
  const pinged = (micros: number): Outcome => {
    const outcome = passed("icmp");
    if (outcome.kind !== "icmp") throw new Error("passed() gave another kind");
    const echoes = [{ roundTrip: nanos(micros * 1e3), errorBar: nanos(0), refusal: null }];
    return { ...outcome, echoes, errorBar: nanos(0) };
  };
  const under = (target: number): readonly Assertion[] => [
    { kind: "latency", comparator: "lt", target: millis(target) },
  ];

  test("compares the microseconds, of which the reported latency is rounded", () => {
    expect(judge(pinged(940), under(1)).status).toBe("success");
    expect(judge(pinged(1_020), under(1)).status).toBe("error");
    const [seen] = evaluate(pinged(81.4), under(0));
    expect(seen).toMatchObject({ held: false, received: "0.081 ± 0.000 ms" });
  });
});
