import { noticeLine } from "#service/operator/form-notice";
import { documentAnswer, type PageAnswer, seeOther } from "#service/edge/page-answer";
import { incidentKeptUnwatched } from "#limits/alerts-limits";
import * as limits from "#limits/pages-limits";
import { kinds, kindWords } from "#check/monitor";
import { html } from "#web/page/html";
import { stepsNote } from "#service/operator/first-start/steps-note";
import { lengthOf } from "#web/page/format";
import { anyIncident } from "#service/operator/incidents/incident-query";
import { incidentList } from "#service/operator/incidents/incident-list";
import { monitorDocument } from "#service/operator/page-documents";
import {
  framed,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
  type PageRequest,
} from "#service/operator/page-request";
import { checkedWords } from "#service/operator/monitors/checked-words";
import { checkNotices, unreachedNotice } from "#service/operator/monitors/check-now";
import { oneNotice } from "#service/operator/monitors/one-switch";
import { noMonitor } from "#service/edge/call-refusal";
import type { PageRooms } from "#service/operator/page-rooms";
import type { Picture, PicturedMonitor } from "#service/operator/picture";
import type { MonitorRow } from "#service/store/state-store";
import type { MonitorId } from "#service/store/ids";
import type { StoredResult } from "#service/store/result-store";
import { beginOf } from "#service/store/rollup";
import { after, epochMillis, type EpochMillis, type Millis, millis } from "#base/units";
import { acknowledgedNotices } from "#service/operator/incidents/incident-answers";
import type { MonitorStory } from "#service/operator/monitor-story";
import { type MonitorPage, monitorView } from "#service/operator/monitor-view";
import { notifiedChannels } from "#service/operator/notified-channels";
import { plannedWork, targetOfMonitor } from "#service/operator/planned/work-under-way";
import {
  type RefusedSilence,
  silence,
  silenced,
  silenceNotices,
} from "#service/operator/silence-form";
import { monitorStateWords } from "#service/operator/incidents/recovery-words";
import { incidentMarks } from "#service/operator/charts/incident-marks";
import { lastPlanned } from "#service/operator/charts/marked-times";
import { bornAt, chartFacts, pastChoice } from "#service/operator/charts/past-choice";
import { tailLatency } from "#service/operator/charts/tail-latency";
import { youngHours } from "#service/operator/charts/young-hours";
import { choiceQuery } from "#service/operator/charts/range-choice";
import { unlessAway } from "#service/operator/pictures/unless-away";
import { whyUnchecked } from "#service/agents/unknown-kind";
import { withSilence } from "#service/operator/planned/silence-undo";

/** `/monitors/ID`: one monitor. */
export const monitorPage: OperatorPage = {
  role: "reader",
  path: /^\/monitors\/(?<id>\d{1,15})(?<json>\.json)?$/,
  answer: (context, request) => shown(context, request),
};

async function shown(
  context: PageContext,
  request: PageRequest,
  refused: RefusedSilence | null = null,
): Promise<PageAnswer> {
  const { rooms, pictures } = context;
  const { id, query, reader } = request;
  const row = await rooms.monitors.get(id);
  const pictured = await pictures.withMonitor(row.id);
  if (pictured === null) throw noMonitor(id);
  const { picture } = pictured;
  const at = rooms.clock.wall();
  const choice = pastChoice(row, pictured.monitor, query, at);
  const { monitor, found } = await unlessAway(pictured.monitor, (one) =>
    Promise.all([chartFacts(rooms, one, choice, at), aroundMonitor(rooms, row, one, at)]),
  );
  const [facts, rest] = found;
  if (request.isDocument)
    return documentAnswer(monitorDocument(monitor, facts.story, rest.planned, at));
  const page = {
    monitor,
    definition: row.definition,
    owner: row.owner,
    born: bornAt(row, monitor, at),
    ...facts,
    ...choice,
    reader,
    at,
    refused,
    picture,
    notice: html`${noticeLine(unreachedNotice(query, monitor, picture.locations))}
    ${await oneNotice(context, request, row, noticesAt(facts.story, monitor, at))}
    ${await stepsNote(context, query, reader)}`,
    isWithoutAgent: isWithoutAgent(picture, monitor),
    ...rest,
  };
  return framedMonitor(request, page);
}

function framedMonitor(request: PageRequest, page: MonitorPage): PageAnswer {
  const { monitor, at, refused } = page;
  const frame = {
    title: `${monitorStateWords(monitor)} · ${monitor.name} · Picket`,
    section: "monitors" as const,
    document: `/monitors/${request.id}.json?${choiceQuery(page)}`,
    at,
    content: monitorView(page),
  };
  return framed(request, frame, refused === null ? 200 : 422);
}

