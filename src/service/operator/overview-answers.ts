import { waitingAccount } from "#service/operator/settings/waiting-account";
import * as limits from "#limits/pages-limits";
import { html, type Html } from "#web/page/html";
import { firstSteps, stepsDoneIn } from "#service/operator/first-start/first-steps";
import { firstStartView, firstStepsLine } from "#service/operator/first-start/first-start-view";
import { doneNotice, noticeLine } from "#service/operator/form-notice";
import { optionalSteps } from "#service/operator/first-start/optional-steps";
import type { PageRooms } from "#service/operator/page-rooms";
import type { PageFrame } from "#service/operator/page-frame";
import { documentAnswer, lineAnswer, type PageAnswer } from "#service/edge/page-answer";
import { overviewDocument } from "#service/operator/page-documents";
import {
  type FormRequest,
  framed,
  type KnownReader,
  noticeIn,
  type OperatorPage,
  type PageContext,
  type PageRequest,
} from "#service/operator/page-request";
import {
  manyForm,
  manyFormId,
  type RefusedInBar,
  type SearchSummary,
  summaryOf,
} from "#service/operator/monitors/many-form";
import { switchForm } from "#service/operator/lists/view-switch";
import { searchOf } from "#service/operator/monitors/many-selection";
import { manyNotice } from "#service/operator/monitors/many-notice";
import type { Picture } from "#service/operator/picture";
import { foundMonitors } from "#service/operator/pictures/found-monitors";
import { overviewRows } from "#service/operator/overview-rows";
import type { Pictures } from "#service/operator/pictures";
import {
  firstQuery,
  type OverviewQuery,
  queryText,
  readOverviewQuery,
  type Sort,
} from "#service/operator/overview-query";
import { sortsOf } from "#service/operator/overview-filters";
import { noPicks, picksIn, picksOf } from "#service/operator/monitors/picks";
import {
  type DrawnFor,
  type Overview,
  overviewView,
  worstOf,
} from "#service/operator/overview-view";
import { recoveredReports } from "#service/operator/publishing/recovered-reports";
import { may } from "#service/operator/roles";

/** `/`: all monitors, what fails first. */
export const overviewPage: OperatorPage = {
  role: "reader",
  path: /^\/(?:overview(?<json>\.json))?$/,
  answer: (context, request) => answered(context, request, null),
};

/** A silence of the list's bar that was refused. */
interface RefusedForm extends RefusedInBar {
  readonly form: URLSearchParams;
}

async function answered(
  context: PageContext,
  request: PageRequest,
  refused: RefusedForm | null,
): Promise<PageAnswer> {
  const { rooms, pictures } = context;
  const reading = readOverviewQuery(request.query, request.listView ?? undefined);
  if (!reading.ok) return lineAnswer(400, `${reading.message}.`);
  const picture = await pictures.now();
  const known = sortsOf(picture);
  const isKnown = known.includes(reading.query.sort);
  if (request.isDocument && !isKnown) return lineAnswer(400, unsortable(known));
  const query = isKnown ? reading.query : { ...reading.query, sort: firstQuery.sort };
  if (request.isDocument) return overviewAsDocument(pictures, picture, query);
  const drawnFor = drawnForReader(request.reader);
  const { title, content, found } = await drawnPart(pictures, picture, query, {
    drawnFor,
    picks: refused === null ? picksIn(request.query, picture) : picksOf(refused.form, picture),
  });
  const bar =
    drawnFor === "reader"
      ? switchForm(request.reader, manyFormId)
      : manyForm(picture, query, found, request.reader, refused);
  const joined = noticeLine(doneNotice(noticeIn(request.query, joinedNotices)));
  const notice = joined ?? (await manyNotice(context, request, queryText(query)));
  const lines = html`${content} ${bar}`;
  const all = drawnFor === "editor" ? await withFirstSteps(rooms, picture, lines, request) : lines;
  const recovered = await recoveredReports(rooms, picture, request.reader);
  return framed(
    request,
    {
      title,
      content: html`${notice} ${recovered} ${all}`,
      section: "monitors",
      document: `/overview.json${queryText({ ...query, view: firstQuery.view })}`,
      at: picture.at,
    },
    refused === null ? 200 : 422,
  );
}

/** What is said to whoever came by the link with which people choose a password. */
const joinedNotices = {
  joined:
    "Your password is set, and you are signed in. Next time, sign in with your e-mail address and this password.",
} as const;

