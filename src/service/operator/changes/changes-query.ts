import * as limits from "#limits/change-limits";
import { type AuditedKind, auditedKinds } from "#service/store/audit/audited";
import type { AuditQuery } from "#service/store/audit/audit-log";
import { isTimeZone } from "#base/time-zone";
import { dayIn } from "#base/calendar-day";
import { toBeforeFrom } from "#service/operator/forms/from-to";
import { epochMillis, type EpochMillis } from "#base/units";

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
  /** Whose days these are; empty: no day is asked for. */
  readonly zone: string;
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
  zone: "",
  before: null,
  act: null,
};

export function changesQueryIn(query: URLSearchParams): ChangesQuery {
  const word = (name: string): string =>
    (query.get(name) ?? "").trim().slice(0, limits.changeFilterCharsMax);
  const number = (name: string): number | null =>
    /^\d{1,15}$/.test(word(name)) ? Number(word(name)) : null;
  const day = (name: string): string => (dayIn(word(name)) === null ? "" : word(name));
  const [since, until] = [day("since"), day("until")];
  const zone = isTimeZone(word("zone")) ? word("zone") : "UTC";
  return {
    kind: auditedKinds.find((known) => known === word("kind")) ?? null,
    id: word("id"),
    who: word("who"),
    name: word("name"),
    since,
    until,
    zone: since === "" && until === "" ? "" : zone,
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
  zone,
  before,
  act,
}: ChangesQuery): AuditQuery => ({
  before: act === null ? before : act + 1,
  after: 0,
  kind,
  id: id === "" ? null : id,
  withSubscribers: true,
  who,
  name,
  since: since === "" ? epochMillis(0) : beginOf(Temporal.PlainDate.from(since), zone),
  // The first instant after the day.
  until: until === "" ? null : beginOf(Temporal.PlainDate.from(until).add({ days: 1 }), zone),
  // One more than is shown: if it is there, there are older ones.
  limit: limits.changesShown + 1,
});

/** Why nothing can be found between two days; null if something can. */
export const daysFault = ({ since, until }: ChangesQuery): string | null =>
  since !== "" && until !== "" && until < since ? toBeforeFrom : null;

/** The address of the same question, from another entry on. */
export const changesAddress = (query: ChangesQuery, before: number | null): string =>
  addressOf({ ...query, before, act: null });

/** Where an act is shown whole, by its newest entry. */
export const actAddress = (query: ChangesQuery, act: number): string =>
  addressOf({ ...query, before: null, act });

function addressOf(query: ChangesQuery): string {
  const named = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === "" || (name === "zone" && value === "UTC")
      ? []
      : [[name, String(value)]],
  );
  const text = new URLSearchParams(named).toString();
  return text === "" ? "/changes" : `/changes?${text}`;
}

/** In some zones a day begins at one o'clock, when clocks go forward. */
const beginOf = (day: Temporal.PlainDate, zone: string): EpochMillis =>
  epochMillis(day.toZonedDateTime(zone).epochMilliseconds);
