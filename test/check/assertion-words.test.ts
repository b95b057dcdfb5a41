import { describe, expect, test } from "vitest";
import { decide } from "#assertions/decide";
import { evaluate } from "#assertions/evaluate";
import {
  type Assertion,
  jsonComparators,
  numberComparators,
  recordComparators,
  stringComparators,
} from "#check/assertion";
import { assertionWords, namesIn, withAssertionWords } from "#check/assertion-words";
import { failure } from "#check/failure";
import { unseen } from "#check/kinds/unseen";
import type { Outcome } from "#check/outcome";
import { kindTable } from "#check/kinds/kind-table";
import { comparatorChoices } from "#check/kinds/comparator-words";
import { parseJsonPath } from "#check/json-path";
import { evaluationWords } from "#check/shown-evaluation";
import { epochMillis, millis } from "#base/units";
import { httpOutcome } from "../support/results.ts";

const path = (text: string) => {
  const read = parseJsonPath(text);
  if (!read.ok) throw new Error(read.message);
  return read.value;
};

/** One of each kind by each of its comparators, with values that could be taken for something else. */
const all: readonly Assertion[] = [
  ...numberComparators.flatMap((comparator): Assertion[] => [
    { kind: "status", comparator, target: 204 },
    { kind: "latency", comparator, target: millis(5) },
    { kind: "loss", comparator, target: 34.5 },
    { kind: "certificate", comparator, days: 14 },
  ]),
  ...stringComparators.flatMap((comparator): Assertion[] => [
    { kind: "body", comparator, target: 'he said "eq" $& \\ … ok' },
    { kind: "header", key: "X-Team", comparator, target: "shop neq 1" },
  ]),
  ...jsonComparators.map((comparator): Assertion => ({
    kind: "json",
    path: path("length( $['a eq b)'][0].c )"),
    comparator,
    target: -1e21,
  })),
  ...recordComparators.flatMap((comparator): Assertion[] => [
    { kind: "record", record: "A", comparator, target: "10.0.0.1" },
    { kind: "record", record: "TXT", comparator, target: "v=spf1 -all" },
  ]),
];

/** What a DNS check saw. */
const answered: Outcome = {
  ...unseen("dns", epochMillis(1000), failure("agent_error", "agent", "unused")),
  kind: "dns",
  server: null,
  rcode: "NOERROR",
  transport: "udp",
  measuredBy: "kernel",
  records: [{ type: "A", value: "10.0.0.2" }],
  failure: null,
};

const formWords = new Map(comparatorChoices(jsonComparators));

describe("an assertion of each kind, by each comparator", () => {
  test("is said in the words that its form has", () => {
    const outcomes: readonly Outcome[] = [httpOutcome(), answered];
    const judged = all.flatMap((assertion) =>
      outcomes.flatMap((outcome) =>
        evaluate(outcome, [assertion]).map((evaluation) => ({ assertion, evaluation })),
      ),
    );
    expect(new Set(judged.map(({ evaluation }) => evaluation.kind)).size).toBeGreaterThan(4);
    for (const { assertion, evaluation } of judged) {
      const words = assertionWords(evaluation.expected);
      expect(words).toContain(` ${formWords.get(assertion.comparator)}`);
      expect(assertionWords(evaluation.expected, "failed")).not.toBe(words);
    }
  });

  test("has the label of its field", () => {
    const labels = Object.values(kindTable).flatMap(({ form }) =>
      Object.values(form).map(({ label }) => label),
    );
    for (const text of ["status eq 200", "header a eq", "json $.a eq 1", "latency lt 5 ms"])
      expect(labels.some((label) => assertionWords(text).startsWith(`${label} `))).toBe(true);
  });
});

test.each([
  ["status gte 200", "Status code is at least 200", "Status code is not at least 200"],
  ['A eq "10.0.0.1"', "A record is 10.0.0.1", "A record is not 10.0.0.1"],
  ['A neq "10.0.0.1"', "A record is not 10.0.0.1", "A record is 10.0.0.1, but must not be"],
  ['TXT eq "v=spf1 -all"', 'TXT record is "v=spf1 -all"', 'TXT record is not "v=spf1 -all"'],
  ['body contains "$&"', 'Body contains "$&"', 'Body does not contain "$&"'],
  ["body not_empty", "Body is not empty", "Body is empty, but must not be"],
  ["json $.a exists", "JSON value $.a exists", "JSON value $.a does not exist"],
  [
    `json $['a eq b'] neq "x"`,
    `JSON value $['a eq b'] is not "x"`,
    `JSON value $['a eq b'] is "x", but must not be`,
  ],
  ["loss lt 34 %", "Loss is below 34 %", "Loss is not below 34 %"],
  ["latency lte 5 ms", "Mean round trip is at most 5 ms", "Mean round trip is not at most 5 ms"],
  [
    "certificate days gt 14",
    "Days left of the certificate is above 14",
    "Days left of the certificate is not above 14",
  ],
  ["what an older agent says", "what an older agent says", "what an older agent says"],
])("%s is read as %s", (text, wanted, failed) => {
  expect([assertionWords(text), assertionWords(text, "failed")]).toEqual([wanted, failed]);
});

test("a verdict says the answer that was received, and a hidden value stays hidden", () => {
  const judged = { held: false, expected: 'A eq "10.0.0.1"', received: "10.0.0.2" };
  expect(evaluationWords({ kind: "record", ...judged })).toBe(
    "A record is not 10.0.0.1: received 10.0.0.2",
  );
  expect(evaluationWords({ kind: "record", ...judged, received: "" })).toBe(
    "A record is not 10.0.0.1: received none",
  );
  const header = { kind: "header", held: false, expected: 'header X-Key eq "s3cret"' };
  expect(evaluationWords({ ...header, received: "other" })).toBe(
    "Response header X-Key is not the hidden value",
  );
  expect(evaluationWords({ ...header, received: "other" }, "oth…")).toBe(
    "Response header X-Key is not the hidden value: received oth…",
  );
});

test("an assertion has the names that it is of", () => {
  expect(namesIn('json $["api key"][0].access_token eq "a.b"')).toEqual([
    "json",
    "api",
    "key",
    "0",
    "access_token",
  ]);
  expect(namesIn('header X-Api-Key contains "x"')).toEqual(["header", "X-Api-Key"]);
  expect(namesIn('body contains "token"')).toEqual(["body"]);
});

describe("the sentence of a check", () => {
  const outcome = httpOutcome();
  const sentenceOf = (...rules: readonly Assertion[]): string =>
    withAssertionWords(
      decide(outcome, evaluate(outcome, rules), null).failure?.message ?? "no failure",
    );
  const body = { kind: "body", comparator: "eq", target: "nothing of it" } as const;

  test("quotes an assertion in the same words, and counts the others", () => {
    expect(sentenceOf(body)).toBe('Body is not "nothing of it"');
    expect(sentenceOf(body, body)).toBe('Body is not "nothing of it", and 1 more failed');
  });

  test("says why there was nothing to compare, and keeps what is said around it", () => {
    expect(
      withAssertionWords(
        "probably the proxy: Assertion failed: json $.a eq 1: the body is not JSON; it ends soon",
      ),
    ).toBe("probably the proxy: JSON value $.a is not 1: the body is not JSON; it ends soon");
    expect(
      withAssertionWords(
        'The body is larger than the 9 bytes that were read, so it is not known whether body eq "a"',
      ),
    ).toBe(
      'The body is larger than the 9 bytes that were read, so it is not known whether body is "a"',
    );
    expect(withAssertionWords("Assertion failed: what is new")).toBe(
      "Assertion failed: what is new",
    );
  });
});
