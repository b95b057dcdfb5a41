import type { Incident } from "#service/alerting/incident";
import { coveredBy } from "#service/alerting/lane-rules";
import {
  type Silence,
  silencedUntil,
  silencesDuring,
  silencesOver,
} from "#service/alerting/silence";
import * as limits from "#limits/pages-limits";
import * as serviceLimits from "#limits/service-limits";
import { type LocatedTurn, turnsOf } from "#service/operator/incidents/incident-turns";
import {
  reportedIncident,
  type ReportedIncident,
} from "#service/operator/incidents/incident-reports";
import {
  type IncidentMessages,
  incidentMessages,
} from "#service/operator/incidents/incident-messages";
import type { PageRooms } from "#service/operator/page-rooms";
import type { Picture } from "#service/operator/picture";
import { isAway } from "#service/store/store-fault";
import {
  type ListedIncident,
  openingSentence,
  withSentences,
} from "#service/operator/incidents/opening-sentence";
import { shownFigures, type ShownFigures } from "#service/alerts/outage-figures";
import { openedMonitors } from "#service/operator/incidents/opened-monitors";
import { byCause, type CauseGroup, refusedAddress } from "#service/operator/monitors/cause-groups";
import { causeIn } from "#service/alerting/snapshot";
import type { Story } from "#service/store/alert-store";
import type { IncidentComment } from "#service/store/comment-store";
import { namedNow } from "#service/operator/incidents/subject-now";
import { certificateOfStory } from "#service/operator/incidents/incident-certificate";
import type { SeenCertificate } from "#service/operator/check-view";
import { monitorId } from "#service/store/ids";
import type { ListedResult } from "#service/store/result-store";
import { trashKinds, type TrashRow } from "#service/store/trash/trash-store";
import { after, epochMillis, type EpochMillis, type Millis, millis, minutes } from "#base/units";

/** Everything that is known of one incident. */
export interface IncidentStory extends Story, ReportedIncident, IncidentMessages {
  /** What each location saw before, during and after it; empty if no result is kept. */
  readonly turns: readonly LocatedTurn[];
  /** Whether checks in the middle were not looked at, because there are too many. */
  readonly isCut: boolean;
  /** Whether its results cannot be read, because their database server is away. */
  readonly isUnread: boolean;
  /** What people wrote about it, the oldest first. */
  readonly comments: readonly IncidentComment[];
  /** The row of the list that it is in; null if it is alone there, or over. */
  readonly group: CauseGroup | null;
  /** Others that failed alike at the same time and are over; of one that is over also those that are open. */
  readonly alike: readonly ListedIncident[];
  /** The newest ones before it of the same monitor, location or channel. */
  readonly earlier: readonly ListedIncident[];
  /** Those that held its messages at some time, the earliest first; of one that is over also those of now. */
  readonly silences: readonly Silence[];
  /** Those of them that hold its messages now. */
  readonly silencesNow: readonly Silence[];
  /** Until when; null if none does. */
  readonly silencedUntil: EpochMillis | null;
  /** What it came to, by its checks; null if that is not known, or if it is about no monitor. */
  readonly figures: ShownFigures | null;
  /** Of the incident of a certificate; null if it is not seen any more, and of any other. */
  readonly certificate: SeenCertificate | null;
  /** What it is about, if that is deleted and can be put back. */
  readonly trash: TrashRow | null;
  /** What it is about had this name when it was noted last. */
  readonly nameThen: string;
}

/** Null when there is no such incident. */
export async function incidentStory(
  rooms: PageRooms,
  number: number,
  picture: Picture,
): Promise<IncidentStory | null> {
  const { alerts } = rooms.store;
  const story = await alerts.incidents.story(number);
  if (story === null) return null;
  const group = groupOf(story.incident, picture);
  const [past, sent, alike, earlier, silences, comments, trash] = await Promise.all([
    turnsIn(rooms, story.incident, picture),
    incidentMessages(rooms, story),
    alikeOf(rooms, story, group !== null),
    earlierOf(rooms, story.incident),
    silencesOf(rooms, story),
    alerts.comments.of(number),
    trashOf(rooms, story),
  ]);
  const [named = story] = namedNow([story], picture);
  return {
    ...named,
    nameThen: story.name,
    ...past,
    comments,
    ...sent,
    group,
    alike: namedNow(alike, picture),
    earlier: namedNow(earlier, picture),
    ...(await reportedIncident(rooms, story, picture)),
    ...silences,
    certificate: await certificateOfStory(rooms, story),
    trash,
  };
}

/** As alerting looks at them: by what its events say of locations and labels. One that was just made is newer than any picture. */
async function silencesOf(
  { store, clock }: PageRooms,
  { incident, events }: Story,
): Promise<Pick<IncidentStory, "silences" | "silencesNow" | "silencedUntil">> {
  const all = await store.alerts.silences.list(incident.startedAt);
  const now = clock.wall();
  const covers = events.map(({ snapshot }) => coveredBy(snapshot, incident.subject.id));
  const during = covers.flatMap((covered) =>
    silencesDuring(all, covered, incident.startedAt, incident.ended?.at ?? now),
  );
  const over = covers.flatMap((covered) => silencesOver(all, covered, now));
  const ends = covers.flatMap((covered) => silencedUntil(all, covered, now) ?? []);
  return {
    silences: earliestFirst([...during, ...over]),
    silencesNow: earliestFirst(over),
    silencedUntil: ends.length === 0 ? null : epochMillis(Math.max(...ends)),
  };
}

