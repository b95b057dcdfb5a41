import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ConnectRouter, HandlerContext, ServiceImpl } from "@connectrpc/connect";
import {
  IncidentService,
  type IncidentSchema,
  type SilenceSchema,
} from "#contract/picket/v1/incident_pb";
import { subjectKinds } from "#service/alerting/incident";
import type { Silence } from "#service/alerting/silence";
import type { Clock } from "#base/clock";
import * as limits from "#limits/alerts-limits";
import * as checkLimits from "#limits/check-limits";
import { callersKey } from "#service/agents/admission";
import { writtenTime } from "#service/edge/written-time";
import {
  because,
  noLocation,
  noMonitor,
  Refusal,
  refuseViolations,
  shortId,
} from "#service/edge/call-refusal";
import type { Locations } from "#service/agents/locations";
import type { Monitors } from "#service/monitors/monitors";
import { pageOf } from "#service/edge/page";
import { timeText } from "#service/monitors/shown-monitor";
import type { NamedIncident } from "#service/store/alert-store";
import { integerOf } from "#service/store/ids";
import type { Store } from "#service/store/store";
import { unixLines } from "#base/text";

export interface IncidentApi {
  readonly store: Store;
  readonly monitors: Monitors;
  readonly locations: Locations;
  readonly clock: Clock;
}

/** picket.v1.IncidentService: incidents are looked at and acknowledged, and silences are made. */
export function incidentApi(router: ConnectRouter, api: IncidentApi): void {
  const { silences } = api.store.alerts;
  router.service(IncidentService, {
    listIncidents: (request) => incidentsOf(api, request),
    getIncident: ({ number }) => incidentOf(api, number),
    acknowledgeIncident: ({ number }, context) => acknowledged(api, number, callerOf(context)),
    createSilence: async (request, context) => {
      const made = await newSilence(api, request, callerOf(context));
      const id = await silences.create(made);
      return { silence: silenceMessage({ ...made, id }) };
    },
    endSilence: async ({ id }) => {
      if (!(await silences.end(integerOf(id) ?? 0, api.clock.wall())))
        throw new Refusal("not_found", `no active silence with id ${shortId(id)}`);
      return { success: true };
    },
    listSilences: async () => ({
      silences: (await silences.list(api.clock.wall())).map(silenceMessage),
    }),
  } satisfies ServiceImpl<typeof IncidentService>);
}