/** What became of a form; of a check on request, what it saw. */
function noticesAt({ newest }: MonitorStory, monitor: PicturedMonitor, at: EpochMillis) {
  const { seenBy, period } = monitor;
  const paused = pausedWords(monitor);
  const [first] = seenBy;
  const place = seenBy.length === 1 ? first?.name : `${seenBy.length} locations`;
  const next =
    monitor.status === "inactive"
      ? paused
      : first === undefined
        ? "It runs at no location yet."
        : `It runs at ${place}. Its first check comes within ${lengthOf(period)}, if an agent runs there.`;
  const fitting = kinds.map((kind) => {
    const { title } = kindWords[kind];
    return [`made-${kind}`, `The monitor is created as ${title}, which fits its target. ${next}`];
  });
  return {
    ...notices,
    ...Object.fromEntries(fitting),
    paused,
    "saved-paused": `Saved. ${paused}`,
    made: `The monitor is created. ${next}`,
    checked: checkedWords(newest, seenBy, at) ?? notices.checked,
  };
}

/** Whether it has locations, and no agent of any of them has ever called. */
function isWithoutAgent({ locations }: Picture, { seenBy }: PicturedMonitor): boolean {
  const called = new Set(locations.flatMap((one) => (one.lastSeenAt === null ? [] : [one.id])));
  return seenBy.length > 0 && !seenBy.some(({ location }) => called.has(location));
}

/** What else there is to say of a monitor: its incidents, planned work, and locations that do not check it. */
async function aroundMonitor(
  rooms: PageRooms,
  row: MonitorRow,
  monitor: PicturedMonitor,
  at: EpochMillis,
) {
  const days = { from: monitor.days[0]?.begin ?? at, to: at };
  const [median, tail, lastGood, plannedUntil, hours, rest] = await Promise.all([
    monitor.unread || monitor.usual !== null ? null : medianToday(rooms, row.id, at),
    monitor.unread
      ? null
      : tailLatency(rooms, row.id, monitor.usual === null ? "today" : "week", at),
    monitor.unread || monitor.latency !== null
      ? null
      : lastGoodBefore(rooms, row.id, monitor.since ?? at),
    lastPlanned(rooms, monitor, days),
    youngHours(rooms, monitor, bornAt(row, monitor, at), at),
    listedAround(rooms, row, monitor, days),
  ]);
  return { ...rest, median, tail, lastGood, plannedUntil, hours };
}

async function listedAround(
  rooms: PageRooms,
  row: MonitorRow,
  monitor: PicturedMonitor,
  days: { readonly from: EpochMillis; readonly to: EpochMillis },
) {
  const [incidents, dayIncidents, planned, unchecked, paths, channels] = await Promise.all([
    incidentList(rooms, { ...anyIncident, monitor: row.id }, limits.monitorIncidentsListed),
    incidentMarks(rooms, row.id, days),
    plannedWork(rooms, targetOfMonitor(monitor), days.to),
    whyUnchecked(rooms.instances, row.definition.kind, row.locations),
    rooms.store.paths.of(row.id),
    notifiedChannels(rooms, row),
  ]);
  return { incidents, dayIncidents, planned, unchecked, paths, channels };
}

/** As a report has it of this day; null if nothing passed. */
async function medianToday(
  { store }: PageRooms,
  id: MonitorId,
  at: EpochMillis,
): Promise<Millis | null> {
  const today = { monitors: [id], from: beginOf("day", at), to: after(at, millis(1)) };
  return (await store.results.medians(today)).get(id) ?? null;
}

/** The newest check that passed before it began to fail. */
async function lastGoodBefore(
  { store }: PageRooms,
  monitor: MonitorId,
  to: EpochMillis,
): Promise<StoredResult | null> {
  const { results } = await store.results.window({
    monitor,
    location: null,
    from: epochMillis(0),
    to,
    order: "newest first",
    cursor: null,
    skip: 0,
    limit: limits.resultsListedMax,
  });
  return results.find(({ status }) => status !== "error") ?? null;
}

/** Nothing is sent about the monitor for a while. */
export const silenceMonitorForm: OperatorForm = {
  role: "responder",
  path: /^\/monitors\/(?<id>\d{1,15})\/silence$/,
  act: (context, request) =>
    silenced(
      request.form,
      async () => {
        const about = { kind: "monitor", ids: [request.id] } as const;
        const id = await silence(context.rooms, about, request);
        return seeOther(withSilence(`/monitors/${request.id}`, id));
      },
      async (refused) => {
        const { definition } = await context.rooms.monitors.get(request.id);
        if (!definition.active) return null;
        const query = new URLSearchParams();
        return shown(context, { ...request, isDocument: false, query }, refused);
      },
    ),
};

/** An incident that is open by then closes. */
const pausedWords = ({ incident }: Pick<PicturedMonitor, "incident">): string =>
  `Paused: nothing is checked until it is resumed.${incident === null ? "" : ` Its incident closes in ${lengthOf(incidentKeptUnwatched)}, and stays as it was if you resume the monitor before.`}`;
const resumed = "Resumed: its next check comes within seconds, if an agent runs it.";
const notices = {
  ...silenceNotices,
  ...acknowledgedNotices,
  resumed,
  saved: "Saved. Its agents take it over within seconds.",
  "saved-resumed": `Saved. ${resumed}`,
  ...checkNotices,
} as const;
