import { expect, test } from "vitest";
import { tcpDefaults } from "#check/definition";
import { definitionOf } from "#service/store/verbs/written-definition";

test("the definition of a row is read once, however often it is asked for", () => {
  const row = { definition: JSON.stringify({ ...tcpDefaults, name: "db" }) };
  expect(definitionOf(row).name).toBe("db");
  expect(definitionOf(row)).toBe(definitionOf(row));
  expect(definitionOf({ ...row })).not.toBe(definitionOf(row));
});
