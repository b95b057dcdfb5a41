import { isoTime } from "#web/page/format";
import * as limits from "#limits/pages-limits";
import { doneNotice, type FormNotice } from "#service/operator/form-notice";
import { documentAnswer, type PageAnswer, seeOther } from "#service/edge/page-answer";
import {
  framed,
  type KnownReader,
  noticeIn,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
  withNotice,
} from "#service/operator/page-request";
import {
  maintenanceFormForms,
  maintenanceFormPages,
  workAt,
} from "#service/operator/planned/maintenance-form-answers";
import { refuseManaged } from "#service/operator/managed-note";
import {
  deletionView,
  maintenanceView,
  shownWords,
} from "#service/operator/planned/maintenance-view";
import { extensionForms, extensionNotices } from "#service/operator/planned/extensions";
import { isRunning, isUnderWay, nextWindow } from "#service/operator/planned/work-under-way";
import { updateForms, updatePages } from "#service/operator/planned/maintenance-update-page";
import { silenceNotices } from "#service/operator/silence-form";
import type { PageRooms } from "#service/operator/page-rooms";
import { numberIn, offsetIn } from "#service/operator/whole-number";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { StatusPageRow } from "#service/store/page-store";
import type { EpochMillis } from "#base/units";

/** `/maintenances`: planned work, and what is silenced. */
const listPage: OperatorPage = {
  role: "reader",
  path: /^\/maintenances(?<json>\.json)?$/,
  answer: async (context, { query, reader, isDocument }) => {
    const offset = offsetIn(query);
    const { rooms } = context;
    if (!isDocument) return shown(context, reader, offset, await noticeOf(rooms, query));
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
    return framed(
      { reader },
      {
        title: `Delete ${row.title} · Picket`,
        section: "maintenance",
        document: null,
        at: context.rooms.clock.wall(),
        content: deletionView(row, reader),
      },
    );
  },
};

const deleteForm: OperatorForm = {
  role: "editor",
  path: /^\/maintenances\/(?<id>\d{1,15})\/delete$/,
  act: async (context, { id }) => {
    const row = await workAt(context, id);
    refuseManaged(row);
    await context.rooms.store.alerts.maintenances.delete(row.id);
    return seeOther(withNotice("/maintenances", "deleted"));
  },
};

/** What is under way ends now, and stays in the list. Work that repeats would be shorter each time, so that is edited. */
const endForm: OperatorForm = {
  role: "editor",
  path: /^\/maintenances\/(?<id>\d{1,15})\/end$/,
  act: async (context, { id }) => {
    const { clock, store } = context.rooms;
    const row = await workAt(context, id);
    refuseManaged(row);
    const now = clock.wall();
    if (!isUnderWay(row, now)) return seeOther(withNotice("/maintenances", "not-ended"));
    const moved = { seen: row.to, to: now, at: now };
    const isDone = await store.alerts.maintenances.moveEnd(row.id, moved);
    return seeOther(withNotice("/maintenances", isDone ? "ended" : "meanwhile"));
  },
};

export const maintenancePages: readonly OperatorPage[] = [
  listPage,
  deletePage,
  ...maintenanceFormPages,
  ...updatePages,
];
export const maintenanceForms: readonly OperatorForm[] = [
  endForm,
  ...extensionForms,
  deleteForm,
  ...maintenanceFormForms,
  ...updateForms,
];

const notices = {
  ...silenceNotices,
  ...extensionNotices,
  planned: "Planned: nothing opens an incident in its window.",
  "under-way": "Under way: nothing opens an incident until it ends.",
  changed: "Saved.",
  deleted: "Deleted. It is on no page any more.",
  ended: "Ended: monitors open incidents again.",
  "not-ended": "It is not under way, or it repeats: edit it, or delete it.",
} as const;

/** What became of a form; of work that was kept, also who reads of it. */
async function noticeOf(rooms: PageRooms, query: URLSearchParams): Promise<FormNotice | null> {
  const words = noticeIn(query, notices);
  const id = numberIn(query, "work");
  const row = words === null || id === null ? null : await rooms.store.alerts.maintenances.get(id);
  if (row === null) return doneNotice(words);
  const page = (await pagesOf(rooms, [row])).get(row.page) ?? null;
  return doneNotice(`${words} ${shownWords(page)}`);
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
  notice: FormNotice | null,
): Promise<PageAnswer> {
  const { clock, store } = context.rooms;
  const at = clock.wall();
  const [picture, list, current, silences] = await Promise.all([
    context.pictures.now(),
    listed(context, offset),
    store.alerts.maintenances.between(at, at),
    store.alerts.silences.list(at),
  ]);
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
      content: maintenanceView({ ...shownRows, picture, at, reader, notice }),
    },
  );
}

/** Planned work for programs. Names are only ever added. */
function maintenanceSection(row: MaintenanceRow, at: EpochMillis): object {
  const window = nextWindow(row, at);
  return {
    id: String(row.id),
    title: row.title,
    message: row.message,
    from: isoTime(row.from),
    to: isoTime(row.to),
    next_from: window === null ? null : isoTime(window.from),
    next_to: window === null ? null : isoTime(window.to),
    recurrence: row.recurrence,
    time_zone: row.timeZone,
    monitors: row.monitors.map(String),
    locations: row.locations.map(String),
  };
}
