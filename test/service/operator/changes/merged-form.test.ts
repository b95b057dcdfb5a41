import { expect, test } from "vitest";
import { fieldsByName } from "#service/operator/changes/form-units";
import { mergedForm } from "#service/operator/changes/merged-form";
import { monitorFields } from "#service/operator/monitors/fields-of-kinds";

type Fields = Readonly<Record<string, string>>;

/** What becomes of three forms of a monitor: what differs from theirs, and what both changed. */
function merged(base: Fields | null, theirs: Fields, mine: Fields, isSecretChanged = false) {
  const form = (fields: Fields) => new URLSearchParams(Object.entries(fields));
  const merge = mergedForm({
    base: base === null ? null : form(base),
    theirs: form(theirs),
    mine: form(mine),
    fields: fieldsByName(monitorFields("http")),
    boxes: new Set(["active", "locations"]),
    buttons: new Set(["save"]),
    isSecretChanged: () => isSecretChanged,
  });
  return { form: Object.fromEntries(merge.form), conflicts: merge.conflicts };
}

test.each([
  ["theirs alone", { name: "a" }, { name: "b" }, { name: "a" }, { name: "b" }, []],
  ["mine alone", { name: "a" }, { name: "a" }, { name: "c" }, { name: "c" }, []],
  ["the same by both", { name: "a" }, { name: "b" }, { name: "b" }, { name: "b" }, []],
  ["both", { name: "a" }, { name: "b" }, { name: "c" }, { name: "c" }, ["name"]],
  ["both, if nothing else is known", null, { name: "b" }, { name: "c" }, { name: "c" }, ["name"]],
  ["a box that they cleared", { active: "yes" }, {}, { active: "yes" }, {}, []],
  [
    "the end of a text of several lines by me",
    { description: "a", body: "x" },
    { description: "b", body: "x" },
    { description: "a", body: "x\n " },
    { description: "b", body: "x\n " },
    [],
  ],
  [
    "the end of one line by me, which says nothing",
    { name: "a" },
    { name: "b" },
    { name: "a " },
    { name: "b" },
    [],
  ],
  [
    "times, which are one field",
    { from: "1", to: "2" },
    { from: "0", to: "2" },
    { from: "1", to: "3" },
    { from: "1", to: "3" },
    ["from"],
  ],
] as const)("a field is merged: %s", (_, base, theirs, mine, form, conflicts) => {
  expect(merged(base, theirs, mine)).toEqual({ form, conflicts });
});

const rows = (...pairs: readonly (readonly [key: string, value: string])[]): Fields =>
  Object.fromEntries(
    pairs.flatMap(([key, value], index) => [
      [`labels[${index}].key`, key],
      [`labels[${index}].value`, value],
    ]),
  );

test.each([
  [
    "rows that either added",
    rows(["a", "1"]),
    rows(["a", "1"], ["b", "2"]),
    rows(["c", "3"], ["a", "1"]),
    rows(["a", "1"], ["b", "2"], ["c", "3"]),
    [],
  ],
  [
    "a row that they removed and one that I changed",
    rows(["a", "1"], ["b", "2"]),
    rows(["b", "2"]),
    rows(["a", "1"], ["b", "3"]),
    rows(["b", "3"]),
    [],
  ],
  [
    "one row that both changed, as one field",
    rows(["a", "1"], ["b", "2"]),
    rows(["a", "5"], ["b", "2"]),
    rows(["a", "6"], ["b", "2"]),
    rows(["a", "6"], ["b", "2"]),
    ["labels"],
  ],
  [
    "one name that both added, as one field",
    {},
    rows(["a", "1"]),
    rows(["a", "2"]),
    rows(["a", "2"]),
    ["labels"],
  ],
  [
    "rows that I moved while they added one, as one field",
    rows(["a", "1"], ["b", "2"]),
    rows(["a", "1"], ["b", "2"], ["c", "3"]),
    rows(["b", "2"], ["a", "1"]),
    rows(["b", "2"], ["a", "1"]),
    ["labels"],
  ],
  [
    "rows that they moved and one that I added",
    rows(["a", "1"], ["b", "2"]),
    rows(["b", "2"], ["a", "1"]),
    rows(["a", "1"], ["b", "2"], ["c", "3"]),
    rows(["b", "2"], ["a", "1"], ["c", "3"]),
    [],
  ],
] as const)("a list is merged: %s", (_, base, theirs, mine, form, conflicts) => {
  expect(merged(base, theirs, mine)).toEqual({ form, conflicts });
});

test("a saved secret of a row goes with its row, wherever that is now", () => {
  const header = (index: number, key: string, saved: string): Fields => ({
    [`headers[${index}].key`]: key,
    [`headers[${index}].value.saved`]: saved,
    [`headers[${index}].value`]: "",
  });
  const base = { ...header(0, "X-A", "0:X-A"), ...header(1, "X-B", "1:X-B") };
  const theirs = header(0, "X-B", "0:X-B");
  const typed = { "headers[2].key": "X-C", "headers[2].value": "new" };
  expect(merged(base, theirs, { ...base, ...typed })).toEqual({
    form: {
      ...theirs,
      "headers[1].key": "X-C",
      "headers[1].value": "new",
    },
    conflicts: [],
  });
});

test("of the names that no saved form and no field has, only those of buttons are kept", () => {
  const mine = { name: "b", save: "yes", basis: "monitor 1 2", planted: "", "planted[0].key": "x" };
  expect(merged({ name: "a", planted: "was" }, { name: "a" }, mine)).toEqual({
    form: { basis: "monitor 1 2", save: "yes", name: "b" },
    conflicts: [],
  });
});

test("a secret that I typed is one of both only if they may have changed it", () => {
  const saved = { "body.saved": "yes", body: "" };
  const mine = { "body.saved": "yes", body: "typed" };
  expect(merged(saved, saved, mine).conflicts).toEqual([]);
  expect(merged(saved, saved, mine, true).conflicts).toEqual(["body"]);
  expect(merged(saved, saved, saved, true).conflicts).toEqual([]);
});
