import { alertPolicyDefault, type AlertPolicy } from "#check/alert-policy";
import type { ResultStatus } from "#check/verdict";
import type { EventKind, Incident } from "#service/alerting/incident";
import { stepIncident } from "#service/alerting/incident-machine";
import type { Look } from "#service/alerting/incident-step";
import { type FreshView, presenceOf } from "#service/alerting/presence";
import { epochMillis, type EpochMillis, type Millis, minutes, seconds } from "#base/units";

export const begin: EpochMillis = epochMillis(Date.parse("2026-08-12T14:00:00Z"));
export const period: Millis = seconds(30);
/** An instant so many periods after the beginning. */
export const round = (count: number): EpochMillis => epochMillis(begin + count * period);
export const clock = (text: string): EpochMillis => epochMillis(Date.parse(`2026-08-12T${text}Z`));

const words: Readonly<Record<string, ResultStatus>> = { s: "success", d: "degraded", e: "error" };

interface Seen {
  readonly slot: number;
  readonly status: ResultStatus;
}

/** One monitor as locations see it, and its incidents; time moves by rounds. */
export class Rounds {
  readonly policy: AlertPolicy;
  readonly #history = new Map<string, Seen[]>();
  readonly #moved = new Map<string, Seen[]>();
  readonly #silent = new Set<string>();
  incident: Incident | null = null;
  /** Every incident that there was, as it is now. */
  readonly incidents: Incident[] = [];
  readonly events: EventKind[] = [];

  constructor(policy: Partial<AlertPolicy> = {}) {
    this.policy = { ...alertPolicyDefault, ...policy };
  }

  /** A result of a slot, whenever it comes. Only a newer one moves what the location sees now. */
  result(location: string, slot: number, word: string): void {
    const seen = { slot, status: words[word] ?? "success" };
    const history = this.#history.get(location) ?? [];
    this.#history.set(
      location,
      [...history, seen].toSorted((a, b) => a.slot - b.slot),
    );
    const moved = this.#moved.get(location) ?? [];
    if (slot > (moved[0]?.slot ?? -1)) this.#moved.set(location, [seen, ...moved]);
  }

  silence(location: string): void {
    this.#silent.add(location);
  }

  hear(location: string): void {
    this.#silent.delete(location);
  }

  /** The newest round of which any location has said anything. */
  get #lastKnownAt(): EpochMillis | null {
    const slots = [...this.#moved.values()].flatMap(([newest]) => newest?.slot ?? []);
    return slots.length === 0 ? null : round(Math.max(...slots));
  }

  views(now: EpochMillis): readonly FreshView[] {
    return [...this.#moved].flatMap(([location, moved]) => {
      const newest = moved[0];
      if (newest === undefined || this.#silent.has(location)) return [];
      if (now - round(newest.slot) > 2 * period + seconds(75)) return [];
      const history = (this.#history.get(location) ?? []).filter(({ slot }) => slot <= newest.slot);
      const isWell = newest.status === "success";
      const turn = history.findLastIndex(({ status }) => (status === "success") !== isWell);
      const since = round(history[turn + 1]?.slot ?? newest.slot);
      const recent = moved.map(({ status }) => status);
      return [{ recent, troubleSince: isWell ? null : since, wellSince: isWell ? since : null }];
    });
  }

  /** The service looks; gives what it says has happened. */
  look(now: EpochMillis, changes: Partial<Look> = {}): readonly EventKind[] {
    const presence = presenceOf(this.views(now), this.policy);
    const lastKnownAt = this.#lastKnownAt;
    const watched = { isActive: true, isMaintained: false };
    const look = { now, presence, lastKnownAt, ...watched, ...changes };
    const step = stepIncident({ kind: "monitor", id: 1 }, this.incident, look);
    if (step.incident !== null) {
      const number = "number" in step.incident ? step.incident.number : this.incidents.length + 1;
      this.incident = { ...step.incident, number };
      this.incidents[number - 1] = this.incident;
    }
    this.events.push(...step.events);
    return step.events;
  }

  /**
   * Rounds of every location, e.g. `{ A: "es s", B: "ssss" }`: a space is a round without a result. A look follows each.
   */
  play(rows: Readonly<Record<string, string>>, from = 0): readonly EventKind[] {
    const before = this.events.length;
    const length = Math.max(...Object.values(rows).map((row) => row.length));
    for (let index = 0; index < length; index += 1) {
      for (const [location, row] of Object.entries(rows)) {
        const word = row[index] ?? " ";
        if (word !== " ") this.result(location, from + index, word);
      }
      this.look(epochMillis(round(from + index) + seconds(2)));
    }
    return this.events.slice(before);
  }
}

export const later = (instant: EpochMillis, count: number): EpochMillis =>
  epochMillis(instant + minutes(count));
