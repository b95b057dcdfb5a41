import { html } from "#web/page/html";
import { checkNotices, unreachedNotice } from "#service/operator/monitors/check-now";
import type { Picture } from "#service/operator/picture";
import type { Pictures } from "#service/operator/pictures";
import {
  incidentDocument,
  incidentListDocument,
} from "#service/operator/incidents/incident-documents";
import {
  causeAcknowledgement,
  causeNotices,
} from "#service/operator/incidents/cause-acknowledgement";
import {
  acknowledgementUndoForm,
  withAcknowledged,
} from "#service/operator/incidents/acknowledgement-undo";
import {
  commentForms,
  commentNotices,
  commentPages,
  deletedComment,
} from "#service/operator/incidents/comment-answers";
import { commentFields, writeComment } from "#service/operator/incidents/comment-form";
import { incidentList, waitingNumbers } from "#service/operator/incidents/incident-list";
import { type IncidentRow, incidentRows } from "#service/operator/incidents/rows-of-incidents";
import { seenDowntimes } from "#service/operator/incidents/seen-downtimes";
import { offeredMonitors } from "#service/operator/incidents/offered-monitors";
import { incidentListView } from "#service/operator/incidents/incident-list-view";
import {
  type IncidentQuery,
  incidentQueryText,
  readIncidentQuery,
} from "#service/operator/incidents/incident-query";
import { incidentEvidence } from "#service/operator/incidents/incident-evidence";
import { announcedAnswer } from "#service/operator/planned/announced-page";
import { incidentStory } from "#service/operator/incidents/incident-story";
import { canBeActedOn, incidentView } from "#service/operator/incidents/incident-view";
import { placeOf, subjectWords } from "#service/alerts/incident-words";
import { may } from "#service/operator/roles";
import { storyStateWords } from "#service/operator/incidents/story-mark";
import { namedNow, subjectNow } from "#service/operator/incidents/subject-now";
import { doneNotice, noticeLine } from "#service/operator/form-notice";
import type { RefusedForm } from "#service/operator/forms/box-form";
import { submitted } from "#service/operator/forms/form-submission";
import { documentAnswer, lineAnswer, type PageAnswer, seeOther } from "#service/edge/page-answer";
import {
  actorOf,
  framed,
  noticeIn,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
  type PageRequest,
  wantedPath,
  withNotice,
} from "#service/operator/page-request";
import {
  type RefusedSilence,
  silence,
  silenced,
  silenceNotices,
} from "#service/operator/silence-form";
import { withSilence } from "#service/operator/planned/silence-undo";

/** `/incidents`: all of them, the open ones first. */
const listPage: OperatorPage = {
  role: "reader",
  path: /^\/incidents(?<json>\.json)?$/,
  answer: async ({ rooms, pictures }, request) => {
    const reading = readIncidentQuery(request.query);
    if (!reading.ok) return lineAnswer(400, `${reading.message}.`);
    const { query } = reading;
    const picture = await pictures.now();
    if (request.isDocument) return listDocument(rooms, query, picture);
    const list = await incidentRows(rooms, query, picture);
    const { open } = list.counts;
    return framed(request, {
      title: `${open === 0 ? "" : `${open} open · `}Incidents · Picket`,
      section: "incidents",
      document: `/incidents.json${incidentQueryText(query)}`,
      at: picture.at,
      content: incidentListView({
        ...list,
        query,
        offered: await offeredMonitors(rooms, picture),
        waiting: may(request.reader, "responder") ? await waitingNumbers(rooms, query) : [],
        picture: await detailedPicture(pictures, picture, list.rows),
        reader: request.reader,
        notice: noticeIn(request.query, { ...causeNotices, ...acknowledgedNotices }),
      }),
    });
  },
};

async function listDocument(
  rooms: PageContext["rooms"],
  query: IncidentQuery,
  picture: Picture,
): Promise<PageAnswer> {
  const found = await incidentList(rooms, query);
  const list = { ...found, incidents: namedNow(found.incidents, picture) };
  const incidents = list.incidents.map(({ incident }) => incident);
  const downtimes = await seenDowntimes(rooms.store, incidents, rooms.clock.wall(), picture);
  return documentAnswer(incidentListDocument(list, downtimes, picture.at));
}

/** The monitors of a page's open incidents with all that is seen of them, also in a large service. */
async function detailedPicture(
  pictures: Pictures,
  picture: Picture,
  rows: readonly IncidentRow[],
): Promise<Picture> {
  if (picture.detail === "whole") return picture;
  const shown = new Set(
    rows.flatMap((row) =>
      row.kind === "incident" && row.one.incident.ended === null ? [row.one.incident.number] : [],
    ),
  );
  const known = picture.monitors.filter(({ incident }) => shown.has(incident?.number ?? 0));
  const seen = new Map(
    (await pictures.detailed(picture, known)).map((one) => [one.id, one] as const),
  );
  return { ...picture, monitors: picture.monitors.map((one) => seen.get(one.id) ?? one) };
}

/** `/incidents/N`: the story of one; that of planned work leads to the page of it. */
const storyPage: OperatorPage = {
  role: "reader",
  path: /^\/incidents\/(?<id>\d{1,15})(?<json>\.json)?$/,
  answer: async ({ rooms, pictures }, request) => {
    if (!request.isDocument) {
      const known = await rooms.store.alerts.incidents.story(Number(request.id));
      if (known?.incident.subject.kind === "maintenance")
        return announcedAnswer({ rooms, pictures }, request, known);
      return shown({ rooms, pictures }, request, { query: request.query });
    }
    const picture = await pictures.now();
    const story = await incidentStory(rooms, Number(request.id), picture);
    if (story === null) return noIncident;
    return documentAnswer(incidentDocument(story, picture.at));
  },
};

