import { expect, test } from "vitest";
import type { JsonComparator } from "#check/assertion";
import { jsonScalar, parseJsonPath } from "#check/json-path";
import { decide } from "#assertions/decide";
import { evaluate } from "#assertions/evaluate";
import { jsonRule } from "#assertions/json-value";
import { httpOutcome } from "../support/results.ts";

/** What an assertion on a body in JSON holds for. */

const document = {
  status: "ok",
  count: 3,
  ready: true,
  error: null,
  items: [{ id: 7 }, { id: 8 }],
  none: [],
  "odd name": { "it's": "here" },
  codes: [1, "two"],
};

function judged(
  path: string,
  comparator: JsonComparator,
  target = "",
  body: string = JSON.stringify(document),
): { readonly held: boolean; readonly received: string } {
  const parsed = parseJsonPath(path);
  if (!parsed.ok) throw new Error(parsed.message);
  const assertion = {
    kind: "json",
    path: parsed.value,
    comparator,
    target: jsonScalar(target),
  } as const;
  const bytes = new TextEncoder().encode(body);
  const outcome = httpOutcome();
  if (outcome.kind !== "http" || outcome.response === null) throw new Error("no response");
  const response = { ...outcome.response, body: bytes, bodyBytes: bytes.length, bodyCut: false };
  const judgement = jsonRule.judge(assertion, { ...outcome, response });
  if (judgement === null) throw new Error("not judged");
  return judgement;
}

test.each<readonly [path: string, comparator: JsonComparator, target: string, held: boolean]>([
  ["$.status", "eq", "ok", true],
  ["$.status", "eq", '"ok"', true],
  ["$.status", "neq", "ok", false],
  ["$.status", "contains", "o", true],
  ["$.status", "not_contains", "x", true],
  ["$.count", "eq", "3", true],
  ["$.count", "eq", '"3"', false],
  ["$.count", "gt", "2", true],
  ["$.count", "gte", "3", true],
  ["$.count", "lt", "3", false],
  ["$.count", "lte", "3", true],
  ["$.status", "gt", "2", false],
  ["$.ready", "eq", "true", true],
  ["$.ready", "eq", '"true"', false],
  ["$.error", "eq", "null", true],
  ["$.error", "exists", "", true],
  ["$.error", "empty", "", true],
  ["$.missing", "exists", "", false],
  ["$.missing", "not_exists", "", true],
  ["$.missing", "empty", "", true],
  ["$.missing", "eq", "null", false],
  ["$.missing", "neq", "x", true],
  ["$.none", "empty", "", true],
  ["$.items", "not_empty", "", true],
  ["$.items[0].id", "eq", "7", true],
  ["$.items[-1].id", "eq", "8", true],
  ["$.items[9].id", "exists", "", false],
  ["length($.items)", "eq", "2", true],
  ["length($.status)", "eq", "2", true],
  ["length($.count)", "exists", "", false],
  ["$['odd name'][\"it's\"]", "eq", "here", true],
  ["$['odd name']['it\\'s']", "eq", "here", true],
  ["$.codes", "contains", "1", true],
  ["$.codes", "contains", "two", true],
  ["$.codes", "contains", '"1"', false],
  ["$.constructor", "exists", "", false],
  ["$", "not_empty", "", true],
])("%s %s %s: %s", (path, comparator, target, held) => {
  expect(judged(path, comparator, target).held).toBe(held);
});

test.each([
  ["", "is required"],
  ["status", "must begin with $, for example $.status"],
  ["$..status", /at character 2: wildcards, slices, filters and \.\. lead to many values$/],
  ["$.items[*]", /at character 8/],
  ["$.items[0:2]", /at character 8/],
  ["$[?@.a]", /at character 2/],
  ["$.", /at character 2/],
  ["$['open", /at character 2/],
  [`$${".a".repeat(200)}`, "is longer than 256 characters"],
  [`$${".a".repeat(101)}`, "has more than 100 steps"],
])("the path %s is refused in words", (path, words) => {
  const parsed = parseJsonPath(path);
  const expected = typeof words === "string" ? words : expect.stringMatching(words);
  expect(parsed).toEqual({ ok: false, message: expected });
});

test("a body that is not JSON, is too long or nested too deep fails in words", () => {
  const received = (body: string): string => judged("$.a", "exists", "", body).received;
  expect(received("<html>")).toBe("a body that is not JSON");
  expect(received("")).toBe("an empty body");
  expect(received('{"a":')).toBe("a body that is not JSON");
  expect(received("[".repeat(10_000) + "]".repeat(10_000))).toBe(
    "JSON that is nested more than 100 deep",
  );
  expect(received(JSON.stringify("x".repeat(300_000)))).toBe(
    "a body of more than 256 KiB, which is not read as JSON",
  );
  expect(judged("$.a", "exists", "", '{"a":"[[[[\\"{{{"}').held).toBe(true);
});

test("the failure of a check says what was wrong with the body", () => {
  const parsed = parseJsonPath("$.a");
  if (!parsed.ok) throw new Error(parsed.message);
  const assertion = { kind: "json", path: parsed.value, comparator: "exists", target: "" } as const;
  const said = (body: string): string => {
    const outcome = httpOutcome();
    if (outcome.kind !== "http" || outcome.response === null) throw new Error("no response");
    const bytes = new TextEncoder().encode(body);
    const seen = { ...outcome, response: { ...outcome.response, body: bytes } };
    return decide(seen, evaluate(seen, [assertion]), null).failure?.message ?? "";
  };
  const failed = "Assertion failed: json $.a exists";
  expect(said("<html>")).toBe(`${failed}: the body is not JSON`);
  expect(said("")).toBe(`${failed}: the body is empty`);
  expect(said("[".repeat(10_000))).toBe(`${failed}: the body is nested more than 100 deep`);
  expect(said(JSON.stringify("x".repeat(300_000)))).toBe(
    `${failed}: the body has more than 256 KiB, and is not read as JSON`,
  );
  expect(said("{}")).toBe(failed);
});
