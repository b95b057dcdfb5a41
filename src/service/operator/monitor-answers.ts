import { documentAnswer, seeOther } from "#service/edge/page-answer";
import * as limits from "#limits/pages-limits";
import { anyIncident } from "#service/operator/incidents/incident-query";
import { incidentList } from "#service/operator/incidents/incident-list";
import { monitorDocument } from "#service/operator/page-documents";
import {
  framed,
  noticeIn,
  type OperatorForm,
  type OperatorPage,
  withNotice,
} from "#service/operator/page-request";
import { checkNotices } from "#service/operator/monitors/check-now";
import { noMonitor } from "#service/edge/call-refusal";
import type { PageRooms } from "#service/operator/page-rooms";
import type { PicturedMonitor } from "#service/operator/picture";
import type { MonitorRow } from "#service/store/state-store";
import type { MonitorId } from "#service/store/ids";
import type { StoredResult } from "#service/store/result-store";
import { beginOf } from "#service/store/rollup";
import { after, epochMillis, type EpochMillis, type Millis, millis } from "#base/units";
import { acknowledgedNotices } from "#service/operator/incidents/incident-answers";
import { monitorView } from "#service/operator/monitor-view";
import { notifiedChannels } from "#service/operator/notified-channels";
import { plannedWork, targetOfMonitor } from "#service/operator/planned/work-under-way";
import { silence, silenceNotices } from "#service/operator/silence-form";
import { statusWords } from "#service/operator/status-mark";
import { incidentMarks } from "#service/operator/charts/marked-times";
import { chartFacts, pastChoice } from "#service/operator/charts/past-choice";
import { choiceQuery } from "#service/operator/charts/range-choice";
import { unlessAway } from "#service/operator/pictures/unless-away";
import { whyUnchecked } from "#service/agents/unknown-kind";

/** `/monitors/ID`: one monitor. */
export const monitorPage: OperatorPage = {
  role: "reader",
  path: /^\/monitors\/(?<id>\d{1,15})(?<json>\.json)?$/,
  answer: async ({ rooms, pictures }, request) => {
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
      ...facts,
      ...choice,
      reader,
      at,
      notice: noticeIn(query, notices),
      picture,
      ...rest,
    };
    return framed(request, {
      title: `${statusWords[monitor.status]} · ${monitor.name} · Picket`,
      section: "monitors",
      document: `/monitors/${id}.json?${choiceQuery(choice)}`,
      at,
      content: monitorView(page),
    });
  },
};

/** What else there is to say of a monitor: its incidents, planned work, and locations that do not check it. */
async function aroundMonitor(
  rooms: PageRooms,
  row: MonitorRow,
  monitor: PicturedMonitor,
  at: EpochMillis,
) {
  const days = { from: monitor.days[0]?.begin ?? at, to: at };
  const [incidents, dayIncidents, planned, unchecked, paths, channels, median, lastGood] =
    await Promise.all([
      incidentList(rooms, { ...anyIncident, monitor: row.id }, limits.monitorIncidentsListed),
      incidentMarks(rooms, row.id, days),
      plannedWork(rooms, targetOfMonitor(monitor), at),
      whyUnchecked(rooms.instances, row.definition.kind, row.locations),
      rooms.store.paths.of(row.id),
      notifiedChannels(rooms, row),
      monitor.unread || monitor.usual !== null ? null : medianToday(rooms, row.id, at),
      monitor.unread || monitor.latency !== null
        ? null
        : lastGoodBefore(rooms, row.id, monitor.since ?? at),
    ]);
  return { incidents, dayIncidents, planned, unchecked, paths, channels, median, lastGood };
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
  act: async ({ rooms }, request) => {
    await silence(rooms, { kind: "monitor", ids: [request.id] }, request);
    return seeOther(withNotice(`/monitors/${request.id}`, "silenced"));
  },
};

const notices = {
  ...silenceNotices,
  ...acknowledgedNotices,
  made: "The monitor is created. Its first check comes within seconds, if an agent runs it.",
  paused: "Paused: nothing is checked, and nothing is sent, until it is resumed.",
  resumed: "Resumed: its next check comes within seconds.",
  saved: "Saved. Its agents take it over within seconds.",
  ...checkNotices,
} as const;
