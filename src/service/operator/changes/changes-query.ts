import * as limits from "#limits/change-limits";
import { type AuditedKind, auditedKinds } from "#service/store/audit/audited";
import type { AuditQuery } from "#service/store/audit/audit-log";
import { after, epochMillis, type EpochMillis, hours } from "#base/units";

/** Which entries a person asked for. */
export interface ChangesQuery {
  /** Null: of every kind. */
  readonly kind: AuditedKind | null;
  /** Of one object; empty: of all. */
  readonly id: string;
  readonly who: string;
  readonly name: string;
  /** A day as `2026-08-12`; empty: since the beginning. */
  readonly since: string;
  /** The last day; empty: up to now. */
  readonly until: string;
  /** Entries older than this one; null: the newest. */
  readonly before: number | null;
  /** The newest entry of the one act that is shown whole; null: all acts. */
  readonly act: number | null;
}

export const everyChange: ChangesQuery = {
  kind: null,
  id: "",
  who: "",
  name: "",
  since: "",
  until: "",
  before: null,
  act: null,
};

export function changesQueryIn(query: URLSearchParams): ChangesQuery {
  const word = (name: string): string =>
    (query.get(name) ?? "").trim().slice(0, limits.changeFilterCharsMax);
  const number = (name: string): number | null =>
    /^\d{1,15}$/.test(word(name)) ? Number(word(name)) : null;
  return {
    kind: auditedKinds.find((known) => known === word("kind")) ?? null,
    id: word("id"),
    who: word("who"),
    name: word("name"),
    since: dayOf(word("since")) === null ? "" : word("since"),
    until: dayOf(word("until")) === null ? "" : word("until"),
    before: number("before"),
    act: number("act"),
  };
}

export const auditQueryOf = ({
  kind,
  id,
  who,
  name,
  since,
  until,
  before,
  act,
}: ChangesQuery): AuditQuery => ({
  before: act === null ? before : act + 1,
  after: 0,
  kind,
  id: id === "" ? null : id,
  who,
  name,
  since: dayOf(since) ?? epochMillis(0),
  until: endOf(until),
  // One more than is shown: if it is there, there are older ones.
  limit: limits.changesShown + 1,
});

/** The address of the same question, from another entry on. */
export const changesAddress = (query: ChangesQuery, before: number | null): string =>
  addressOf({ ...query, before, act: null });

/** Where an act is shown whole, by its newest entry. */
export const actAddress = (query: ChangesQuery, act: number): string =>
  addressOf({ ...query, before: null, act });

function addressOf(query: ChangesQuery): string {
  const named = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === "" ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(named).toString();
  return text === "" ? "/changes" : `/changes?${text}`;
}

/** The first instant after a day. */
function endOf(day: string): EpochMillis | null {
  const begin = dayOf(day);
  return begin === null ? null : after(begin, hours(24));
}

function dayOf(text: string): EpochMillis | null {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) ? null : epochMillis(at);
}
