import { listWords } from "#check/list-words";
import { isMapping } from "#base/json";

/** A program whose files people have when they come to Picket. */
type ForeignProgram = "OpenStatus" | "Gatus" | "Uptime Kuma";

/** Whose file this is by what only its files have; null for every other, ours included. */
export function foreignProgram(value: unknown): ForeignProgram | null {
  if (!isMapping(value)) return null;
  if (Array.isArray(value["monitorList"])) return "Uptime Kuma";
  if (Array.isArray(value["endpoints"]) || Array.isArray(value["external-endpoints"]))
    return "Gatus";
  return isOpenStatus(value) ? "OpenStatus" : null;
}

/** Each key is a monitor with its kind and its request. */
const isOpenStatus = (value: unknown): boolean =>
  isMapping(value) &&
  Object.values(value).some(
    (one) => isMapping(one) && typeof one["kind"] === "string" && isMapping(one["request"]),
  );

const byHand = `write each of its targets under ${listWords("or")}, as docs/reference/monitors.md shows`;

/** Completes "the file …": whose it is, and what to do with it. */
export const foreignSentences: { readonly [P in ForeignProgram]: string } = {
  OpenStatus: "is a file of the openstatus command line; picket import FILE converts it",
  Gatus: `is a configuration of Gatus, which Picket does not read: ${byHand}`,
  "Uptime Kuma": `is a backup of Uptime Kuma, which Picket does not read: ${byHand}`,
};
