import { isoTime } from "#web/page/format";
import * as limits from "#limits/pages-limits";
import { doneNotice } from "#service/operator/form-notice";
import { documentAnswer, type PageAnswer, seeOther } from "#service/edge/page-answer";
import {
  framed,
  type KnownReader,
  noticeIn,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
} from "#service/operator/page-request";
import {
  maintenanceFormForms,
  maintenanceFormPages,
  workAt,
} from "#service/operator/planned/maintenance-form-answers";
import { withUndo } from "#service/operator/deleting/undo-form";
import { refuseManaged } from "#service/operator/managed-note";
import { beginForms } from "#service/operator/planned/begin-moves";
import { endForms } from "#service/operator/planned/end-moves";
import { moveUndo } from "#service/operator/planned/move-undo";
import { maintenanceSection } from "#service/operator/planned/maintenance-documents";
import { deletionView, maintenanceView } from "#service/operator/planned/maintenance-view";
import { extensionForms } from "#service/operator/planned/extensions";
import { isRunning } from "#service/operator/planned/work-under-way";
import { cancelButton, cancellationOf } from "#service/operator/planned/work-cancellation";
import { skipForms } from "#service/operator/planned/skipped-times";
import { updateForms, updatePages } from "#service/operator/planned/maintenance-update-page";
import { workNotices } from "#service/operator/planned/work-notices";
import { workPage } from "#service/operator/planned/work-page";
import type { PageRooms } from "#service/operator/page-rooms";
import { offsetIn } from "#service/operator/whole-number";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { StatusPageRow } from "#service/store/page-store";

/** `/maintenances`: planned work, and what is silenced. */
const listPage: OperatorPage = {
  role: "reader",
  path: /^\/maintenances(?<json>\.json)?$/,
  answer: async (context, { query, reader, isDocument }) => {
    const offset = offsetIn(query);
    const { rooms } = context;
    if (!isDocument) return shown(context, reader, offset, query);
    const list = await listed(context, offset);
    const at = rooms.clock.wall();
    return documentAnswer({
      at: isoTime(at),
      total: list.total,
      maintenances: list.maintenances.map((row) => maintenanceSection(row, at)),
    });
  },
};

/** `/maintenances/ID/delete`: asks once, and says what goes with it. */
const deletePage: OperatorPage = {
  role: "editor",
  path: /^\/maintenances\/(?<id>\d{1,15})\/delete$/,
  answer: async (context, { id, reader }) => {
    const row = await workAt(context, id);
    const page = await pageOf(context.rooms, row);
    const at = context.rooms.clock.wall();
    const cancellation = await cancellationOf(context.rooms, row, page, at);
    const picture = await context.pictures.now();
    return framed(
      { reader },
      {
        title: `Delete ${row.title} · Picket`,
        section: "maintenance",
        document: null,
        at,
        content: deletionView(row, page, cancellation, picture, reader),
      },
    );
  },
};

const deleteForm: OperatorForm = {
  role: "editor",
  path: /^\/maintenances\/(?<id>\d{1,15})\/delete$/,
  act: async (context, { id, form }) => {
    const { rooms } = context;
    const row = await workAt(context, id);
    refuseManaged(row);
    const cancellation = form.has(cancelButton)
      ? await cancellationOf(rooms, row, await pageOf(rooms, row), rooms.clock.wall())
      : null;
    await rooms.store.alerts.maintenances.delete(row.id, cancellation?.work);
    return seeOther(withUndo("/maintenances", "maintenance", [row.id]));
  },
};

export const maintenancePages: readonly OperatorPage[] = [
  listPage,
  workPage,
  deletePage,
  ...maintenanceFormPages,
  ...updatePages,
];
export const maintenanceForms: readonly OperatorForm[] = [
  ...beginForms,
  ...endForms,
  ...extensionForms,
  ...skipForms,
  deleteForm,
  ...maintenanceFormForms,
  ...updateForms,
];

async function pageOf(
  { store }: PageRooms,
  { page }: MaintenanceRow,
): Promise<StatusPageRow | null> {
  return page === "" ? null : store.pages.pages.get(Number(page));
}

/** The status pages that show planned work, by their ids. */
async function pagesOf(
  { store }: PageRooms,
  rows: readonly MaintenanceRow[],
): Promise<ReadonlyMap<string, StatusPageRow>> {
  const ids = [...new Set(rows.map(({ page }) => page))].filter((id) => id !== "");
  const found = await Promise.all(ids.map((id) => store.pages.pages.get(Number(id))));
  return new Map(found.flatMap((page) => (page === null ? [] : [[String(page.id), page]])));
}

const listed = ({ rooms }: PageContext, offset: number) =>
  rooms.store.alerts.maintenances.list(null, { limit: limits.maintenancesListed, offset });

async function shown(
  context: PageContext,
  reader: KnownReader,
  offset: number,
  query: URLSearchParams,
): Promise<PageAnswer> {
  const { clock, store } = context.rooms;
  const at = clock.wall();
  const [picture, list, current, silences, undo] = await Promise.all([
    context.pictures.now(),
    listed(context, offset),
    store.alerts.maintenances.between(at, at),
    store.alerts.silences.list(at),
    moveUndo(context, query, reader, "/maintenances"),
  ]);
  const notice = doneNotice(noticeIn(query, workNotices));
  const running = current.filter((row) => isRunning(row, at));
  const rows = list.maintenances.filter((row) => !isRunning(row, at));
  const pages = await pagesOf(context.rooms, [...running, ...rows]);
  const { total } = list;
  const shownRows = { running, rows, pages, total, offset, silences };
  return framed(
    { reader },
    {
      title: "Maintenance · Picket",
      section: "maintenance",
      document: `/maintenances.json${offset === 0 ? "" : `?offset=${offset}`}`,
      at,
      content: maintenanceView({ ...shownRows, picture, at, reader, notice, undo }),
    },
  );
}