interface WantedIncidents {
  readonly kind: string;
  readonly subjectId: string;
  readonly open?: boolean | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

async function incidentsOf({ store }: IncidentApi, request: WantedIncidents) {
  const { kind, subjectId, open: isOpen = null } = request;
  const known = subjectKinds.find((one) => one === kind) ?? null;
  if (kind !== "" && known === null)
    refuseViolations([{ field: "kind", message: `must be one of ${subjectKinds.join(", ")}` }]);
  const subject = subjectId === "" ? null : (integerOf(subjectId) ?? 0);
  const about = { isOpen, kind: known, subject, location: null, cause: null, before: null };
  const found = await store.alerts.incidents.list({ ...pageOf(request), ...about });
  return { incidents: found.incidents.map(incidentMessage), totalSize: found.total };
}

async function incidentOf({ store }: IncidentApi, number: bigint) {
  const story = await store.alerts.incidents.story(Number(number));
  if (story === null) throw noIncident(number);
  const events = story.events.map(({ at, ...event }) => ({
    number: event.number,
    kind: event.kind,
    severity: event.severity,
    at: timeText(at),
  }));
  return { incident: incidentMessage(story), events };
}

async function acknowledged({ store, clock }: IncidentApi, number: bigint, by: string) {
  const { incidents } = store.alerts;
  const incident = await incidents.acknowledge(Number(number), clock.wall(), by);
  const story = await incidents.story(Number(number));
  if (story === null) throw noIncident(number);
  if (incident === null)
    throw new Refusal(
      "failed_precondition",
      `incident ${number} is over: there is nothing to acknowledge`,
      because("INCIDENT_ENDED"),
    );
  return { incident: incidentMessage(story) };
}

const noIncident = (number: bigint): Refusal =>
  new Refusal("not_found", `there is no incident ${number}`, because("INCIDENT_NOT_FOUND"));

const callerOf = ({ values }: HandlerContext): string => `key ${values.get(callersKey)?.id ?? ""}`;

interface WantedSilence {
  readonly monitorIds: readonly string[];
  readonly privateLocationIds: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly until: string;
  readonly reason: string;
}

/** What a person asks for as it is kept; what is wrong with it is refused by its field. */
export async function newSilence(
  { monitors, locations, clock }: Omit<IncidentApi, "store">,
  wanted: WantedSilence,
  by: string,
): Promise<Omit<Silence, "id">> {
  const until = writtenTime("until", wanted.until);
  const now = clock.wall();
  const { monitorIds, privateLocationIds, labels } = wanted;
  const reason = unixLines(wanted.reason);
  const count = monitorIds.length + privateLocationIds.length + Object.keys(labels).length;
  const wrong = (field: string, message: string): void => refuseViolations([{ field, message }]);
  if (until <= now) wrong("until", "must be in the future");
  if (count === 0) wrong("monitor_ids", "must name a monitor, or private_location_ids or labels");
  if (count > limits.silencedMax)
    wrong("monitor_ids", `has more than ${limits.silencedMax} entries`);
  if (reason.length > checkLimits.descriptionCharsMax)
    wrong("reason", `is longer than ${checkLimits.descriptionCharsMax} characters`);
  return {
    monitors: await monitorNumbers(monitors, monitorIds),
    locations: await locationNumbers(locations, privateLocationIds),
    labels,
    from: now,
    until,
    reason,
    by,
  };
}

/** Each has to be there. All of them are looked up together: a silence names a thousand. */
export async function monitorNumbers(
  monitors: Pick<Monitors, "idOf" | "among">,
  ids: readonly string[],
): Promise<readonly number[]> {
  const known = await Promise.all(ids.map((id) => monitors.idOf(id)));
  const rows = await monitors.among(known.filter((id) => id !== null));
  const there = new Set(rows.map(({ id }) => id));
  return known.map((id, index) => {
    if (id === null || !there.has(id)) throw noMonitor(ids[index] ?? "");
    return id;
  });
}

export const locationNumbers = (
  locations: Locations,
  ids: readonly string[],
): Promise<readonly number[]> =>
  Promise.all(
    ids.map(async (id) => {
      const known = await locations.idOf(id);
      if (known === null || (await locations.among([known])).length === 0) throw noLocation(id);
      return known;
    }),
  );

const incidentMessage = ({
  incident,
  name,
}: NamedIncident): MessageInitShape<typeof IncidentSchema> => ({
  number: BigInt(incident.number),
  kind: incident.subject.kind,
  subjectId: String(incident.subject.id),
  name,
  severity: incident.severity,
  startedAt: timeText(incident.startedAt),
  openedAt: timeText(incident.openedAt),
  endedAt: timeText(incident.ended?.at ?? null),
  endedBecause: incident.ended?.because ?? "",
  noDataSince: timeText(incident.noDataSince),
  flapping: incident.ended === null && incident.flapping !== null,
  acknowledgedAt: timeText(incident.acknowledged?.at ?? null),
  acknowledgedBy: incident.acknowledged?.by ?? "",
});

const silenceMessage = (silence: Silence): MessageInitShape<typeof SilenceSchema> => ({
  id: String(silence.id),
  monitorIds: silence.monitors.map(String),
  privateLocationIds: silence.locations.map(String),
  labels: { ...silence.labels },
  from: timeText(silence.from),
  until: timeText(silence.until),
  reason: silence.reason,
  madeBy: silence.by,
});