/** The list with its bar as it was sent: what was selected still is, and what was typed can be corrected. */
export function refusedOverview(
  context: PageContext,
  request: FormRequest,
  { silence = null, label = null }: Partial<RefusedInBar>,
  notice: string | null = null,
): Promise<PageAnswer> {
  const { form } = request;
  const query = new URL(searchOf(form), "http://list.invalid").searchParams;
  if (notice !== null) query.set("notice", notice);
  return answered(context, { ...request, isDocument: false, query }, { form, silence, label });
}

async function overviewAsDocument(
  pictures: Pictures,
  picture: Picture,
  query: OverviewQuery,
): Promise<PageAnswer> {
  const apart = { ...query, grouped: false };
  const { found } = await foundMonitors(pictures, picture, apart, limits.overviewMonitorsMax);
  return documentAnswer(overviewDocument(picture, found));
}

const drawnForReader = (reader: KnownReader): DrawnFor => {
  if (may(reader, "editor")) return "editor";
  return may(reader, "responder") ? "responder" : "reader";
};

const unsortable = (known: readonly Sort[]): string =>
  `sort must be one of ${known.join(", ")}, as there are more than ${limits.preparedMonitorsMax} monitors.`;

/** An empty service greets with what to do first; one that lacks a step says so. */
async function withFirstSteps(
  rooms: PageRooms,
  picture: Picture,
  content: Html,
  request: PageRequest,
): Promise<Html> {
  if (picture.monitors.length === 0)
    return firstStartView(
      await firstSteps(rooms, picture),
      { ...picture, channels: [] },
      optionalSteps(rooms.publicAddress, request, {
        hasFile: true,
        people: await rooms.people.list(),
        waiting: await waitingAccount(rooms, request.reader),
      }),
    );
  return html`${firstStepsLine(await stepsDoneIn(rooms, picture))}${content}`;
}

interface DrawnOverview extends Pick<PageFrame, "title" | "content"> {
  /** Kept with it: 100,000 monitors are searched once, and not again for each look. */
  readonly found: SearchSummary;
}

/** Of a large service, what is seen of those that are shown is read first. */
export async function drawnPart(
  pictures: Pictures,
  picture: Picture,
  query: OverviewQuery,
  { drawnFor, picks }: Pick<Overview, "drawnFor" | "picks">,
): Promise<DrawnOverview> {
  // What was selected for the last act is one person's.
  if (picks !== noPicks) return drawnAnew(pictures, picture, query, { drawnFor, picks });
  if (picture.detail === "whole") return drawnOverview(picture, query, drawnFor);
  const known = drawnParts.getOrInsertComputed(picture, () => new Map());
  const selection = selectionOf(query, drawnFor);
  const before = known.get(selection);
  if (before !== undefined) return before;
  const made = drawnAnew(pictures, picture, query, { drawnFor, picks });
  if (known.size < limits.drawnSelectionsMax) known.set(selection, made);
  made.catch(() => known.delete(selection));
  return made;
}

async function drawnAnew(
  pictures: Pictures,
  picture: Picture,
  query: OverviewQuery,
  drawnFor: Pick<Overview, "drawnFor" | "picks">,
): Promise<DrawnOverview> {
  const part = await foundMonitors(pictures, picture, query, limits.overviewLinesMax);
  return {
    title: `${worstOf(part.found)}Picket`,
    content: overviewView({ ...part, query, ...drawnFor }),
    found: summaryOf(part.found),
  };
}

const drawnParts = new WeakMap<Picture, Map<string, Promise<DrawnOverview>>>();

const selectionOf = (query: OverviewQuery, drawnFor: DrawnFor): string =>
  `${drawnFor} ${queryText(query)}`;

/** What is said of one picture, by what was asked for: it is the same for all readers who may do the same. */
const drawn = new WeakMap<Picture, Map<string, DrawnOverview>>();

export function drawnOverview(
  picture: Picture,
  query: OverviewQuery,
  drawnFor: DrawnFor,
): DrawnOverview {
  const selections = drawn.getOrInsertComputed(picture, () => new Map());
  const selection = selectionOf(query, drawnFor);
  const before = selections.get(selection);
  if (before !== undefined) return before;
  const found = overviewRows(picture, query, limits.overviewLinesMax);
  const content = overviewView({ picture, query, found, drawnFor, picks: noPicks });
  const made = { title: `${worstOf(found)}Picket`, content, found: summaryOf(found) };
  if (selections.size < limits.drawnSelectionsMax) selections.set(selection, made);
  return made;
}
