import { type AlertPolicy, policyFrom } from "#check/alert-policy";
import type { EventKind, Incident } from "#service/alerting/incident";
import { isWatchedAs, stepIncident } from "#service/alerting/incident-machine";
import type { Step } from "#service/alerting/incident-step";
import { downSince } from "#service/alerting/down-spans";
import { presenceOf } from "#service/alerting/presence";
import type { SilenceTarget } from "#service/alerting/silence";
import { causeKey, type Gap, type MonitorSnapshot } from "#service/alerting/snapshot";
import type { Clock } from "#base/clock";
import { fewAtOnce } from "#base/few-at-once";
import type { Urgency } from "#service/notify/event-facts";
import { deletedEnd } from "#service/alerts/deleted-end";
import { CertificateAlerts } from "#service/alerts/certificate-alerts";
import type { ChannelBook } from "#service/alerts/channel-book";
import {
  faultOf,
  monitorFacts,
  type Places,
  seenResult,
  sightsOf,
} from "#service/alerts/seen-monitor";
import { type MaintenancePlan, plannedBy } from "#service/maintenance/maintenance-plan";
import { outageFigures } from "#service/alerts/outage-figures";
import { eventFor } from "#service/alerts/recipients";
import {
  awaitsNewcomer,
  freshViews,
  newestSlotOf,
  seeing,
  worstView,
} from "#service/alerts/monitor-views";
import type { JudgedMonitor } from "#service/monitors/judged-monitor";
import { rhythmOf } from "#service/monitors/view";
import * as limits from "#limits/check-limits";
import { incidentsSteppedAtOnce, judgeEvery } from "#limits/service-limits";
import {
  dependenciesIn,
  type MonitorReader,
  withDependencies,
} from "#service/monitors/dependencies";
import type { Monitors } from "#service/monitors/monitors";
import type { MonitorRow } from "#service/store/state-store";
import type { IncidentChange, NamedIncident } from "#service/store/alert-store";
import type { Turn } from "#service/store/evidence-store";
import { locationId } from "#service/store/ids";
import type { Store } from "#service/store/store";
import { after, between, epochMillis, type EpochMillis, millis } from "#base/units";

/** What a look does to the incidents of some monitors. */
interface MonitorOutlook {
  readonly changes: readonly IncidentChange[];
  /** When a monitor has to be judged again for its incident's sake. */
  readonly againAt: ReadonlyMap<number, EpochMillis>;
}

/** Turns what the judge sees of monitors into incidents, with everything that messages will say. */
export class MonitorAlerts {
  readonly #store: Store;
  readonly #book: ChannelBook;
  readonly #monitors: Monitors;
  readonly #newPlaces: () => Places;
  readonly #clock: Clock;
  readonly #certificates: CertificateAlerts;

  constructor(
    store: Store,
    book: ChannelBook,
    monitors: Monitors,
    newPlaces: () => Places,
    clock: Clock,
  ) {
    this.#store = store;
    this.#book = book;
    this.#monitors = monitors;
    this.#newPlaces = newPlaces;
    this.#clock = clock;
    this.#certificates = new CertificateAlerts(store, book);
  }

