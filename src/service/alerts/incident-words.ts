import type {
  Ending,
  EventKind,
  Incident,
  Severity,
  SubjectKind,
} from "#service/alerting/incident";
import type { Html } from "#web/page/html";
import { verdictMark } from "#web/page/verdict-mark";
import type { NamedIncident, Story } from "#service/store/alert-store";

/* Incidents in words, the same on every page. */

export const severityWords: { readonly [S in Severity]: string } = {
  error: "Failing",
  degraded: "Degraded",
};

/** What an open incident is, and that another one is over. */
export const incidentMark = ({ severity, ended }: Incident): Html =>
  ended === null
    ? verdictMark(severity, severityWords[severity])
    : verdictMark("success", "Resolved");

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

export const endings: { readonly [E in Ending]: string } = {
  recovered: "it recovered",
  deactivated: "the monitor was deactivated (not recovered)",
  deleted: "its monitor or location was deleted (not recovered)",
};

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
      return "Steady again";
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
