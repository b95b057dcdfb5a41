import { isoTime } from "#web/page/format";
import * as limits from "#limits/pages-limits";
import { doneNotice, faultNotice } from "#service/operator/form-notice";
import { documentAnswer, lineAnswer, type PageAnswer, seeOther } from "#service/edge/page-answer";
import {
  framed,
  type KnownReader,
  noticeIn,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
  withNotice,
} from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import {
  emptyFields,
  fieldsIn,
  type MaintenanceFields,
  planMaintenance,
} from "#service/operator/planned/maintenance-form";
import { type MaintenancePage, maintenanceView } from "#service/operator/planned/maintenance-view";
import { nextWindow } from "#service/operator/planned/work-under-way";
import { silenceNotices } from "#service/operator/silence-form";
import { numberIn, offsetIn } from "#service/operator/whole-number";
import type { MaintenanceRow } from "#service/store/alert-store";
import type { StatusPageRow } from "#service/store/page-store";
import type { EpochMillis } from "#base/units";

/** `/maintenances`: planned work, and what is silenced. */
const listPage: OperatorPage = {
  role: "reader",
  path: /^\/maintenances(?<json>\.json)?$/,
  answer: async (context, { query, reader, isDocument }) => {
    const offset = offsetIn(query);
    const notice = doneNotice(noticeIn(query, notices));
    const fields = emptyFields(numberIn(query, "monitor"));
    if (!isDocument) return shown(context, reader, offset, fields, notice);
    const { rooms } = context;
    const list = await listed(context, offset);
    const at = rooms.clock.wall();
    return documentAnswer({
      at: isoTime(at),
      total: list.total,
      maintenances: list.maintenances.map((row) => maintenanceSection(row, at)),
    });
  },
};

const planForm: OperatorForm = {
  role: "editor",
  path: /^\/maintenances$/,
  act: async (context, request) => {
    try {
      await planMaintenance(context.rooms, request);
      return seeOther(withNotice("/maintenances", "planned"));
    } catch (error) {
      const notice = faultNotice(error, "This was not planned");
      return shown(context, request.reader, 0, fieldsIn(request.form), notice, 400);
    }
  },
};

/** What is under way ends now; what is yet to come, or comes again and again, is removed. */
const endForm: OperatorForm = {
  role: "editor",
  path: /^\/maintenances\/(?<id>\d{1,15})\/end$/,
  act: async ({ rooms }, { id }) => {
    const { maintenances } = rooms.store.alerts;
    const row = await maintenances.get(Number(id));
    if (row === null) return lineAnswer(404, "There is no such maintenance.");
    if (row.owner !== "")
      return lineAnswer(400, `Managed by the file of ${row.owner}: edit it there.`);
    const now = rooms.clock.wall();
    if (row.recurrence !== "" || row.from >= now) await maintenances.delete(row.id);
    else if (row.to > now) {
      const ended = { ...row, to: now, at: now };
      await maintenances.update(row.id, ended, false);
    }
    return seeOther(withNotice("/maintenances", "ended"));
  },
};

export const maintenancePages: readonly OperatorPage[] = [listPage];
export const maintenanceForms: readonly OperatorForm[] = [planForm, endForm];

const notices = {
  ...silenceNotices,
  planned: "Planned: nothing opens an incident in its window.",
  ended: "It is over, or removed.",
} as const;

/** Status pages that a form of planned work offers. */
export const offeredPages = ({ statusPages }: PageRooms): Promise<readonly StatusPageRow[]> =>
  statusPages.list(limits.statusPagesOfferedMax, 0);

const listed = ({ rooms }: PageContext, offset: number) =>
  rooms.store.alerts.maintenances.list(null, { limit: limits.maintenancesListed, offset });

async function shown(
  context: PageContext,
  reader: KnownReader,
  offset: number,
  fields: MaintenanceFields,
  notice: MaintenancePage["notice"],
  status = 200,
): Promise<PageAnswer> {
  const [picture, list, silences, pages] = await Promise.all([
    context.pictures.now(),
    listed(context, offset),
    context.rooms.store.alerts.silences.list(context.rooms.clock.wall()),
    offeredPages(context.rooms),
  ]);
  const { maintenances: rows, total } = list;
  return framed(
    { reader },
    {
      title: "Maintenance · Picket",
      section: "maintenance",
      document: `/maintenances.json${offset === 0 ? "" : `?offset=${offset}`}`,
      at: picture.at,
      content: maintenanceView({
        rows,
        total,
        offset,
        silences,
        picture,
        pages,
        reader,
        fields,
        notice,
      }),
    },
    status,
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
