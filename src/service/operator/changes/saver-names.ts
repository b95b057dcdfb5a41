import { html, type Html } from "#web/page/html";
import { timeMark } from "#web/page/time-mark";
import { nameOfActor } from "#service/operator/changes/actor-name";
import { auditedAs, type KnownReader } from "#service/operator/page-request";
import type { AuditEntry } from "#service/store/audit/audit-log";

/* What a person reads of whoever saved an object while they had its form open: that may be themselves. */

/** `ann, 12:03:10 UTC and ci, 12:05:00 UTC`, the first one first; each person once. */
export function saversOf(since: readonly AuditEntry[], reader: KnownReader): Html {
  const newest = [...new Map(since.toReversed().map((one) => [nameOfActor(one), one])).values()];
  return html`${newest.map(
    (entry, index) =>
      html`${index === 0 ? "" : " and "}<strong>${nameOfActor(entry)}</strong>
        (${timeMark(entry.at)}${isUnnamed(entry, reader) ? unnamedNote : ""})`,
  )}`;
}

export const whoChanged = (reader: KnownReader, entries: readonly AuditEntry[]): string =>
  [...new Set(entries.toReversed().map((one) => saverName(one, reader)))].join(", ");

const saverName = (entry: AuditEntry, reader: KnownReader): string =>
  isSavedBy(entry, reader)
    ? "you, in another tab"
    : `${nameOfActor(entry)}${isUnnamed(entry, reader) ? unnamedNote : ""}`;

/** Without signing in, all who open the pages are called alike, the reader included. */
const isUnnamed = ({ who }: AuditEntry, reader: KnownReader): boolean =>
  reader.kind === "local" && who.name === auditedAs(reader).name;
const unnamedNote = ", perhaps you in another tab";

/** Whether the reader made it; at an address where no one signs in that is not known. */
export function isSavedBy({ who }: AuditEntry, reader: KnownReader): boolean {
  if (reader.kind === "local") return false;
  const { kind, name } = auditedAs(reader);
  return who.kind === kind && who.name === name;
}
