import * as limits from "#limits/pages-limits";
import { html, type Html } from "#web/page/html";
import { firstSteps, stepsDoneIn } from "#service/operator/first-start/first-steps";
import { firstStartView, firstStepsLine } from "#service/operator/first-start/first-start-view";
import type { PageRooms } from "#service/operator/page-rooms";
import type { PageFrame } from "#service/operator/page-frame";
import { documentAnswer, lineAnswer } from "#service/edge/page-answer";
import { overviewDocument } from "#service/operator/page-documents";
import { framed, mayChange, type OperatorPage } from "#service/operator/page-request";
import { manyForm } from "#service/operator/monitors/many-form";
import { manyNotice } from "#service/operator/monitors/many-answers";
import type { Picture } from "#service/operator/picture";
import { overviewRows } from "#service/operator/overview-rows";
import { type OverviewQuery, queryText, readOverviewQuery } from "#service/operator/overview-query";
import { overviewView, worstOf } from "#service/operator/overview-view";

/** `/`: all monitors, what fails first. */
export const overviewPage: OperatorPage = {
  role: "reader",
  path: /^\/(?:overview(?<json>\.json))?$/,
  answer: async ({ rooms, pictures }, request) => {
    const reading = readOverviewQuery(request.query);
    if (!reading.ok) return lineAnswer(400, `${reading.message}.`);
    const { query } = reading;
    const picture = await pictures.now();
    if (request.isDocument)
      return documentAnswer(
        overviewDocument(picture, overviewRows(picture, { ...query, grouped: false })),
      );
    const isEditor = mayChange(request.reader);
    const { title, content } = drawnOverview(picture, query, isEditor);
    const bar = isEditor ? manyForm(picture, query, request.reader) : null;
    const lines = html`${manyNotice(request.query)} ${content} ${bar}`;
    return framed(request, {
      title,
      content: isEditor ? await withFirstSteps(rooms, picture, lines) : lines,
      section: "monitors",
      document: `/overview.json${queryText(query)}`,
      at: picture.at,
    });
  },
};

/** An empty service greets with what to do first; one that lacks a step says so. */
async function withFirstSteps(rooms: PageRooms, picture: Picture, content: Html): Promise<Html> {
  if (picture.monitors.length === 0) return firstStartView(await firstSteps(rooms, picture), null);
  return html`${firstStepsLine(await stepsDoneIn(rooms, picture))}${content}`;
}

type DrawnOverview = Pick<PageFrame, "title" | "content">;

/** What is said of one picture, by what was asked for: it is the same for all readers who may do the same. */
const drawn = new WeakMap<Picture, Map<string, DrawnOverview>>();

export function drawnOverview(
  picture: Picture,
  query: OverviewQuery,
  forEditors: boolean,
): DrawnOverview {
  const selections = drawn.getOrInsertComputed(picture, () => new Map());
  const selection = `${forEditors ? "editors" : "readers"} ${queryText(query)}`;
  const before = selections.get(selection);
  if (before !== undefined) return before;
  const found = overviewRows(picture, query, limits.overviewLinesMax);
  const content = overviewView({ picture, query, found, mayChange: forEditors });
  const made = { title: `${worstOf(found)}Picket`, content };
  if (selections.size < limits.drawnSelectionsMax) selections.set(selection, made);
  return made;
}
