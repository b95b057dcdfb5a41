import * as limits from "#limits/change-limits";
import { verbOf } from "#service/operator/changes/deed-verbs";
import { partDeed } from "#service/operator/changes/part-changes";
import type { AuditEntry } from "#service/store/audit/audit-log";
import { between } from "#base/units";

/** What one person, key or file did at once: its entries, the newest first. */
export type Act = readonly [AuditEntry, ...AuditEntry[]];

/** Entries in the order of the log, those of one act together: of one object, or of one kind. */
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
  const isAlike =
    actorOf(entry) === actorOf(last) &&
    entry.subject.kind === last.subject.kind &&
    topicOf(entry) === topicOf(last);
  if (!isAlike) return false;
  const ofOne = entry.subject.id === last.subject.id;
  if (act.length > 1 && isOfOne(act) !== ofOne) return false;
  const apart = between(entry.at, last.at);
  return apart === 0 || (ofOne && isOfParts(entry) && apart <= limits.partsFoldedWithin);
}

/** Whether it was one object that was changed several times. */
export const isOfOne = ([first, second]: Act): boolean =>
  second === undefined || second.subject.id === first.subject.id;

const actorOf = ({ who: { kind, name, from } }: AuditEntry): string => `${kind} ${from} ${name}`;

const isOfParts = ({ deed, subject, fields }: AuditEntry): boolean =>
  deed === "changed" && subject.kind === "page" && partDeed(fields) !== null;

const topicOf = (entry: AuditEntry): string =>
  isOfParts(entry) ? `part ${partDeed(entry.fields) ?? ""}` : verbOf(entry);