  async look(judged: readonly JudgedMonitor[]): Promise<MonitorOutlook> {
    const now = this.#clock.wall();
    const ids = judged.map(({ row }) => row.id);
    const [incidents, planned] = await Promise.all([
      this.#store.alerts.incidents.newest("monitor", ids),
      plannedBy(this.#store, now),
    ]);
    const last = new Map(incidents.map((one) => [one.subject.id, one]));
    const changes: IncidentChange[] = [];
    const againAt = new Map<number, EpochMillis>();
    const round: Round = { now, planned, places: this.#newPlaces() };
    await fewAtOnce(judged, incidentsSteppedAtOnce, async (one) => {
      const before = last.get(one.row.id) ?? null;
      const { change, again } = await this.#step(one, before, round);
      if (change !== null) changes.push(change);
      if (again !== null) againAt.set(one.row.id, again);
    });
    const certificates = await this.#certificates.look(judged, round);
    changes.push(...certificates.changes);
    for (const [id, at] of certificates.againAt)
      againAt.set(id, earliest(againAt.get(id) ?? null, at) ?? at);
    return { changes, againAt };
  }

  /** The end of an incident whose monitor was deleted: it goes where it went before. */
  async orphaned(orphan: NamedIncident): Promise<IncidentChange | null> {
    const now = this.#clock.wall();
    const story = await this.#store.alerts.incidents.story(orphan.incident.number);
    const snapshot = story?.events.at(-1)?.snapshot;
    if (snapshot === undefined) return null;
    return deletedEnd(orphan, snapshot, now);
  }

  async #step(
    judged: JudgedMonitor,
    before: Incident | null,
    round: Round,
  ): Promise<{ readonly change: IncidentChange | null; readonly again: EpochMillis | null }> {
    const { row } = judged;
    const { now, planned } = round;
    const covered: SilenceTarget = {
      monitor: row.id,
      locations: seeing(judged, now),
      labels: row.labels,
    };
    const window = planned.over(covered, now);
    const look = (turns: readonly Turn[]): Step =>
      stepIncident({ kind: "monitor", id: row.id }, before, {
        now,
        presence: presenceOf(freshViews(judged, turns, before, now), policyOf(judged)),
        lastKnownAt: newestSlotOf(judged),
        isActive: row.definition.active,
        isMaintained: window !== null,
      });
    const quick = look([]);
    const { successes } = policyOf(judged);
    const isAwaited = quick.incident?.ended === null && awaitsNewcomer(judged, successes, now);
    const due = earliest(quick.againAt, window?.until ?? null);
    const again = isAwaited ? earliest(due, after(now, judgeEvery)) : due;
    if (quick.incident === null || (quick.events.length === 0 && before?.ended !== null))
      return { change: null, again };
    const turns = await this.#store.alerts.evidence.turns(row.id);
    const { incident, events } = look(turns);
    if (incident === null || (events.length === 0 && isDatedAs(before, incident)))
      return { change: null, again };
    const snapshot = await this.#snapshot(judged, { incident, events }, turns, round);
    return { change: await this.#change(judged, { incident, events }, snapshot, now), again };
  }

  async #change(
    judged: JudgedMonitor,
    { incident, events }: Pick<IncidentChange, "incident"> & Pick<Step, "events">,
    snapshot: MonitorSnapshot,
    now: EpochMillis,
  ): Promise<IncidentChange> {
    const { row } = judged;
    const channels = (await this.#book.ofMonitors([row.id])).get(row.id) ?? [];
    const { severity, subject } = incident;
    const happening = { subject, severity, locations: seeing(judged, now), labels: row.labels };
    return {
      incident,
      snapshot,
      name: row.definition.name,
      cause: snapshot.fails === null ? "" : causeKey(snapshot.fails),
      at: now,
      events: events.map((kind) => eventFor(kind, channels, happening)),
    };
  }

  async #snapshot(
    judged: JudgedMonitor,
    { incident, events }: Pick<IncidentChange, "incident"> & Pick<Step, "events">,
    turns: readonly Turn[],
    { now, planned, places }: Round,
  ): Promise<MonitorSnapshot> {
    const { row } = judged;
    const { startedAt, ended } = incident;
    const worst = worstView(judged, now);
    const found =
      worst === null ? null : await this.#store.results.result({ monitor: row.id, ...pick(worst) });
    const result = found === null ? null : seenResult(found, row);
    const covered = { monitor: row.id, locations: seeing(judged, now), labels: row.labels };
    const good = turns.map(({ lastGoodAt }) => lastGoodAt).filter((at) => at !== null);
    const period = rhythmOf(row.definition).periodicity;
    const figures = events.some((kind) => summed.has(kind))
      ? await outageFigures(this.#store, incident, now, period)
      : null;
    return {
      of: "monitor",
      monitor: monitorFacts(row),
      urgency: urgencyOf(policyOf(judged), incident.severity),
      locations: await sightsOf(judged, places, now),
      result,
      lastGoodAt: good.length === 0 ? null : epochMillis(Math.max(...good)),
      failedChecks: figures?.failedChecks ?? 0,
      ...(figures === null ? {} : { figures }),
      ...(ended === null ? {} : { failedAt: failedSince(turns, startedAt) }),
      fails: worst === null ? null : await faultOf(row, found, worst.location, places),
      maintenance: planned.endedOver(covered, downSince(incident), now),
      gap: await this.#gap(judged, incident, places, now),
      dependsOn: await this.#ancestors(row),
      period,
    };
  }

  /** When its location was cut off while it began: that is why it is known only now. */
  async #gap(
    judged: JudgedMonitor,
    { startedAt, openedAt }: Pick<Incident, "startedAt" | "openedAt">,
    places: Places,
    now: EpochMillis,
  ): Promise<Gap | null> {
    const { periodicity } = rhythmOf(judged.row.definition);
    const blind = await this.#blindGap(judged, startedAt, places, now);
    if (blind !== null) return blind;
    if (between(startedAt, openedAt) <= 2 * periodicity) return null;
    const offline = await this.#store.alerts.incidents.newest("location", seeing(judged, now));
    // A location that sees it reports: where its own incident is open still, it has just come back.
    const cut = offline.find(
      ({ startedAt: from, ended }) => from <= openedAt && (ended === null || ended.at >= startedAt),
    );
    if (cut === undefined) return null;
    const location = await places.nameOf(locationId(cut.subject.id));
    return { location, why: "silent", from: cut.startedAt, to: cut.ended?.at ?? now };
  }

  /** When the location that sees it could see nothing until just before. */
  async #blindGap(
    judged: JudgedMonitor,
    startedAt: EpochMillis,
    places: Places,
    now: EpochMillis,
  ): Promise<Gap | null> {
    const { row } = judged;
    const { location, blindSlot } = worstView(judged, now) ?? { location: null, blindSlot: null };
    if (location === null || blindSlot === null) return null;
    if (between(blindSlot, startedAt) >= 2 * rhythmOf(row.definition).periodicity) return null;
    const asked = { monitor: row.id, location, from: blindSlot, to: after(blindSlot, millis(1)) };
    const [gap] = await this.#store.results.gaps(asked);
    if (gap === undefined) return null;
    return { location: await places.nameOf(location), why: "blind", from: gap.from, to: gap.to };
  }

