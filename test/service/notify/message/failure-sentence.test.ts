import { expect, test } from "vitest";
import { decide } from "#assertions/decide";
import { evaluate } from "#assertions/evaluate";
import type { Assertion } from "#check/assertion";
import { failureSentence } from "#service/notify/message/failure-sentence";
import { httpOutcome } from "../../../support/results.ts";

/** What pages say of an answer, from the very sentence that the agent reports. */
function saidOf(statusCode: number, rules: readonly Assertion[] = []): string {
  const outcome = httpOutcome();
  if (outcome.response === null) throw new Error("httpOutcome() has no response");
  const answered = { ...outcome, response: { ...outcome.response, statusCode } };
  const verdict = decide(answered, evaluate(answered, rules), null);
  return failureSentence(verdict.failure?.message ?? "");
}

const status = (comparator: "eq" | "neq" | "gte" | "lt", target: number): Assertion => ({
  kind: "status",
  comparator,
  target,
});

test("pages say which status a target answered, and which it should have", () => {
  expect(saidOf(503)).toBe(
    "The target answered 503 Service Unavailable; only 200 to 299 counts as success",
  );
  expect(saidOf(599)).toBe("The target answered 599; only 200 to 299 counts as success");
  expect(saidOf(404, [status("eq", 200)])).toBe(
    "The target answered 404 Not Found: status code is not 200",
  );
  expect(saidOf(500, [status("lt", 300), status("neq", 500), status("gte", 200)])).toBe(
    "The target answered 500 Internal Server Error: status code is not below 300, and is 500, but must not be",
  );
});

test("every other sentence of a check begins as a sentence, and stays as it is", () => {
  expect(failureSentence("connection refused (10.0.0.7:443)")).toBe(
    "Connection refused (10.0.0.7:443)",
  );
  expect(failureSentence("eth0 has no carrier")).toBe("eth0 has no carrier");
  expect(failureSentence("probably the proxy: Request failed with status code 502")).toBe(
    "Probably the proxy: The target answered 502 Bad Gateway; only 200 to 299 counts as success",
  );
});

test("a sentence has its times as every page, and what is known to a doubt stays", () => {
  expect(failureSentence("timeout after 45000 ms: no answer from 10.20.30.4000 in 900 ms")).toBe(
    "Timeout after 45\u00a0s: no answer from 10.20.30.4000 in 900\u00a0ms",
  );
  expect(failureSentence("timeout after 1500 ms: the answer was whole after 1503.9 ms")).toBe(
    "Timeout after 1\u202f500\u00a0ms: the answer was whole after 1\u202f504\u00a0ms",
  );
  expect(failureSentence("latency 1503.912 ± 0.100 ms, loss 5 %")).toBe(
    "Latency 1503.912 ± 0.100 ms, loss 5\u00a0%",
  );
});
