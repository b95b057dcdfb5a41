import { fewAtOnce } from "#base/few-at-once";
import { policyFrom } from "#check/alert-policy";
import type { CertificateEnding } from "#check/certificate-ending";
import { type Incident, isOpen } from "#service/alerting/incident";
import { closesUnwatchedAt, isWatchedAs, newIncident } from "#service/alerting/incident-machine";
import type { UnnumberedIncident } from "#service/alerting/incident-step";
import { incidentsSteppedAtOnce } from "#limits/service-limits";
import type { MonitorSnapshot } from "#service/alerting/snapshot";
import type { ChannelBook } from "#service/alerts/channel-book";
import { eventFor } from "#service/alerts/recipients";
import { monitorFacts, type Places, sightsOf } from "#service/alerts/seen-monitor";
import type { EventKind } from "#service/alerting/incident";
import type { MaintenancePlan } from "#service/maintenance/maintenance-plan";
import type { JudgedMonitor } from "#service/monitors/judged-monitor";
import { rhythmOf } from "#service/monitors/view";
import type { IncidentChange } from "#service/store/alert-store";
import type { Store } from "#service/store/store";
import { epochMillis, type EpochMillis } from "#base/units";

/** What one look at some monitors has in common. */
interface Round {
  readonly now: EpochMillis;
  readonly planned: MaintenancePlan;
  readonly places: Places;
}

/** What a look does to the incidents of certificates, and when a monitor has to be judged again for their sake. */
interface CertificateOutlook {
  readonly changes: readonly IncidentChange[];
  readonly againAt: ReadonlyMap<number, EpochMillis>;
}

/**
 * One incident for a certificate that is near its end, whatever number of locations see it. It is reported once for each
 * threshold: what was reported last is in the incident's story, so a restart repeats nothing.
 */
export class CertificateAlerts {
  readonly #store: Store;
  readonly #book: ChannelBook;

  constructor(store: Store, book: ChannelBook) {
    this.#store = store;
    this.#book = book;
  }

  async look(judged: readonly JudgedMonitor[], round: Round): Promise<CertificateOutlook> {
    const { incidents } = this.#store.alerts;
    const ids = judged.map(({ row }) => row.id);
    const found = await incidents.newest("certificate", ids);
    const last = new Map(found.map((one) => [one.subject.id, one]));
    const changes = await fewAtOnce(judged, incidentsSteppedAtOnce, (one) =>
      this.#step(one, last.get(one.row.id) ?? null, round),
    );
    const againAt = judged.flatMap(({ row }) => {
      const before = last.get(row.id) ?? null;
      return isOpen(before) && !row.definition.active
        ? [[row.id, closesUnwatchedAt(before, round.now)] as const]
        : [];
    });
    return {
      changes: changes.filter((change) => change !== null),
      againAt: new Map(againAt),
    };
  }

  async #step(
    judged: JudgedMonitor,
    before: Incident | null,
    round: Round,
  ): Promise<IncidentChange | null> {
    const { ending } = judged.certificate;
    if (!isOpen(before)) return ending === null ? null : this.#begin(judged, before, ending, round);
    const isPaused = !judged.row.definition.active;
    if (isPaused && round.now < closesUnwatchedAt(before, round.now))
      return this.#unwatched(judged, before, before.unwatchedSince ?? round.now, round);
    if (!isPaused && before.unwatchedSince !== null)
      return this.#unwatched(judged, before, null, round);
    const story = await this.#store.alerts.incidents.story(before.number);
    const said = story?.events.at(-1)?.snapshot;
    const announced = said?.of === "monitor" ? (said.certificate ?? null) : null;
    if (ending === null) return this.#end(judged, before, announced, round);
    const isNews =
      announced === null || announced.end !== ending.end || ending.threshold < announced.threshold;
    return isNews ? this.#change(judged, before, "reminder", ending, round) : null;
  }

  /** Notes since when its monitor is paused: whoever resumes it soon has changed nothing. */
  async #unwatched(
    judged: JudgedMonitor,
    before: Incident,
    unwatchedSince: EpochMillis | null,
    round: Round,
  ): Promise<IncidentChange | null> {
    const incident: Incident = { ...before, unwatchedSince };
    if (isWatchedAs(before, incident)) return null;
    return this.#change(judged, incident, null, judged.certificate.ending, round);
  }

  /** What begins during planned work is reported when that is over. It begins after the one before it. */
  async #begin(
    judged: JudgedMonitor,
    before: Incident | null,
    ending: CertificateEnding,
    round: Round,
  ): Promise<IncidentChange | null> {
    const { row } = judged;
    const covered = { monitor: row.id, locations: row.locations, labels: row.labels };
    if (round.planned.over(covered, round.now) !== null) return null;
    const subject = { kind: "certificate", id: row.id } as const;
    const since = epochMillis(Math.max(ending.since, before?.ended?.at ?? 0));
    const incident = newIncident(subject, "degraded", since, round.now);
    return this.#change(judged, incident, "opened", ending, round);
  }

  /** Renewed, or not watched any more. */
  #end(
    judged: JudgedMonitor,
    before: Incident,
    announced: CertificateEnding | null,
    round: Round,
  ): Promise<IncidentChange> {
    const { row, certificate } = judged;
    const { active, alerting } = row.definition;
    const isWatched =
      active && certificate.span !== null && policyFrom(alerting).certificateDays?.length !== 0;
    const isRenewed = isWatched && certificate.span?.end !== announced?.end;
    const because = isRenewed ? "recovered" : "deactivated";
    const at = isRenewed ? round.now : (before.unwatchedSince ?? round.now);
    const incident: Incident = { ...before, unwatchedSince: null, ended: { at, because } };
    const { span } = certificate;
    const shown = span === null ? announced : { end: span.end, threshold: 0, since: round.now };
    return this.#change(judged, incident, "closed", shown, round);
  }

  async #change(
    judged: JudgedMonitor,
    incident: Incident | UnnumberedIncident,
    kind: EventKind | null,
    certificate: CertificateEnding | null,
    { now, places }: Round,
  ): Promise<IncidentChange> {
    const { row } = judged;
    const channels = (await this.#book.ofMonitors([row.id])).get(row.id) ?? [];
    const { subject } = incident;
    const { labels, locations } = row;
    const happening = { subject, severity: "degraded", locations, labels } as const;
    const snapshot: MonitorSnapshot = {
      of: "monitor",
      monitor: monitorFacts(row),
      urgency: "warning",
      locations: await sightsOf(judged, places, now),
      result: null,
      lastGoodAt: null,
      failedChecks: 0,
      fails: null,
      maintenance: null,
      gap: null,
      dependsOn: [],
      period: rhythmOf(row.definition).periodicity,
      ...(certificate === null ? {} : { certificate }),
    };
    const events = kind === null ? [] : [eventFor(kind, channels, happening)];
    return { incident, name: row.definition.name, cause: "", at: now, snapshot, events };
  }
}
