import { statSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openDatabase } from "#service/database";
import { migrations } from "#service/migrations";
import { temporaryFolder } from "../support/running-service.ts";

const newFile = (): string => path.join(temporaryFolder(), "service.sqlite");

test("a database of a newer Picket is refused with a sentence", () => {
  const file = newFile();
  using database = openDatabase(file);
  database.run("PRAGMA user_version = 999");
  expect(() => openDatabase(file)).toThrow(/was written by a newer Picket/);
});

test("a database of the first Picket is brought on, its results counted", () => {
  const file = newFile();
  const old = new DatabaseSync(file);
  old.exec(`${migrations[0]}; PRAGMA user_version = 1;
    INSERT INTO private_locations VALUES ('l', 'office', '{}', 'r', NULL, 1, 1);
    INSERT INTO monitors VALUES ('m', 'tcp', '{}', 1, 1);
    INSERT INTO results VALUES (1, 'a', 'l', 'm', 1, 'tcp', 'error', '', 1, 1, 0, '', '', x'', 1),
      (2, 'b', 'l', 'm', 2, 'tcp', 'error', '', 1, 1, 0, '', '', x'', 1);`);
  old.close();
  using database = openDatabase(file);
  expect(database.get("PRAGMA user_version")).toEqual({ user_version: migrations.length });
  expect(database.get("SELECT status, total FROM result_counts")).toEqual({
    status: "error",
    total: 2,
  });
});

test("a step that fails leaves the database as it was", () => {
  const file = newFile();
  const other = new DatabaseSync(file);
  other.exec("CREATE TABLE monitors (mine TEXT)");
  expect(() => openDatabase(file)).toThrow(/monitors already exists/);
  expect(other.prepare("SELECT name FROM sqlite_schema").all()).toEqual([{ name: "monitors" }]);
  other.close();
});

test("only the owner may read the file and those beside it", () => {
  const file = newFile();
  using database = openDatabase(file);
  database.run(
    "INSERT INTO monitors (id, kind, definition, created_at, updated_at) VALUES ('m', 'tcp', '{}', 1, 1)",
  );
  const modes = [file, `${file}-wal`, `${file}-shm`].map((one) => statSync(one).mode & 0o777);
  expect(modes).toEqual([0o600, 0o600, 0o600]);
});

test("a file in a folder that is not there is refused with a sentence", () => {
  const file = path.join(temporaryFolder(), "nowhere", "service.sqlite");
  expect(() => openDatabase(file)).toThrow(/cannot be opened .*: give a file in a folder/);
});

test("a transaction that fails changes nothing, an inner one included", () => {
  using database = openDatabase(newFile());
  const insert = (id: string): number =>
    database.run(
      "INSERT INTO monitors (id, kind, definition, created_at, updated_at) VALUES (?, 'tcp', '{}', 1, 1)",
      id,
    );
  expect(() =>
    database.transaction(() => {
      insert("a");
      database.transaction(() => insert("b"));
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(database.all("SELECT id FROM monitors")).toEqual([]);
  database.transaction(() => insert("c"));
  expect(database.all("SELECT id FROM monitors")).toEqual([{ id: "c" }]);
});
