import { capital } from "#base/text";
import { endingWords } from "#check/certificate-ending";
import { causeIn, type MonitorSnapshot, type Snapshot } from "#service/alerting/snapshot";
import { failureSentence } from "#service/notify/message/failure-sentence";
import type { NamedIncident } from "#service/store/alert-store";
import type { PageRooms } from "#service/operator/page-rooms";
import { seenDowntime } from "#service/operator/incidents/seen-downtime";
import { oftenWords } from "#service/operator/incidents/times-words";
import { latencyWords, limitWords } from "#web/page/format";
import { type EpochMillis, type Millis, millis } from "#base/units";

/** An incident of a list, with what was wrong as it opened; null if that is not known. */
export interface ListedIncident extends NamedIncident {
  readonly sentence: string | null;
  /** What the sentence is of. */
  readonly failure: SeenFailure | null;
  /** The locations that saw it as it opened; empty if that is not known. */
  readonly places: readonly string[];
  /** How long it was down, by its checks; null of what was in trouble without a break, and if that is not known. */
  readonly downFor: Millis | null;
  /** Whether others of its locations did not see it then. */
  readonly isPartly: boolean;
}

type SeenFailure = Omit<NonNullable<ReturnType<typeof causeIn>>, "whose">;

/** All of them are read at once. */
export async function withSentences(
  { store, clock }: PageRooms,
  incidents: readonly NamedIncident[],
): Promise<readonly ListedIncident[]> {
  const now = clock.wall();
  const [openings, downtimes] = await Promise.all([
    store.alerts.incidents.openings(incidents.map(({ incident }) => incident.number)),
    Promise.all(
      incidents.map(async ({ incident }) =>
        oftenWords(incident) === null ? null : seenDowntime(store, incident, now),
      ),
    ),
  ]);
  return incidents.map((one, index) => {
    const { number, openedAt } = one.incident;
    const snapshot = openings.get(number);
    return {
      ...one,
      sentence: snapshot === undefined ? null : openingSentence(snapshot, openedAt),
      failure: openingFailure(snapshot, one.cause),
      downFor: downtimes[index] ?? null,
      places: snapshot?.of === "monitor" ? badPlaces(snapshot) : [],
      isPartly:
        snapshot?.of === "monitor" && snapshot.locations.length > badPlaces(snapshot).length,
    };
  });
}

/** The failure that the sentence of then is of: it may fail in another way since. If that is not known, what it keeps. */
export function openingFailure(snapshot: Snapshot | undefined, cause: string): SeenFailure | null {
  if (snapshot?.of !== "monitor" || snapshot.result === null) return causeIn(cause);
  const { fails } = snapshot;
  if (fails === null) return null;
  const { code, phase } = fails.failure;
  return { location: Number(fails.location.id), code, phase };
}

/** The locations that saw a monitor fail then. */
export const badPlaces = ({ locations }: MonitorSnapshot): readonly string[] =>
  locations.filter(({ status }) => status !== "active").map(({ name }) => name);

/** What was wrong, by what was known then. A certificate's end is said as it is seen `at` an instant. */
export function openingSentence(snapshot: Snapshot, at: EpochMillis): string | null {
  switch (snapshot.of) {
    case "monitor":
      return monitorSentence(snapshot, at);
    case "maintenance":
      return snapshot.maintenance.message;
    case "location":
      return "No heartbeat of its agents";
    case "agent":
    case "channel":
      return capital(snapshot.message);
  }
}

function monitorSentence({ certificate, result }: MonitorSnapshot, at: EpochMillis): string | null {
  if (certificate !== undefined) return capital(endingWords(certificate, at));
  if (result === null) return null;
  const { failure, latency, threshold } = result;
  if (failure !== null) return failureSentence(failure.message);
  if (threshold === null || latency <= threshold) return null;
  return `Slow: ${latencyWords(millis(latency))}, over the threshold of ${limitWords(millis(threshold))}`;
}
