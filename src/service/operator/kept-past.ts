import * as limits from "#limits/pages-limits";
import { monitorsNamedMax } from "#limits/store-limits";
import { calendarOf, type Day, dayLength } from "#web/page/chart/calendar";
import { daysBetween, sameDays } from "#service/operator/past-days";
import type { MonitorId } from "#service/store/ids";
import type { ResultStore } from "#service/store/result-store";
import { beginOf } from "#service/store/rollup";
import { after, between, epochMillis, type EpochMillis, millis, type Millis } from "#base/units";

/** What lies before today, of each monitor that was asked for. */
interface Past {
  readonly today: EpochMillis;
  readonly readAt: EpochMillis;
  readonly asked: ReadonlySet<MonitorId>;
  readonly days: ReadonlyMap<MonitorId, readonly Day[]>;
  readonly usual: ReadonlyMap<MonitorId, Millis>;
}

/** The medians of today, of monitors that have none of the days before. */
interface Today {
  readonly begin: EpochMillis;
  readonly readAt: EpochMillis;
  readonly asked: ReadonlySet<MonitorId>;
  readonly medians: ReadonlyMap<MonitorId, Millis>;
}

/** The days of a monitor, and what they were made of. */
interface Calendar {
  readonly last: EpochMillis;
  readonly before: readonly Day[];
  readonly today: readonly Day[];
  readonly days: readonly Day[];
}

/**
 * The days of the monitors that a picture shows, and what their latency usually is. What lies before today changes only
 * by a backlog: it is kept, and read again when the day is over, and every hour.
 */
export class KeptPast {
  readonly #results: Pick<ResultStore, "days" | "medians">;
  #past: Past | null = null;
  #today: Today | null = null;
  #calendars: ReadonlyMap<MonitorId, Calendar> = new Map();

  constructor(results: Pick<ResultStore, "days" | "medians">) {
    this.#results = results;
  }

  /** Of how many monitors it has the days. */
  get size(): number {
    return this.#past?.asked.size ?? 0;
  }

  /** Whether a look now, or so long after now on this day, would have to read. */
  isDue(at: EpochMillis, ahead: Millis): boolean {
    const past = this.#past;
    return past === null || !isCurrent(past, at, millis(limits.pastReadEvery - ahead));
  }

  /** Reads it again, whether or not what is kept is current. */
  async renew(ids: readonly MonitorId[], at: EpochMillis): Promise<void> {
    this.#past = await this.#read(ids, at);
  }

  /** What is the same as the last time is the same object: its bar is not drawn again. */
  async daysAt(ids: readonly MonitorId[], at: EpochMillis): Promise<PastFacts> {
    const last = beginOf("day", at);
    const [past, now] = await Promise.all([
      this.#pastOf(ids, at),
      daysBetween(this.#results, { monitors: ids, from: last, to: after(at, millis(1)) }),
    ]);
    this.#calendars = new Map(
      ids.map((id) => {
        const [before, today] = [past.days.get(id) ?? none, now.get(id) ?? none];
        const known = this.#calendars.get(id);
        const isLaid = known?.last === last && known.before === before;
        if (isLaid && sameDays(known.today, today)) return [id, known];
        // A check changes today alone: the 89 days before it stay.
        const days = isLaid
          ? [...known.days.slice(0, -1), ...calendarOf(today, last, 1)]
          : calendarOf([...before, ...today], last, limits.daysShown);
        return [id, { last, before, today, days }];
      }),
    );
    const days = new Map([...this.#calendars].map(([id, one]) => [id, one.days]));
    const withoutDay = ids.filter((id) => !past.usual.has(id));
    return { usual: past.usual, today: await this.#mediansToday(withoutDay, last, at), days };
  }

  /** What was read last, while it cannot be read. */
  lastRead(ids: readonly MonitorId[]): PastFacts {
    const usual = this.#past?.usual ?? new Map<MonitorId, Millis>();
    const days = new Map(ids.map((id) => [id, this.#calendars.get(id)?.days ?? none]));
    return { usual, today: this.#today?.medians ?? noMedians, days };
  }

  /** Of monitors that are new, only theirs is read. */
  async #pastOf(ids: readonly MonitorId[], at: EpochMillis): Promise<Past> {
    const past = this.#past;
    if (past === null || !isCurrent(past, at, limits.pastReadEvery))
      return (this.#past = await this.#read(ids, at));
    const added = ids.filter((id) => !past.asked.has(id));
    if (added.length === 0) return past;
    const { asked, days, usual } = await this.#read(added, at);
    return (this.#past = {
      ...past,
      asked: past.asked.union(asked),
      days: new Map([...past.days, ...days]),
      usual: new Map([...past.usual, ...usual]),
    });
  }

  async #read(ids: readonly MonitorId[], at: EpochMillis): Promise<Past> {
    const today = beginOf("day", at);
    const daysAgo = (days: number): EpochMillis => epochMillis(today - days * dayLength);
    const found = await daysBetween(this.#results, {
      monitors: ids,
      from: daysAgo(limits.daysShown - 1),
      to: today,
    });
    const usual = await this.#medians(ids, daysAgo(limits.usualDays), today);
    const known = this.#past?.days;
    const days = new Map<MonitorId, readonly Day[]>();
    for (const [id, own] of found) {
      const before = known?.get(id) ?? none;
      days.set(id, sameDays(before, own) ? before : own);
    }
    return { today, readAt: at, asked: new Set(ids), days, usual };
  }

  async #mediansToday(
    ids: readonly MonitorId[],
    begin: EpochMillis,
    at: EpochMillis,
  ): Promise<ReadonlyMap<MonitorId, Millis>> {
    const last = this.#today;
    const isCurrent = last?.begin === begin && between(last.readAt, at) < limits.medianTodayEvery;
    const known = isCurrent ? last : { begin, readAt: at, asked: noIds, medians: noMedians };
    const added = ids.filter((id) => !known.asked.has(id));
    if (added.length === 0) return known.medians;
    const read = await this.#medians(added, begin, after(at, millis(1)));
    const medians = new Map([...known.medians, ...read]);
    this.#today = { ...known, asked: known.asked.union(new Set(added)), medians };
    return medians;
  }

  /** In portions, so that others' questions come between. */
  async #medians(
    ids: readonly MonitorId[],
    from: EpochMillis,
    to: EpochMillis,
  ): Promise<ReadonlyMap<MonitorId, Millis>> {
    const all: (readonly [MonitorId, Millis])[] = [];
    for (let done = 0; done < ids.length; done += monitorsNamedMax) {
      const monitors = ids.slice(done, done + monitorsNamedMax);
      all.push(...(await this.#results.medians({ monitors, from, to })));
    }
    return new Map(all);
  }
}

/** What a picture shows of the past. */
interface PastFacts {
  /** The median of the last seven whole days. */
  readonly usual: ReadonlyMap<MonitorId, Millis>;
  /** The median of today, of monitors without that. */
  readonly today: ReadonlyMap<MonitorId, Millis>;
  /** The last 90 days, oldest first. */
  readonly days: ReadonlyMap<MonitorId, readonly Day[]>;
}

const none: readonly Day[] = [];
const noIds: ReadonlySet<MonitorId> = new Set();
const noMedians: ReadonlyMap<MonitorId, Millis> = new Map();

const isCurrent = ({ today, readAt }: Past, at: EpochMillis, age: Millis): boolean =>
  today === beginOf("day", at) && between(readAt, at) < age;
