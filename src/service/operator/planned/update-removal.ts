import { momentOf } from "#web/page/moment";
import { html } from "#web/page/html";
import { noUpdate } from "#service/api/maintenance-update-calls";
import { seeOther } from "#service/edge/page-answer";
import { removalView, tenMinutes } from "#service/operator/deleting/removal-view";
import { withUndo } from "#service/operator/deleting/undo-form";
import {
  framed,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
} from "#service/operator/page-request";
import { workAt } from "#service/operator/planned/maintenance-form-answers";
import { reportMarkup } from "#service/status-site/view/report-markup";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { MaintenanceUpdate } from "#service/store/maintenance-update-store";

const path = /^\/maintenances\/(?<id>\d{1,15})\/updates\/(?<part>\d{1,15})\/remove$/;

/** `/maintenances/ID/updates/ID/remove`: asks once. */
const removePage: OperatorPage = {
  role: "editor",
  path,
  answer: async (context, { id, part, reader }) => {
    const { row, update } = await updateAt(context, id, part);
    const title = "Remove this update?";
    const content = removalView({
      reader,
      back: { path: updatesPath(row), words: `Updates of ${row.title}` },
      title,
      facts: [
        ["Posted", momentOf(update.at)],
        ["Message", html`<div class="said">${reportMarkup(update.message)}</div>`],
      ],
      effects: [
        "It goes from the status page and its feeds.",
        "Mails that were sent stay as they are.",
      ],
      undo: tenMinutes,
      action: `${updatesPath(row)}/${update.id}/remove`,
      button: "Remove the update",
    });
    const frame = { section: "maintenance", document: null, content } as const;
    const at = context.rooms.clock.wall();
    return framed({ reader }, { ...frame, title: `${title} · Picket`, at });
  },
};

const removeForm: OperatorForm = {
  role: "editor",
  path,
  act: async (context, { id, part }) => {
    const { row, update } = await updateAt(context, id, part);
    if (!(await context.rooms.store.alerts.maintenanceUpdates.delete(update.id)))
      throw noUpdate(part);
    return seeOther(withUndo(updatesPath(row), "workUpdate", [update.id]));
  },
};

export const removalPages: readonly OperatorPage[] = [removePage];
export const removalForms: readonly OperatorForm[] = [removeForm];

const updatesPath = ({ id }: MaintenanceRow): string => `/maintenances/${id}/updates`;

/** An update of this work and no other. */
async function updateAt(
  context: PageContext,
  id: string,
  part: string,
): Promise<{ readonly row: MaintenanceRow; readonly update: MaintenanceUpdate }> {
  const row = await workAt(context, id);
  const update = await context.rooms.store.alerts.maintenanceUpdates.get(Number(part));
  if (update?.maintenance !== row.id) throw noUpdate(part);
  return { row, update };
}