/** What became of a form of the page. */
interface ShownWith {
  readonly query?: URLSearchParams;
  readonly refused?: RefusedForm | null;
  readonly refusedSilence?: RefusedSilence | null;
}

async function shown(
  { rooms, pictures }: PageContext,
  { id, reader }: Pick<PageRequest, "id" | "reader">,
  { query = new URLSearchParams(), refused = null, refusedSilence = null }: ShownWith,
): Promise<PageAnswer> {
  const story = await incidentStory(rooms, Number(id), await pictures.now());
  if (story === null) return noIncident;
  const { subject } = story.incident;
  const { picture, monitor } = await subjectNow(pictures, subject);
  const at = rooms.clock.wall();
  const evidence = await incidentEvidence(rooms, story, picture);
  const said =
    unreachedNotice(query, monitor, picture.locations) ?? doneNotice(noticeIn(query, notices));
  const deleted = await deletedComment({ rooms, pictures }, { query, reader }, `/incidents/${id}`);
  const notice = html`${noticeLine(said)}${deleted}`;
  const page = { story, evidence, picture, monitor, at, reader };
  const frame = {
    title: `${storyStateWords(story, monitor)} · ${subjectWords(story)} · Picket`,
    section: "incidents" as const,
    document: `/incidents/${id}.json`,
    at,
    content: incidentView({ ...page, notice, refused, refusedSilence }),
  };
  return framed({ reader }, frame, refused === null && refusedSilence === null ? 200 : 422);
}

const acknowledgeForm: OperatorForm = {
  role: "responder",
  path: /^\/incidents\/(?<id>\d{1,15})\/acknowledge$/,
  act: async (context, { id, form, reader }) => {
    const { store, clock } = context.rooms;
    const [number, at] = [Number(id), clock.wall()];
    const done = await store.alerts.incidents.acknowledge(number, at, actorOf(reader));
    const own = `/incidents/${id}`;
    const back = wantedPath(form.get("back") ?? own);
    if (done === null) return seeOther(withNotice(back, "over"));
    // Its own page has a button that takes it back, and of what another person took first there is nothing to undo.
    if (back === own || done.acknowledged?.at !== at)
      return seeOther(withNotice(back, "acknowledged"));
    const taken = { numbers: [number], count: 1, at };
    return seeOther(await withAcknowledged(back, context, reader, { taken }));
  },
};

/** Whoever acknowledged, each responder may take it back: its person may be asleep. */
const takeBackForm: OperatorForm = {
  role: "responder",
  path: /^\/incidents\/(?<id>\d{1,15})\/take-back$/,
  act: async ({ rooms }, { id, reader }) => {
    const { incidents } = rooms.store.alerts;
    if ((await incidents.story(Number(id))) === null) return noIncident;
    const done = await incidents.takeBack(Number(id), rooms.clock.wall(), actorOf(reader));
    return seeOther(withNotice(`/incidents/${id}`, done === null ? "over" : "taken-back"));
  },
};

const silenceForm: OperatorForm = {
  role: "responder",
  path: /^\/incidents\/(?<id>\d{1,15})\/silence$/,
  act: async (context, request) => {
    const { id } = request;
    const { rooms } = context;
    const story = await rooms.store.alerts.incidents.story(Number(id));
    if (story === null) return noIncident;
    const { subject } = story.incident;
    const place = placeOf(story);
    const isOfMonitor = subject.kind === "monitor" || subject.kind === "certificate";
    if (!isOfMonitor && place === null)
      return lineAnswer(400, "This kind of incident cannot be silenced.");
    const about = isOfMonitor
      ? ({ kind: "monitor", ids: [subject.id] } as const)
      : ({ kind: "location", ids: place === null ? [] : [place] } as const);
    return silenced(
      request.form,
      async () => seeOther(withSilence(`/incidents/${id}`, await silence(rooms, about, request))),
      async (refusedSilence) => {
        const now = await incidentStory(rooms, Number(id), await context.pictures.now());
        if (now === null || !canBeActedOn(now)) return null;
        return shown(context, request, { refusedSilence });
      },
    );
  },
};

const commentingForm: OperatorForm = {
  role: "responder",
  path: /^\/incidents\/(?<id>\d{1,15})\/comment$/,
  act: async (context, request) => {
    const { id, form, reader } = request;
    if ((await context.rooms.store.alerts.incidents.story(Number(id))) === null) return noIncident;
    const action = `/incidents/${id}/comment`;
    return submitted(form, {
      fields: commentFields,
      again: (state) => shown(context, request, { refused: { action, state } }),
      act: async (typed) => {
        await writeComment(context.rooms, Number(id), typed, reader);
        return seeOther(withNotice(`/incidents/${id}`, "commented"));
      },
    });
  },
};

export const incidentPages: readonly OperatorPage[] = [listPage, storyPage, ...commentPages];
export const incidentForms: readonly OperatorForm[] = [
  causeAcknowledgement,
  acknowledgementUndoForm,
  acknowledgeForm,
  takeBackForm,
  silenceForm,
  commentingForm,
  ...commentForms,
];

const noIncident = lineAnswer(404, "There is no such incident. All are listed at /incidents");

export const acknowledgedNotices = {
  acknowledged: "Acknowledged: no reminders follow until it is worse or opens again.",
  over: "It is resolved: there is nothing to acknowledge.",
} as const;

const notices = {
  ...silenceNotices,
  ...acknowledgedNotices,
  "taken-back": "No longer acknowledged: reminders follow again.",
  ...causeNotices,
  ...checkNotices,
  checked: "Checked just now: the timeline has what was seen.",
  ...commentNotices,
} as const;
