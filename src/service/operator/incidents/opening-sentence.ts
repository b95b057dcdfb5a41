import { capital } from "#base/text";
import { endingWords } from "#check/certificate-ending";
import { causeIn, type MonitorSnapshot, type Snapshot } from "#service/alerting/snapshot";
import { failureSentence } from "#service/notify/message/failure-sentence";
import type { NamedIncident } from "#service/store/alert-store";
import type { PageRooms } from "#service/operator/page-rooms";
import { seenDowntime } from "#service/alerts/outage-figures";
import { oftenWords } from "#service/operator/incidents/times-words";
import { latencyWords, limitWords } from "#web/page/format";
import { type EpochMillis, type Millis, millis } from "#base/units";

/** An incident of a list, with what was wrong as it opened; null if that is not known. */
export interface ListedIncident extends NamedIncident {
  readonly sentence: string | null;
  /** What the sentence is of. */
  readonly failure: SeenFailure | null;
  /** The locations that saw it, or as it opened while it is open; empty if that is not known. */
  readonly places: readonly string[];
  /** How long it was down, by its checks; null of what was in trouble without a break, and if that is not known. */
  readonly downFor: Millis | null;
  /** Whether others of its locations did not see it as it opened, and it is not known which saw it later. */
  readonly isPartly: boolean;
}

type SeenFailure = Omit<NonNullable<ReturnType<typeof causeIn>>, "whose">;

/** All of them are read at once. */
export async function withSentences(
  { store, clock }: PageRooms,
  incidents: readonly NamedIncident[],
): Promise<readonly ListedIncident[]> {
  const now = clock.wall();
  const numbers = incidents.map(({ incident }) => incident.number);
  const over = incidents.filter(({ incident }) => incident.ended !== null);
  const [openings, endings, downtimes] = await Promise.all([
    store.alerts.incidents.openings(numbers),
    store.alerts.incidents.endings(over.map(({ incident }) => incident.number)),
    Promise.all(
      incidents.map(async ({ incident }) =>
        oftenWords(incident) === null ? null : seenDowntime(store, incident, now),
      ),
    ),
  ]);
  return incidents.map((one, index) => {
    const { number, openedAt } = one.incident;
    const snapshot = openings.get(number);
    const first = snapshot?.of === "monitor" ? badPlaces(snapshot) : [];
    const all = failedPlaces(endings.get(number));
    return {
      ...one,
      sentence: snapshot === undefined ? null : openingSentence(snapshot, openedAt),
      failure: openingFailure(snapshot, one.cause),
      downFor: downtimes[index] ?? null,
      places: all === null ? first : [...new Set([...first, ...all])].toSorted(),
      isPartly:
        all === null && snapshot?.of === "monitor" && snapshot.locations.length > first.length,
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

/** All that saw a monitor fail until its incident ended; null if that is not known. */
export function failedPlaces(snapshot: Snapshot | undefined): readonly string[] | null {
  if (snapshot?.of !== "monitor" || snapshot.failedAt === undefined) return null;
  const ids = new Set(snapshot.failedAt);
  return snapshot.locations.filter(({ id }) => ids.has(id)).map(({ name }) => name);
}

/** What was wrong, by what was known then. A certificate's end is said as it is seen `at` an instant. */
export function openingSentence(snapshot: Snapshot, at: EpochMillis): string | null {
  switch (snapshot.of) {
    case "monitor":
      return monitorSentence(snapshot, at);
    case "maintenance":
      return snapshot.maintenance.message;
    case "location":
      return snapshot.stoppedAsAsked ? "Stopped as asked" : "No agent reports";
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
