import type {
  Digest,
  LocationNotice,
  MonitorNotice,
  Notice,
  PageNews,
} from "#service/notify/event";
import type { Cause } from "#service/notify/event-facts";
import { say } from "#service/notify/message/say";
import * as limits from "#limits/alerts-limits";
import { cutText } from "#base/text";
import type { EpochMillis } from "#base/units";

/**
 * The body of a webhook: what the public service sends at the top, and everything else that is known. Fields are
 * only ever added; webhook-schema.ts describes them. News of a status page have their own. Null for a digest. `timeZone` is
 * that of the words for people; what is for programs is in UTC.
 */
export function webhookBody(notice: Notice, timeZone: string): unknown {
  if (notice.type === "digest") return null;
  return "body" in notice ? notice.body : bounded(bodyOf(notice, timeZone));
}

/** Bodies stay below the 20 KB that receivers take without a thought: each text of a person's is cut. */
const bounded = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (_name, value: unknown) =>
    typeof value === "string" ? cutText(value, limits.webhookTextCharsMax) : value,
  );

function bodyOf(notice: SingleNotice, timeZone: string): unknown {
  const { type, at, service, late } = notice;
  return {
    ...("monitor" in notice ? publicBody(notice) : {}),
    type,
    timestamp: iso(at),
    data: {
      service,
      message: messageOf(notice, timeZone),
      ...dataOf(notice),
      late: late === null ? null : { ...late, from: iso(late.from), to: iso(late.to) },
    },
  };
}

/** A recovery has no sentence, so it says its first facts: how long it was down. */
function messageOf(
  notice: SingleNotice,
  timeZone: string,
): { readonly title: string; readonly text: string } {
  const { title, reason, facts } = say(notice, timeZone);
  const first = facts.slice(0, 2).map(({ name, value }) => `${name}: ${value}`);
  return { title, text: reason === "" ? first.join(". ") : reason };
}

/** As the public service has it: ids are numbers there. */
function publicBody(notice: MonitorNotice): Readonly<Record<string, unknown>> {
  const { monitor, result } = notice;
  const id = Number(monitor.id);
  return {
    monitor: {
      id: Number.isSafeInteger(id) ? id : monitor.id,
      name: monitor.name,
      url: monitor.target,
    },
    cronTimestamp: result?.startedAt ?? notice.at,
    status: publicStatus(notice),
    ...(typeof result?.statusCode === "number" ? { statusCode: result.statusCode } : {}),
    ...(result === null ? {} : { latency: result.latency }),
    ...(result === null || result.failure === null ? {} : { errorMessage: result.failure.message }),
  };
}

/** The public service has no other word for what is over: `type` and `endedBecause` say whether it recovered. */
function publicStatus(notice: MonitorNotice): "error" | "degraded" | "recovered" {
  switch (notice.type) {
    case "monitor.error":
      return "error";
    case "monitor.degraded":
      return "degraded";
    case "monitor.recovered":
    case "monitor.closed":
      return "recovered";
    case "monitor.reminder":
      return notice.status;
    case "monitor.flapping":
    case "monitor.settled":
      return notice.status === "active" ? "recovered" : notice.status;
  }
}

type SingleNotice = Exclude<Notice, Digest | PageNews>;

function dataOf(notice: SingleNotice): Readonly<Record<string, unknown>> {
  if ("monitor" in notice) return monitorData(notice);
  if ("location" in notice) return locationData(notice);
  switch (notice.type) {
    case "maintenance.started":
    case "maintenance.changed":
    case "maintenance.ended": {
      const { from, to, ...rest } = notice.maintenance;
      return { maintenance: { ...rest, from: iso(from), to: iso(to) } };
    }
    case "channel.failing":
      return {
        channel: {
          ...notice.channel,
          since: iso(notice.since),
          message: notice.message,
          incident: notice.itsIncident,
        },
      };
    case "test":
      return { channel: { name: notice.channel } };
  }
}

function monitorData(notice: MonitorNotice): Readonly<Record<string, unknown>> {
  const { monitor, locations, result, lastGoodAt, cause, urgency } = notice;
  const { id, name, kind, target, labels, description, url } = monitor;
  return {
    incident: {
      ...incidentData(notice),
      downSince: iso(notice.incident.downSince),
      ...(notice.type === "monitor.recovered" ? { lasted: notice.lasted } : {}),
    },
    urgency,
    monitor: { id, name, kind, target, labels, description, url },
    locations,
    result: result && {
      code: result.failure?.code ?? null,
      phase: result.failure?.phase ?? null,
      message: result.failure?.message ?? null,
      statusCode: result.statusCode,
      attempts: result.attempts,
      latency: result.latency,
      threshold: result.threshold,
      startedAt: iso(result.startedAt),
    },
    lastGoodAt: lastGoodAt === null ? null : iso(lastGoodAt),
    group: groupOf(cause),
  };
}

function locationData(notice: LocationNotice): Readonly<Record<string, unknown>> {
  const { id, name, labels, url, monitorCount } = notice.location;
  return {
    incident: incidentData(notice),
    urgency: notice.urgency,
    location: { id, name, labels, url, monitorCount },
    ...(notice.type === "location.online"
      ? {
          replayed: notice.replayed,
          missed: notice.missed,
          down: notice.down.map(({ id, monitor, from }) => ({
            id,
            name: monitor,
            since: iso(from),
          })),
          wereDown: notice.wereDown.map(({ id, monitor, from, to, downFor }) => ({
            id,
            name: monitor,
            from: iso(from),
            to: iso(to),
            downFor,
          })),
        }
      : {}),
    ...(notice.type === "location.trouble" || notice.type === "location.well"
      ? { trouble: notice.trouble }
      : {}),
  };
}

const incidentData = (notice: MonitorNotice | LocationNotice) => {
  const { id, number, key, startedAt, url, acknowledged } = notice.incident;
  const endedAt = "endedAt" in notice ? iso(notice.endedAt) : null;
  const endedBecause = endingOf(notice);
  return { id, number, key, startedAt: iso(startedAt), endedAt, endedBecause, url, acknowledged };
};

function endingOf(
  notice: MonitorNotice | LocationNotice,
): "recovered" | "deactivated" | "deleted" | null {
  if ("because" in notice) return notice.because;
  return "endedAt" in notice ? "recovered" : null;
}

const groupOf = (cause: Cause | null): unknown =>
  cause && {
    key: cause.key,
    location: cause.location,
    code: cause.failure.code,
    phase: cause.failure.phase,
    message: cause.failure.message,
    failing: cause.failing,
    of: cause.of,
  };

const iso = (at: EpochMillis): string => new Date(at).toISOString();
