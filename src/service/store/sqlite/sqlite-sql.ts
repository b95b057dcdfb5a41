import type { DatabaseSync, StatementSync } from "node:sqlite";
import { OversizedSpans } from "#service/store/packing/oversized-spans";
import { type DialectWords, filterOf, type Sql } from "#service/store/sql";

const words: DialectWords = {
  engine: "sqlite",
  // A transaction that writes has the whole file already.
  forUpdate: "",
  forUpdateOf: () => "",
  forShare: "",
  forUpdateAlone: "",
  forUpdateIfFree: "",
  now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
  hasEnded: () => "FALSE",
  // Bytes are joined as they are, and are never read as a text.
  joinedBytes: (column) => `CAST(group_concat(${column}, '') AS BLOB)`,
  list: (column, condition) => `json_group_array(${column})${filterOf(condition)}`,
};

/** Statements on one SQLite connection; each text is prepared once. */
export function sqlOn(sqlite: DatabaseSync, damaged: Sql["damaged"]): Sql {
  const statements = new Map<string, StatementSync>();
  const prepared = (text: string): StatementSync => {
    const known = statements.get(text) ?? sqlite.prepare(text);
    statements.set(text, known);
    return known;
  };
  return {
    words,
    session: null,
    all: async (text, values = []) => prepared(text).all(...values),
    run: async (text, values = []) => Number(prepared(text).run(...values).changes),
    damaged,
    oversized: new OversizedSpans(),
  };
}
