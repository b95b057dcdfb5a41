import { expect, test } from "vitest";
import { jsonComparators } from "#check/assertion";
import { kinds } from "#check/monitor";
import { monitorFields, shownFields } from "#service/operator/monitors/fields-of-kinds";
import { operatorScene } from "../../../support/operator-scene.ts";
import { sentForm } from "../../../support/sent-form.ts";

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

test.each([
  ["99,9 % over 30 days", "99.9% over 30d"],
  ["99.9\u00a0% over 30\u202fdays", "99.9% over 30d"],
  ["99.9% over 30 days", "99.9% over 30d"],
  ["99.9 over 30d", "99.9% over 30d"],
  ["99,95", "99.95% over 30d"],
  ["99 Percent over 1 day", "99% over 1d"],
])("the objective %j is kept, and its form shows %s", async (objective, shown) => {
  const { get, post } = await operatorScene({ days: 0 });
  const typed = sentForm(await (await get("/monitors/new")).text(), "/monitors/new");
  typed.set("url", "https://shop.test/");
  typed.set("alerting.objective", objective);
  expect((await post("/monitors/new", typed)).status).toBe(303);
  const form = sentForm(await (await get("/monitors/1/edit")).text(), "/monitors/1/edit");
  expect(form.get("alerting.objective")).toBe(shown);
  typed.set("name", "second");
  typed.set("alerting.objective", "101 % over 30 days");
  const refused = await post("/monitors/new", typed);
  expect([
    refused.status,
    sentForm(await refused.text(), "/monitors/new").get("alerting.objective"),
  ]).toEqual([422, "101 % over 30 days"]);
});