const earliestFirst = (silences: readonly Silence[]): readonly Silence[] =>
  [...new Set(silences)].toSorted((a, b) => a.from - b.from);

async function trashOf({ store, clock }: PageRooms, { incident }: Story): Promise<TrashRow | null> {
  const { kind, id } = incident.subject;
  const trashKind = kind === "certificate" ? "monitor" : trashKinds.find((one) => one === kind);
  if (trashKind === undefined) return null;
  const since = epochMillis(clock.wall() - serviceLimits.undoneWithin);
  return store.trash.get(trashKind, id, since);
}

type PastTurns = Pick<IncidentStory, "turns" | "isCut" | "isUnread" | "figures">;

async function turnsIn(rooms: PageRooms, incident: Incident, picture: Picture): Promise<PastTurns> {
  const { subject } = incident;
  const none: PastTurns = { turns: [], isCut: false, isUnread: false, figures: null };
  if (subject.kind !== "monitor") return none;
  const monitor = picture.monitors.find(({ id }) => id === subject.id);
  if (monitor?.unread === true) return { ...none, isUnread: true };
  try {
    const [around, figures] = await Promise.all([
      turnsAround(rooms, incident, picture.at, monitor?.period),
      shownFigures(rooms.store, incident, rooms.clock.wall(), monitor?.period),
    ]);
    return { ...none, ...around, figures };
  } catch (error) {
    if (!isAway(error)) throw error;
    return { ...none, isUnread: true };
  }
}

/** From some minutes before it until some after its end, so that the last good check is in it, and the first. */
async function turnsAround(
  { store }: PageRooms,
  { subject, startedAt, ended }: Incident,
  at: EpochMillis,
  period: Millis = millis(0),
): Promise<Pick<PastTurns, "turns" | "isCut">> {
  const margin = millis(Math.max(minutes(2), 2 * period));
  const asked = {
    monitor: monitorId(subject.id),
    location: null,
    from: epochMillis(startedAt - margin),
    to: after(ended?.at ?? at, margin),
    cursor: null,
    skip: 0,
    limit: limits.storyResultsMax / 2,
  };
  const first = await store.results.window({ ...asked, order: "oldest first" });
  if (first.next === null) return { turns: turnsOf(first.results, startedAt), isCut: false };
  const last = await store.results.window({ ...asked, order: "newest first" });
  const later = last.results.toReversed().filter((one) => !first.results.some(isSame(one)));
  return {
    turns: turnsOf([...first.results, ...later], startedAt),
    isCut: later.length === asked.limit,
  };
}

const isSame =
  (one: ListedResult) =>
  (other: ListedResult): boolean =>
    one.slot === other.slot && one.location === other.location;

function groupOf({ number, ended }: Incident, picture: Picture): CauseGroup | null {
  if (ended !== null) return null;
  const isIn = ({ monitors }: CauseGroup): boolean =>
    monitors.some(({ incident }) => incident?.number === number);
  const rows = byCause(openedMonitors(picture));
  return rows.filter((row) => row.kind === "cause").find(isIn) ?? null;
}

/** Other monitors with an open incident of the same cause. */
export async function sameCauseMonitors(
  rooms: PageRooms,
  story: Story,
  picture: Picture,
): Promise<ReadonlySet<number>> {
  const { subject } = story.incident;
  const group = groupOf(story.incident, picture);
  const alike = await alikeOf(rooms, story, group !== null);
  const open = alike.filter(({ incident }) => incident.ended === null);
  const all = [
    ...(group?.monitors ?? []).map(({ id }): number => id),
    ...open.map(({ incident }) => incident.subject.id),
  ];
  return new Set(all.filter((id) => id !== subject.id));
}

async function alikeOf(
  rooms: PageRooms,
  story: Story,
  isGrouped: boolean,
): Promise<readonly ListedIncident[]> {
  const { cause, incident } = story;
  if (cause === "") return [];
  const { incidents } = await rooms.store.alerts.incidents.list({
    // The open ones of its row in the list are in its group.
    isOpen: incident.ended === null && isGrouped ? false : null,
    kind: "monitor",
    subject: null,
    location: null,
    cause,
    before: null,
    limit: limits.incidentsListed,
    offset: 0,
  });
  // Those of the same monitor are its earlier ones, which are listed below.
  const others = incidents.filter(
    (one) => one.incident.subject.id !== incident.subject.id && overlap(one.incident, incident),
  );
  const listed = await withSentences(rooms, others);
  const [first] = story.events;
  const own = refusedAddress(
    first === undefined ? "" : (openingSentence(first.snapshot, first.at) ?? ""),
  );
  const isRefused = causeIn(cause)?.code === "connection_refused";
  // A port where nothing listens says nothing of other servers.
  return listed.filter(({ sentence }) => !isRefused || refusedAddress(sentence ?? "") === own);
}

/** What happened to the same thing before, and what was written about it then. */
async function earlierOf(
  rooms: PageRooms,
  { subject, number }: Incident,
): Promise<readonly ListedIncident[]> {
  const { incidents } = await rooms.store.alerts.incidents.list({
    isOpen: false,
    kind: subject.kind,
    subject: subject.id,
    location: null,
    cause: null,
    before: number,
    limit: limits.earlierIncidentsShown,
    offset: 0,
  });
  return withSentences(rooms, incidents);
}

const overlap = (a: Incident, b: Incident): boolean =>
  a.startedAt <= endOf(b) && b.startedAt <= endOf(a);
const endOf = ({ ended }: Incident): number => ended?.at ?? Number.POSITIVE_INFINITY;
