import * as limits from "#limits/change-limits";
import { verbOf } from "#service/operator/changes/deed-verbs";
import { partDeed } from "#service/operator/changes/part-changes";
import type { AuditEntry } from "#service/store/audit/audit-log";
import { between } from "#base/units";

/**
 * What one person, key or file did at once: its entries, the newest first. A monitor has its places with it: the locations
 * that it was made for and the channels that get it are changed by the same act.
 */
export type Act = readonly [AuditEntry, ...AuditEntry[]];

/** Entries in the order of the log, those of one act together: of one object, of one kind, or of a monitor and its places. */
export function actsOf(entries: readonly AuditEntry[]): readonly Act[] {
  const acts: [AuditEntry, ...AuditEntry[]][] = [];
  for (const entry of entries) {
    const act = acts.at(-1);
    if (act !== undefined && belongs(entry, act)) act.push(entry);
    else acts.push([entry]);
  }
  return acts;
}

function belongs(entry: AuditEntry, act: Act): boolean {
  const last = act.at(-1) ?? act[0];
  if (isPlaceOf(entry, act[0])) return true;
  const isAlike =
    entry.subject.kind !== "session" &&
    actorOf(entry) === actorOf(last) &&
    entry.subject.kind === last.subject.kind &&
    topicOf(entry) === topicOf(last);
  if (!isAlike) return false;
  const ofOne = entry.subject.id === last.subject.id;
  if (act.length > 1 && isOfOne(act) !== ofOne) return false;
  const apart = between(entry.at, last.at);
  return apart === 0 || (ofOne && isOfParts(entry) && apart <= limits.partsFoldedWithin);
}

/** Whether it says no more than that this monitor runs at the location now, or that the channel gets it, or no longer. */
const isPlaceOf = (entry: AuditEntry, { subject, ...first }: AuditEntry): boolean =>
  subject.kind === "monitor" &&
  (entry.subject.kind === "location" || entry.subject.kind === "channel") &&
  actorOf(entry) === actorOf({ subject, ...first }) &&
  between(entry.at, first.at) === 0 &&
  entry.fields.every(
    (one) =>
      one.is === "set" &&
      one.field === "monitors" &&
      [...one.added, ...one.removed].every((id) => id === subject.id),
  );

/** Whether it was one object that was changed, once or several times, with its places or without them. */
export const isOfOne = (act: Act): boolean =>
  act.every((one) => one.subject.id === act[0].subject.id || isPlaceOf(one, act[0]));

const actorOf = ({ who: { kind, name, from } }: AuditEntry): string => `${kind} ${from} ${name}`;

const isOfParts = ({ deed, subject, fields }: AuditEntry): boolean =>
  deed === "changed" && subject.kind === "page" && partDeed(fields) !== null;

const topicOf = (entry: AuditEntry): string =>
  isOfParts(entry) ? `part ${partDeed(entry.fields) ?? ""}` : verbOf(entry);
