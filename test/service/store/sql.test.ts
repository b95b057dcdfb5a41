import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import {
  allAmong,
  blob,
  integer,
  optionalInstant,
  optionalInteger,
  text,
} from "#service/store/sql";
import { sqlOn } from "#service/store/sqlite/sqlite-sql";

test.each([integer, optionalInteger, optionalInstant, text, blob])(
  "a column that a row does not have is an error that names it, never an empty value: %o",
  (read) => {
    expect(() => read({ page: 7, title: "Acme" }, "pgae")).toThrow(
      'a row has no column "pgae": it has page, title',
    );
  },
);

test("what a row has is read, and nothing of a row that is not there", () => {
  const row = { page: 7n, none: null, title: "Acme", key: new Uint8Array([1]) };
  expect([integer(row, "page"), integer(row, "none"), integer(undefined, "page")]).toEqual([
    7, 0, 0,
  ]);
  expect([optionalInteger(row, "page"), optionalInteger(row, "none")]).toEqual([7, null]);
  expect([text(row, "title"), text(row, "none"), text(undefined, "title")]).toEqual([
    "Acme",
    "",
    "",
  ]);
  expect(blob(row, "key")).toEqual(new Uint8Array([1]));
});

test("one statement may give more rows than a call has room for", async () => {
  using sqlite = new DatabaseSync(":memory:");
  const rows = await allAmong(
    sqlOn(sqlite, () => {}),
    `WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ?)
     SELECT n FROM counted, (SELECT 1 AS key) WHERE key IN (*)`,
    [200_000],
    [1],
  );
  expect(rows.length).toBe(200_000);
});