  /** What a monitor depends on, and what that depends on. */
  async #ancestors({ definition }: MonitorRow): Promise<readonly number[]> {
    const direct = dependenciesIn(definition);
    const read: MonitorReader = (ids) => this.#monitors.among(ids);
    return [...(await withDependencies(direct, read, limits.dependenciesMax)).keys()];
  }
}

/** What all monitors of one look share. */
interface Round {
  readonly now: EpochMillis;
  readonly planned: MaintenancePlan;
  readonly places: Places;
}

/** They say what the incident came to. */
const summed: ReadonlySet<EventKind> = new Set(["closed", "settled", "flapping"]);

const policyOf = ({ row }: JudgedMonitor): AlertPolicy => policyIn(row);
const policyIn = ({ definition }: MonitorRow): AlertPolicy => policyFrom(definition.alerting);

const pick = ({ location, slot }: JudgedMonitor["views"][number]) => ({ location, slot });

/** Whether what is kept says the same of when it began, passed and changed, and of when its data or its checks ended. */
const isDatedAs = (kept: Incident | null, now: NonNullable<Step["incident"]>): boolean =>
  kept?.startedAt === now.startedAt &&
  kept.noDataSince === now.noDataSince &&
  kept.passedSince === now.passedSince &&
  kept.flapping?.changedAt === now.flapping?.changedAt &&
  isWatchedAs(kept, now);

const urgencyOf = ({ severity }: AlertPolicy, is: Incident["severity"]): Urgency =>
  severity ?? (is === "error" ? "critical" : "warning");

const earliest = (a: EpochMillis | null, b: EpochMillis | null): EpochMillis | null =>
  a === null || (b !== null && b < a) ? b : a;

/** The locations that failed since an instant: those that do, or whose newest checks in a row that passed began later. */
const failedSince = (turns: readonly Turn[], from: EpochMillis): readonly string[] =>
  turns
    .filter(({ wellSince }) => wellSince === null || wellSince > from)
    .map(({ location }) => String(location));
