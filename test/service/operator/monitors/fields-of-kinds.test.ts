import { expect, test } from "vitest";
import { jsonComparators } from "#check/assertion";
import { kinds } from "#check/monitor";
import { monitorFields, shownFields } from "#service/operator/monitors/fields-of-kinds";

const namesOf = (kind: (typeof kinds)[number], typed: string): readonly string[] =>
  Object.entries(shownFields(kind, monitorFields(kind), new URLSearchParams(typed))).flatMap(
    ([name, { control }]) =>
      control.is === "section" ? Object.keys(control.fields).map((one) => `${name}.${one}`) : name,
  );

test.each(kinds)("a form of the kind %s asks for nothing that does nothing for it", (kind) => {
  const names = namesOf(kind, "");
  expect(names).not.toContain("regions");
  expect(names.includes("alerting.certificate_days")).toBe(["http", "grpc"].includes(kind));
});

test("a value that a call or a file has set is shown, so that saving the form keeps it", () => {
  const names = namesOf("tcp", "regions=hosta-ams&alerting.certificate_days=7");
  expect(names).toEqual(
    Object.keys(monitorFields("tcp")).flatMap((name) =>
      name === "alerting" ? alertingNames : name,
    ),
  );
  expect(names).toContain("regions");
});

test("a new JSON rule begins with is: by contains, 5 would pass at 15", () => {
  const { control } = monitorFields("http")["json_assertions"] ?? {};
  const comparison = control?.is === "rows" ? control.columns["comparator"]?.control : undefined;
  const choices = comparison?.is === "choice" ? comparison.choices : [];
  expect(choices[0]).toEqual(["eq", "is"]);
  expect(choices.map(([one]) => one).toSorted()).toEqual(jsonComparators.toSorted());
});

const alertingNames = [
  "alerting.failures",
  "alerting.degraded",
  "alerting.successes",
  "alerting.quorum",
  "alerting.severity",
  "alerting.certificate_days",
  "alerting.objective",
];
