import { isoTime } from "#web/page/format";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/pages-limits";
import { violation } from "#service/edge/call-refusal";
import { documentAnswer, htmlAnswer, type PageAnswer, seeOther } from "#service/edge/page-answer";
import { asksForPreviewAlone } from "#service/operator/message-preview";
import { submitted } from "#service/operator/forms/form-submission";
import {
  framed,
  type KnownReader,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
} from "#service/operator/page-request";
import {
  addressPart,
  newPageFields,
  newPageView,
  slugIn,
  statusPageListView,
} from "#service/operator/publishing/status-page-list-view";
import { listedPages } from "#service/operator/publishing/listed-pages";
import { offsetIn } from "#service/operator/whole-number";
import { locales, pageDefaults } from "#service/status-page/page-definition";
import { isReached } from "#service/status-site/page-address";
import type { StatusPageRow } from "#service/store/page-store";

/** `/status-pages`: all of them. */
const listPage: OperatorPage = {
  role: "reader",
  path: /^\/status-pages(?<json>\.json)?$/,
  answer: async (context, { query, reader, isDocument, address }) => {
    const offset = offsetIn(query);
    if (!isDocument) return shownList(context, reader, offset, address);
    const { rooms } = context;
    const rows = await rooms.statusPages.list(limits.statusPagesListed, offset);
    return documentAnswer({
      at: isoTime(rooms.clock.wall()),
      total: await rooms.statusPages.count(),
      status_pages: (await listedPages(rooms, rows)).map(({ row, state }) => ({
        ...pageSection(row),
        state,
      })),
    });
  },
};

/** `/status-pages/new`: the form for another one. */
const newPage: OperatorPage = {
  role: "editor",
  path: /^\/status-pages\/new$/,
  answer: async (context, { reader, address }) =>
    shownNew(context, { reader, address, refused: null }),
};

/** A new page is a draft, so that no one reads it before it shows something. */
const makeForm: OperatorForm = {
  role: "editor",
  path: /^\/status-pages$/,
  act: async (context, { form, reader, address }) => {
    if (asksForPreviewAlone(form)) return htmlAnswer(addressPart(form, address).text);
    return submitted(withSlug(form), {
      fields: newPageFields,
      again: (state, status) =>
        shownNew(context, { reader, address, refused: { action: "/status-pages", state } }, status),
      act: async (typed) => {
        const title = typed.get("title")?.trim() ?? "";
        const slug = typed.get("slug")?.trim().toLowerCase() ?? "";
        // The name would be made from it.
        if (title === "" && slug === "")
          throw violation({
            field: "title",
            message: `must be 1 to ${checkLimits.nameCharsMax} characters long`,
          });
        if (slug === "")
          throw violation({ field: "slug", message: "cannot be made of this title: type one" });
        // A person compares it with the other pages, which count time; programs get the default of the API.
        const configuration = { ...pageDefaults.configuration, metric: "duration" } as const;
        // A reader's browser chooses among all of them.
        const zone = typed.get("time_zone")?.trim() ?? "";
        const timeZone = zone === "" ? pageDefaults.timeZone : zone;
        const said = { title, slug, timeZone, locales, configuration };
        const draft = { ...pageDefaults, ...said, published: false };
        const row = await context.rooms.statusPages.create(draft, "");
        return seeOther(`/status-pages/${row.id}?add=monitors`);
      },
    });
  },
};

/** The form with a name from the title if it has none: a form that is refused shows which. */
function withSlug(form: URLSearchParams): URLSearchParams {
  const typed = new URLSearchParams(form);
  typed.set("slug", slugIn(form));
  return typed;
}

export const statusPageListPages: readonly OperatorPage[] = [listPage, newPage];
export const statusPageListForms: readonly OperatorForm[] = [makeForm];

async function shownList(
  { rooms }: PageContext,
  reader: KnownReader,
  offset: number,
  address: string,
): Promise<PageAnswer> {
  const rows = await rooms.statusPages.list(limits.statusPagesListed, offset);
  const pages = await listedPages(rooms, rows);
  const total = await rooms.statusPages.count();
  return framed(
    { reader },
    {
      title: "Status pages · Picket",
      section: "status pages",
      document: `/status-pages.json${offset === 0 ? "" : `?offset=${offset}`}`,
      at: rooms.clock.wall(),
      content: statusPageListView({ pages, total, offset, reader, address }),
    },
  );
}

const shownNew = (
  { rooms }: PageContext,
  made: Parameters<typeof newPageView>[0],
  status = 200,
): PageAnswer =>
  framed(
    made,
    {
      title: "New status page · Picket",
      section: "status pages",
      document: null,
      at: rooms.clock.wall(),
      content: newPageView(made),
    },
    status,
  );

/** A status page for programs. Names are only ever added. */
export const pageSection = (row: StatusPageRow): object => ({
  id: String(row.id),
  title: row.definition.title,
  slug: row.definition.slug,
  description: row.definition.description,
  published: row.definition.published,
  access: row.definition.access,
  custom_domain: row.definition.customDomain,
  domain_reached: isReached(row),
  owner: row.owner,
});
