import type { MonitorDefinition } from "#check/definition";
import { type Row, text } from "#service/store/sql";

/** What a row of monitors says: of a thousand that are changed, each is read once, however many rules look at it. */
export const definitionOf = (row: Row): MonitorDefinition =>
  definitions.getOrInsertComputed(row, (one) => definitionIn(text(one, "definition")));

const definitions = new WeakMap<Row, MonitorDefinition>();

/** What a definition says, in the order that it was written; of one from before a field was there, as if it said nothing. */
export function definitionIn(json: string): MonitorDefinition {
  const written: MonitorDefinition = JSON.parse(json);
  const isWhole = Object.keys(absentFields).every((field) => Object.hasOwn(written, field));
  return isWhole ? written : { ...absentFields, ...written };
}
const absentFields = { alerting: null, labels: {}, signature: "" };
