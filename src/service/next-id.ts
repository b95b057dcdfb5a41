import { type Database, integer } from "#service/database";

/** A new id: an integer in decimal text, because tools of the public service parse ids as integers. */
export const nextId = (database: Database, kind: "monitor" | "location" | "key"): string =>
  String(
    integer(
      database.get(
        `INSERT INTO id_counters VALUES (?, 1) ON CONFLICT DO UPDATE SET last = last + 1 RETURNING last`,
        kind,
      ) ?? {},
      "last",
    ),
  );
