import { Refusal } from "#service/edge/call-refusal";
import type { PageAnswer } from "#service/edge/page-answer";
import { basisNow } from "#service/operator/changes/basis-field";
import { doneNotice, faultNotice, type FormNotice } from "#service/operator/form-notice";
import {
  framed,
  type KnownReader,
  noticeIn,
  type PageContext,
} from "#service/operator/page-request";
import { excludedNotice } from "#service/operator/publishing/excluded-maker";
import { faintNotice } from "#service/operator/publishing/faint-notes";
import { framingHeaders, pictureHeaders } from "#service/operator/publishing/page-preview";
import { stateNotices, tabWords } from "#service/operator/publishing/page-tabs";
import { reportsOf } from "#service/operator/publishing/status-page-document";
import {
  statusPageView,
  type StatusPageView,
} from "#service/operator/publishing/status-page-views";
import { actorNow } from "#service/store/audit/actor";
import { subscribersOf } from "#service/operator/publishing/subscriber-count";
import type { StatusPageRow } from "#service/store/page-store";

const notices = {
  saved: "Saved. Whoever opens the page sees it.",
  ...stateNotices,
  template: "Saved. Forms of reports and of updates offer the template now.",
} as const;

/** What became of a form of the page, by the word in its address; a draft is seen by no reader. */
export function noticeOf(
  query: URLSearchParams,
  { definition }: StatusPageRow,
  tab: SaidOnPage["tab"],
): FormNotice | null {
  const isSaved = query.get("notice") === "saved";
  const faint = isSaved && tab === "look" ? faintNotice(definition) : null;
  const isAccess = isSaved && tab === "access";
  const excluded = isAccess ? excludedNotice(definition, actorNow().from) : null;
  if (faint !== null || excluded !== null) return faint ?? excluded;
  const saved = savedWords(definition);
  return doneNotice(noticeIn(query, saved === null ? notices : { ...notices, saved }));
}

/** Null if anyone may see what was saved. */
function savedWords({ published, access }: StatusPageRow["definition"]): string | null {
  if (!published) return "Saved in the draft.";
  return access === "public" ? null : "Saved. Whoever may read the page sees it.";
}

type SaidOnPage = Pick<
  StatusPageView,
  | "tab"
  | "offset"
  | "refused"
  | "notice"
  | "domainNote"
  | "edited"
  | "added"
  | "moved"
  | "address"
  | "choices"
>;
const nothingSaid: SaidOnPage = {
  tab: "components",
  offset: 0,
  refused: null,
  notice: null,
  domainNote: null,
  edited: null,
  added: null,
  moved: null,
  address: "",
  choices: new URLSearchParams(),
};

/** A tab of a status page, with what is said on it. */
export async function shown(
  context: PageContext,
  reader: KnownReader,
  row: StatusPageRow,
  said: Partial<SaidOnPage & Pick<StatusPageView, "basis">>,
  status = 200,
): Promise<PageAnswer> {
  const basis = said.basis ?? (await basisNow(context.rooms, { kind: "page", id: String(row.id) }));
  const [content, { reports, total }, templates, picture, { confirmed }] = await Promise.all([
    context.rooms.statusPages.content(row.id),
    reportsOf(context, row.id, said.offset ?? 0),
    context.rooms.store.pages.templates.of(row.id),
    context.pictures.now(),
    subscribersOf(context.rooms, row.id),
  ]);
  const page = framed(
    { reader },
    {
      title: `${tabWords[said.tab ?? nothingSaid.tab]} · ${row.definition.title} · Picket`,
      section: "status pages",
      document: `/status-pages/${row.id}.json`,
      at: picture.at,
      content: statusPageView({
        ...nothingSaid,
        ...said,
        content,
        basis,
        reports,
        total,
        templates,
        subscribers: confirmed,
        picture,
        reader,
        isAddressKnown: context.rooms.newsAddress(row) !== null,
      }),
    },
    status,
  );
  return { ...page, headers: said.tab === "look" ? pictureHeaders : framingHeaders };
}

/** The page as it is, with what was not done on it. */
export const refusedDeed = (
  context: PageContext,
  reader: KnownReader,
  row: StatusPageRow,
  error: unknown,
  open: Partial<Pick<SaidOnPage, "edited" | "added">> = {},
): Promise<PageAnswer> =>
  shown(
    context,
    reader,
    row,
    { ...open, notice: faultNotice(error, "This was not done") },
    error instanceof Refusal && error.code === "aborted" ? 409 : 400,
  );
