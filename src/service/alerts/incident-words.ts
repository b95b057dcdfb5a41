import {
  type Ending,
  type EventKind,
  type Incident,
  type Severity,
  type Subject,
  type SubjectKind,
  subjectKinds,
} from "#service/alerting/incident";
import type { Html } from "#web/page/html";
import { pausedMark, verdictMark } from "#web/page/verdict-mark";
import type { NamedIncident, Story } from "#service/store/alert-store";

/* Incidents in words, the same on every page. */

const severityWords: { readonly [S in Severity]: string } = {
  error: "Failing",
  degraded: "Degraded",
};

/** What an incident is: how bad, that it recovered, or why it was closed without that. */
export function incidentStateWords({ severity, ended, subject }: Incident): string {
  if (ended === null) return severityWords[severity];
  const { because } = ended;
  return because === "recovered" ? "Resolved" : `Closed: ${closureOf(subject, because).brief}`;
}

/** The same with its shape: of those that are over, only one that recovered is green. */
export function incidentMark(incident: Incident): Html {
  const { severity, ended } = incident;
  const words = incidentStateWords(incident);
  if (ended === null) return verdictMark(severity, words);
  return ended.because === "recovered" ? verdictMark("success", words) : pausedMark(words);
}

/** The location that an incident is about; null for those of monitors and channels. */
export function placeOf({ incident, events }: Story): number | null {
  const { kind, id } = incident.subject;
  switch (kind) {
    case "monitor":
    case "channel":
    case "maintenance":
    case "certificate":
      return null;
    case "location":
      return id;
    case "agent":
    case "vantage": {
      const snapshot = events.at(-1)?.snapshot;
      return snapshot?.of === "agent" ? Number(snapshot.location.id) : null;
    }
  }
}

/** What an incident is about, in words. */
export const subjectWords = ({ incident, name }: NamedIncident): string =>
  `${subjectOf[incident.subject.kind]}${name}`;

const subjectOf: { readonly [K in SubjectKind]: string } = {
  monitor: "",
  location: "Location ",
  agent: "An agent of ",
  vantage: "Network fault at ",
  channel: "Channel ",
  maintenance: "Maintenance ",
  certificate: "Certificate of ",
};

/** Why an incident is over, e.g. `it recovered`. */
export const endingSentence = ({ subject }: Incident, because: Ending): string =>
  because === "recovered"
    ? "it recovered"
    : `${closureOf(subject, because).sentence} (not recovered)`;

/** `closed: monitor paused`, of an incident as the API names it; null of one that recovered, or ended in a newer way. */
export function closureWords(subject: string, because: string): string | null {
  const kind = subjectKinds.find((one) => one === subject);
  const closure = closedBecause.find((one) => one === because);
  if (kind === undefined || closure === undefined) return null;
  return `closed: ${closureOf({ kind }, closure).brief}`;
}

const closedBecause = ["deactivated", "deleted"] as const satisfies readonly Ending[];

interface Closure {
  readonly brief: string;
  readonly sentence: string;
}

/** Why an incident was closed though nothing recovered. */
function closureOf(
  { kind }: Pick<Subject, "kind">,
  because: Exclude<Ending, "recovered">,
): Closure {
  if (kind === "maintenance") return closures.workDeleted;
  const isOfMonitor = kind === "monitor" || kind === "certificate";
  if (because === "deleted") return isOfMonitor ? closures.monitorDeleted : closures.placeDeleted;
  if (kind === "certificate") return closures.unwatched;
  return isOfMonitor ? closures.paused : closures.unused;
}

const closures = {
  paused: { brief: "monitor paused", sentence: "the monitor was paused" },
  monitorDeleted: { brief: "monitor deleted", sentence: "the monitor was deleted" },
  placeDeleted: { brief: "location deleted", sentence: "the location was deleted" },
  workDeleted: { brief: "maintenance deleted", sentence: "the maintenance was deleted" },
  unwatched: { brief: "not watched now", sentence: "the certificate is no longer watched" },
  unused: { brief: "no monitors there", sentence: "the location has no monitors any more" },
} as const;

/** What a message says has happened, in one or two words: planned work begins and ends, all else opens and closes. */
export function messageWords(kind: EventKind, about: SubjectKind): string {
  if (about === "maintenance" && kind === "opened") return "Began";
  if (about === "maintenance" && kind === "closed") return "Ended";
  return eventWords(kind, "error").split(":")[0] ?? "";
}

/** What has happened; `severity` is that of then. */
export function eventWords(kind: EventKind, severity: Severity): string {
  switch (kind) {
    case "opened":
      return `Opened: ${severityWords[severity].toLowerCase()}`;
    case "worsened":
      return "Now failing (was degraded)";
    case "eased":
      return "Better: degraded";
    case "closed":
      return "Closed";
    case "reopened":
      return `Open again: ${severityWords[severity].toLowerCase()}`;
    case "rescheduled":
      return "Rescheduled";
    case "flapping":
      return "Flapping: no more messages until it is steady";
    case "settled":
      return "No longer flapping";
    case "went_down":
      return "Down again, while it flaps";
    case "came_up":
      return "Up again, while it flaps";
    case "no_data":
      return "No data: no location can say anything";
    case "data_again":
      return "Data again";
    case "acknowledged":
      return "Acknowledged: no reminders follow";
    case "taken_back":
      return "No longer acknowledged: reminders follow again";
    case "reminder":
      return "Reminder";
  }
}
