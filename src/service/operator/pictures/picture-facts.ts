import { type Incident, isOpen } from "#service/alerting/incident";
import { endingWords } from "#check/certificate-ending";
import { capital } from "#base/text";
import { downSince, downSpans } from "#service/alerting/down-spans";
import { causeIn } from "#service/alerting/snapshot";
import * as limits from "#limits/pages-limits";
import * as serviceLimits from "#limits/service-limits";
import { type JudgedMonitor, newestBad } from "#service/monitors/judged-monitor";
import type { PicturedIncident, PicturedMonitor, PicturedReason } from "#service/operator/picture";
import type { BriefLocation } from "#service/agents/locations";
import type { MonitorId } from "#service/store/ids";
import type { ResultKey } from "#service/store/result-store";
import type { MonitorRow } from "#service/store/state-store";
import type { Store } from "#service/store/store";
import type { EpochMillis } from "#base/units";

/** What monitors are pictured with. */
export interface ReadFacts {
  readonly at: EpochMillis;
  readonly rows: readonly MonitorRow[];
  readonly places: readonly BriefLocation[];
  readonly incidents: ReadonlyMap<number, PicturedIncident>;
}

/** The newest open incident of each monitor that has one. */
export async function openIncidents({
  alerts,
}: Pick<Store, "alerts">): Promise<ReadonlyMap<number, PicturedIncident>> {
  const { incidents } = await alerts.incidents.list({
    isOpen: true,
    kind: "monitor",
    subject: null,
    location: null,
    cause: null,
    before: null,
    limit: serviceLimits.serviceMonitorsMax,
    offset: 0,
  });
  return new Map(
    incidents.map(({ incident, cause }) => [
      incident.subject.id,
      {
        number: incident.number,
        cause,
        since: downSince(incident),
        acknowledged: incident.acknowledged !== null,
        ...flappingOf(incident),
      },
    ]),
  );
}

function flappingOf(incident: Incident): Pick<PicturedIncident, "flapping" | "flaps"> {
  const { flapping, startedAt: began } = incident;
  if (flapping === null) return { flapping: null };
  const flaps = { began, times: downSpans(incident).length };
  return { flapping: flapping.isDown ? "down" : "up", flaps };
}

/** The same as a picture already has them. */
export const incidentsIn = (
  monitors: readonly PicturedMonitor[],
): ReadonlyMap<number, PicturedIncident> =>
  new Map(monitors.flatMap(({ id, incident }) => (incident === null ? [] : [[id, incident]])));

/** Why each of these monitors is not well: what its newest failing result says, or that its certificate ends. */
export async function reasonsOf(
  { results, alerts }: Pick<Store, "results" | "alerts">,
  judged: readonly JudgedMonitor[],
  incidents: ReadonlyMap<number, PicturedIncident>,
  at: EpochMillis,
): Promise<ReadonlyMap<MonitorId, PicturedReason>> {
  const inOrder = judged.toSorted((a, b) => Number(isUnknown(a)) - Number(isUnknown(b)));
  const failing = inOrder.flatMap(newestFailing);
  const found = await results.reasons(failing.slice(0, limits.reasonsReadMax));
  const reasons = new Map<MonitorId, PicturedReason>(
    found.map(({ key, ...reason }) => [key.monitor, reason]),
  );
  for (const { monitor } of failing.slice(limits.reasonsReadMax)) {
    const known = causeIn(incidents.get(monitor)?.cause ?? "");
    if (known === null) continue;
    const { code, phase, whose } = known;
    const statusCode = whose?.is === "server" ? whose.statusCode : 0;
    reasons.set(monitor, { code, phase, message: "", statusCode });
  }
  const ofCertificates = await certificateIncidents(alerts, judged);
  for (const one of judged) {
    const reason = certificateReason(one, ofCertificates.get(one.row.id) ?? null, at);
    if (reason !== null) reasons.getOrInsert(one.row.id, reason);
  }
  return reasons;
}

const isUnknown = ({ judgement }: JudgedMonitor): boolean => judgement.state.status === "unknown";

/** The open ones of monitors that are degraded by their certificate alone. */
async function certificateIncidents(
  { incidents }: Store["alerts"],
  judged: readonly JudgedMonitor[],
): Promise<ReadonlyMap<number, ReasonIncident>> {
  const ending = judged.filter(({ certificate }) => certificate.isWhy).map(({ row }) => row.id);
  if (ending.length === 0) return new Map();
  const open = (await incidents.newest("certificate", ending)).filter(isOpen);
  return new Map(
    open.map(({ subject, number, acknowledged }) => [
      subject.id,
      { number, acknowledged: acknowledged !== null },
    ]),
  );
}

type ReasonIncident = Pick<PicturedIncident, "number" | "acknowledged">;

/** Of what no check says how it is, how it failed before. */
function newestFailing({ row, judgement, views }: JudgedMonitor): readonly ResultKey[] {
  const { status } = judgement.state;
  if (status === "active") return [];
  const newest = newestBad(views, status === "degraded" ? status : "error");
  if (newest === null) return [];
  return [{ monitor: row.id, location: newest.location, slot: newest.slot }];
}

/** A monitor whose checks are all good is degraded by the end of its certificate. */
const certificateReason = (
  { certificate: { isWhy, ending } }: JudgedMonitor,
  incident: ReasonIncident | null,
  at: EpochMillis,
): PicturedReason | null =>
  !isWhy || ending === null
    ? null
    : {
        code: "certificate_ending",
        phase: "tls",
        message: capital(endingWords(ending, at)),
        statusCode: 0,
        incident,
      };
