import { expect, test } from "vitest";
import type { Mistake } from "#check/findings";
import type { Kind } from "#check/monitor";
import { newDefinition, noPlaces } from "#service/operator/monitors/as-kind";
import { monitorSummary } from "#service/operator/monitors/monitor-summary";
import { typedMonitorFor } from "#service/operator/monitors/typed-monitor";

const locations = ["Office", "Warehouse", "Frankfurt"].map(
  (name, id) => [String(id), name] as const,
);

/** What the form of a new monitor says once more is typed. */
function summaryOf(
  kind: Kind,
  more: Readonly<Record<string, string>>,
  ticked = ["0"],
  wrong: readonly Mistake[] = [],
) {
  const typed = typedMonitorFor(newDefinition(kind), noPlaces);
  for (const [name, value] of Object.entries(more)) typed.set(name, value);
  for (const id of ticked) typed.append("locations", id);
  const notified = "No one is notified.";
  const button = "Create monitor";
  const view = monitorSummary({ kind, typed, locations, fixed: [], notified, wrong, button });
  return [...view.text.matchAll(/<li(?: class="next")?>(.*?)<\/li>/gs)].map(([, one = ""]) =>
    one.trim(),
  );
}

test("a new monitor is said as it would be made, without the query of its URL", () => {
  expect(summaryOf("http", { url: "https://shop.example/health?key=planted" })).toEqual([
    "https://shop.example/health is checked every minute from Office.",
    "It passes if the status code is 200 to 299, within 10 s.",
    "A failed check opens an incident.",
    "No one is notified.",
    "Next: press Create monitor.",
  ]);
});

test("rules, thresholds and places are said in the words of the form", () => {
  const rules = {
    "record_assertions[0].record": "A",
    "record_assertions[0].comparator": "eq",
    "record_assertions[0].target": "10.0.0.1",
    degraded_at: "500 ms",
    timeout: "5 s",
    "alerting.failures": "2",
  };
  expect(summaryOf("dns", { uri: "shop.example", ...rules }, ["0", "1"]).slice(0, 4)).toEqual([
    "shop.example is checked every minute from Office and Warehouse.",
    "It passes if A record is 10.0.0.1, within 5 s.",
    "Above 500 ms it is degraded.",
    "2 failed checks in a row open an incident.",
  ]);
});

test("a DNS monitor that asks one name server is said with it", () => {
  const uri = "dns:shop.example?server=127.0.0.1:23253";
  expect(summaryOf("dns", { uri })[0]).toBe(
    "shop.example at the name server 127.0.0.1:23253 is checked every minute from Office.",
  );
});

test("rules of the body do not replace that of the status, and many are counted", () => {
  const rules = Object.fromEntries(
    [0, 1, 2].flatMap((index) => [
      [`body_assertions[${index}].comparator`, "contains"],
      [`body_assertions[${index}].target`, `ok ${index}`],
    ]),
  );
  expect(summaryOf("http", rules)[1]).toBe(
    "It passes if the status code is 200 to 299 and body contains &quot;ok 0&quot; and body contains &quot;ok 1&quot;, and 1 more, within 10 s.",
  );
});

test.each([
  ["json", "contains &quot;json&quot;"],
  ["", "contains the hidden value"],
  ["{{secret:team}}", "contains the hidden value"],
])("what a header is compared with is said if it is seen in the form: %j", (target, words) => {
  const rule = {
    "header_assertions[0].key": "content-type",
    "header_assertions[0].comparator": "contains",
    "header_assertions[0].target": target,
  };
  expect(summaryOf("http", rule)[1]).toContain(`response header content-type ${words},`);
});

test("a rule of the status replaces what is held without one", () => {
  const rules = {
    "status_code_assertions[0].comparator": "eq",
    "status_code_assertions[0].target": "204",
  };
  expect(summaryOf("http", rules)[1]).toBe("It passes if the status code is 204, within 10 s.");
});

test("a monitor that nothing checks is said to be so", () => {
  expect(summaryOf("tcp", {}, [])[0]).toBe("The target is checked by no one: tick a location.");
  expect(summaryOf("icmp", {}, ["0", "1", "2"])[0]).toBe(
    "The target is checked every minute from 3 locations.",
  );
});

test("what the rules refuse is not repeated: the sentence that needs it is shorter, and the last one says what to correct", () => {
  const typed = {
    url: "htp://foo",
    timeout: "abc",
    periodicity: "7s",
    degraded_at: "soon",
    "alerting.failures": "many",
    "status_code_assertions[0].comparator": "eq",
    "status_code_assertions[0].target": "9999",
  };
  const fields = [...Object.keys(typed).filter((one) => !one.endsWith("comparator")), "name"];
  const wrong = fields.map((field) => ({ field, message: "is wrong" }));
  expect(summaryOf("http", typed, ["0"], wrong)).toEqual([
    "The target is checked from Office.",
    "It passes if the status code is 200 to 299.",
    "No one is notified.",
    "Next: fill in “Name”, then correct “URL”, “status rule 1”, “Interval” and 3 more.",
  ]);
});

test("a form without its target says which field to fill in, whatever its kind", () => {
  const lacking = [{ field: "uri", message: "is missing" }];
  expect(summaryOf("tcp", {}, ["0"], lacking).at(-1)).toBe("Next: fill in “Host and port”.");
  expect(summaryOf("icmp", {}, ["0"], lacking).at(-1)).toMatch(/^Next: fill in “Host/);
  const rule = ["path", "target"].map((part) => ({
    field: `json_assertions[0].${part}`,
    message: "is missing",
  }));
  expect(summaryOf("http", { uri: "https://a.test" }, ["0"], rule).at(-1)).toBe(
    "Next: fill in “JSON rule 1”.",
  );
});

test("a threshold that is not below the timeout is said to make no check degraded", () => {
  const said = (degraded_at: string, timeout: string) =>
    summaryOf("tcp", { uri: "db.example:5432", degraded_at, timeout }).filter((one) =>
      one.includes("degraded"),
    );
  expect(said("10 s", "5 s")).toEqual([
    "It is never degraded above 10 s, because it fails at 5 s.",
  ]);
  expect(said("5000 ms", "5 s")).toEqual([
    "It is never degraded above 5000 ms, because it fails at 5 s.",
  ]);
  expect(said("50 s", "")).toEqual(["It is never degraded above 50 s, because it fails at 45 s."]);
  expect(said("4 s", "5 s")).toEqual(["Above 4 s it is degraded."]);
});
