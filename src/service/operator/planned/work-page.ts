import { counted, isoTime } from "#web/page/format";
import { documentAnswer } from "#service/edge/page-answer";
import { doneNotice, type FormNotice } from "#service/operator/form-notice";
import { framed, noticeIn, type OperatorPage } from "#service/operator/page-request";
import { moveUndo } from "#service/operator/planned/move-undo";
import { maintenanceSection } from "#service/operator/planned/maintenance-documents";
import { workAt } from "#service/operator/planned/maintenance-form-answers";
import { newTimesOffer } from "#service/operator/planned/unsaid-times";
import { plannedStory, type PlannedStory } from "#service/operator/planned/planned-story";
import { workNotices } from "#service/operator/planned/work-notices";
import { pathOfWork } from "#service/operator/planned/work-acts";
import { workView } from "#service/operator/planned/work-view";
import { shownWords } from "#service/operator/planned/work-words";

/** `/maintenances/ID`: one planned work. What messages link to as an incident of planned work leads here. */
export const workPage: OperatorPage = {
  role: "reader",
  path: /^\/maintenances\/(?<id>\d{1,15})(?<json>\.json)?$/,
  answer: async (context, { id, isDocument, query, reader }) => {
    const row = await workAt(context, id);
    const at = context.rooms.clock.wall();
    const story = await plannedStory(context.rooms, row, at);
    if (isDocument) return documentAnswer(workDocument(story, at));
    const path = pathOfWork(row);
    const [picture, undo, newTimes] = await Promise.all([
      context.pictures.now(),
      moveUndo(context, query, reader, path),
      newTimesOffer(context.rooms, query, reader, story),
    ]);
    const notice = noticeOf(query, story);
    return framed(
      { reader },
      {
        title: `${row.title} · Maintenance · Picket`,
        section: "maintenance",
        document: `${path}.json`,
        at,
        content: workView({ story, picture, at, reader, notice, undo: undo ?? newTimes }),
      },
    );
  },
};

/** What became of a form; of work that was kept, also who reads of it, and how many subscribers it goes to. */
function noticeOf(query: URLSearchParams, story: PlannedStory): FormNotice | null {
  const words = noticeIn(query, workNotices);
  const isKept = ["planned", "under-way", "changed"].includes(query.get("notice") ?? "");
  if (words === null || !isKept) return doneNotice(words);
  return doneNotice([words, shownWords(story.page), ...sentWords(story)].join(" "));
}

/** Of what the save announced; its letters may still wait. */
function sentWords({ row, announcements }: PlannedStory): readonly string[] {
  const tally = announcements.tallies.find(({ at }) => at === row.updatedAt);
  if (tally === undefined) return [];
  const count = tally.sent + tally.failed + tally.waiting + tally.retried;
  return [
    count === 0
      ? "It is sent to no one: no subscriber chose what it is about."
      : `It is sent to ${counted(count, "subscriber")}.`,
  ];
}

/** One planned work for programs. Names are only ever added. */
const workDocument = (
  { row, page, components, updates }: PlannedStory,
  at: Parameters<typeof isoTime>[0],
): object => ({
  at: isoTime(at),
  ...maintenanceSection(row, at),
  status_page: page === null ? null : String(page.id),
  components: components.map(({ id }) => String(id)),
  updates: updates.map(({ at: said, message }) => ({ at: isoTime(said), message })),
});
