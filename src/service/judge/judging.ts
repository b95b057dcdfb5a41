import type { Clock } from "#clock";
import type { MonitorStatus } from "#check/monitor-status";
import type { ResultStatus } from "#check/verdict";
import * as limits from "#limits";
import type { Logger } from "#log";
import { type Database, integer, type Row, text } from "#service/database";
import {
  counts,
  type HeardView,
  judge,
  type Judgement,
  type MonitorState,
} from "#service/judge/judge";
import type { Locations } from "#service/locations";
import { definitionIn, type Monitors, statusOf } from "#service/monitors";
import { viewOf } from "#service/results";
import { rhythmOf } from "#service/judge/view";
import { epochMillis, type EpochMillis } from "#units";

/** Keeps what the judge says of the monitors: at each ingest, and every few seconds for what has gone silent. */
export class Judging {
  readonly #database: Database;
  readonly #monitors: Monitors;
  readonly #locations: Locations;
  readonly #clock: Clock;
  readonly #log: Logger;

  constructor(
    database: Database,
    monitors: Monitors,
    locations: Locations,
    { clock, log }: { readonly clock: Clock; readonly log: Logger },
  ) {
    this.#database = database;
    this.#monitors = monitors;
    this.#locations = locations;
    this.#clock = clock;
    this.#log = log;
  }

  /** Results of these monitors were stored by a location, or its agent has spoken. */
  heard(locationId: string, monitorIds: Iterable<string>): void {
    this.#locations.judge(locationId);
    for (const id of new Set(monitorIds)) this.#judgeMonitor(id);
  }

  /** What is said of a monitor now, and what each of its locations sees. */
  standing(id: string): Standing {
    const { definition, locationIds } = this.#monitors.get(id);
    const row =
      this.#database.get("SELECT status, status_since FROM monitors WHERE id = ?", id) ?? {};
    const views = new Map(this.#views(id).map((view) => [view.locationId, view]));
    const rhythm = rhythmOf(definition);
    const now = this.#clock.wall();
    const locations = locationIds.map((locationId) => {
      const { name } = this.#locations.get(locationId);
      const view = views.get(locationId);
      if (view === undefined) return { locationId, name, ...nothingSeen };
      return {
        locationId,
        name,
        status: seenAs[view.status],
        since: view.since,
        lastCheckedAt: view.slot,
        stale: !counts(view, rhythm, now),
      };
    });
    return { ...stateOf(row), locations };
  }

  /** Looks for silence until `signal` aborts; a failure is logged once and the look repeated. */
  async run(signal: AbortSignal): Promise<void> {
    let failing = false;
    while (!signal.aborted) {
      try {
        await this.#look(signal);
        failing = false;
      } catch (error) {
        if (!failing)
          this.#log.error("could not judge the monitors", { "error.message": String(error) });
        failing = true;
      }
      await this.#clock.sleep(limits.judgeEvery, signal);
    }
  }

  async #look(signal: AbortSignal): Promise<void> {
    for (const id of this.#locations.ids()) this.#locations.judge(id);
    // A portion at a time, because nothing is answered while the database works.
    while (!signal.aborted && this.#judgeDue() === limits.judgedAtOnce)
      await this.#clock.sleep(limits.forgetPause, signal);
  }

  #judgeDue(): number {
    const due = this.#database.all(
      "SELECT id FROM monitors WHERE judge_at <= ? ORDER BY judge_at LIMIT ?",
      this.#clock.wall(),
      limits.judgedAtOnce,
    );
    if (due.length > 0)
      this.#database.transaction(() => {
        for (const row of due) this.#judgeMonitor(text(row, "id"));
      });
    return due.length;
  }

  #judgeMonitor(id: string): void {
    const row = this.#database.get(
      "SELECT definition, status, status_since FROM monitors WHERE id = ?",
      id,
    );
    if (row === null) return;
    const definition = definitionIn(row);
    const policy = { active: definition.active, ...rhythmOf(definition) };
    this.#keep(id, judge(stateOf(row), this.#views(id), policy, this.#clock.wall()));
  }

  #views(monitorId: string): readonly LocatedView[] {
    return this.#database
      .all(
        `SELECT monitor_states.*, private_locations.status AS location_status
         FROM monitor_states JOIN private_locations ON private_locations.id = location_id
         WHERE monitor_id = ?`,
        monitorId,
      )
      .map(locatedViewOf);
  }

  #keep(id: string, { state, againAt }: Judgement): void {
    this.#database.run(
      "UPDATE monitors SET status = ?, status_since = ?, judge_at = ? WHERE id = ?",
      state.status,
      state.since,
      againAt,
      id,
    );
  }
}

interface LocatedView extends HeardView {
  readonly locationId: string;
}

/** What one location saw last of a monitor. */
interface LocationStanding {
  readonly locationId: string;
  readonly name: string;
  readonly status: MonitorStatus;
  /** Null where nothing was seen. */
  readonly since: EpochMillis | null;
  readonly lastCheckedAt: EpochMillis | null;
  /** It is too old to count, or the location is silent. */
  readonly stale: boolean;
}

export interface Standing extends MonitorState {
  readonly locations: readonly LocationStanding[];
}

const nothingSeen = { status: "unknown", since: null, lastCheckedAt: null, stale: false } as const;

const seenAs: { readonly [S in ResultStatus]: MonitorStatus } = {
  success: "active",
  degraded: "degraded",
  error: "error",
};

const stateOf = (row: Row): MonitorState => ({
  status: statusOf(text(row, "status")),
  since: epochMillis(integer(row, "status_since")),
});

const locatedViewOf = (row: Row): LocatedView => ({
  ...viewOf(row),
  locationId: text(row, "location_id"),
  heard: text(row, "location_status") !== "error",
});
