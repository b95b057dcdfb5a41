import type { MonitorDefinition } from "#check/definition";

/** What a definition says, in the order that it was written; of one from before a field was there, as if it said nothing. */
export function definitionIn(json: string): MonitorDefinition {
  const written: MonitorDefinition = JSON.parse(json);
  const isWhole = Object.keys(absentFields).every((field) => Object.hasOwn(written, field));
  return isWhole ? written : { ...absentFields, ...written };
}
const absentFields = { alerting: null, labels: {}, signature: "" };
