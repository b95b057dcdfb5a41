import { html, type Html } from "#web/page/html";
import { verdictMark } from "#web/page/verdict-mark";
import type { Basis } from "#service/store/audit/actor";
import { ownForm } from "#service/operator/form-fields";
import type { RefusedForm } from "#service/operator/forms/box-form";
import type { KnownReader } from "#service/operator/page-request";
import type { Picture } from "#service/operator/picture";
import { componentForm } from "#service/operator/publishing/component-forms";
import {
  inShownOrder,
  type MovedComponent,
  orderButtons,
} from "#service/operator/publishing/component-order";
import { statusMark } from "#service/operator/status-mark";
import type { ComponentRow, GroupRow, PageContent } from "#service/store/page-store";

interface ComponentList {
  readonly content: PageContent;
  readonly basis: Basis;
  readonly picture: Picture;
  readonly reader: KnownReader;
  readonly mayEdit: boolean;
  /** The component whose form is shown, by its id; null: none is. */
  readonly edited: string | null;
  /** The one that was moved by a button, which has the focus again; null: none was. */
  readonly moved: MovedComponent | null;
  readonly refused: RefusedForm | null;
}

/** What a page shows, in the order that its readers see; a group has a heading where its first component is. */
export function componentList(list: ComponentList): Html {
  const { components, groups } = list.content;
  const shown = inShownOrder(components);
  const alone = shown.filter(({ group }) => group === null);
  const blocks = Map.groupBy(shown, ({ id, group }) => group ?? `alone ${id}`);
  const empty = groups.filter(({ id }) => !blocks.has(id));
  return html`<ul class="watched components">
    ${[...blocks].flatMap(([key, rows]) => {
      const group = groups.find(({ id }) => id === key);
      return group === undefined
        ? rows.map((row) => componentLine(row, alone, list))
        : groupBlock(group, rows, list);
    })}
    ${empty.map((group) => groupBlock(group, [], list))}
  </ul>`;
}

function groupBlock(
  { id, page, name }: GroupRow,
  rows: readonly ComponentRow[],
  list: ComponentList,
): Html {
  const removing = html`<button
    type="submit"
    class="small bare"
    aria-label="Delete group ${name}: its components stay"
  >
    Delete group
  </button>`;
  return html`<li class="component-group">
    <div class="group-head">
      <h3>${name}</h3>
      ${list.mayEdit ? ownForm(`/status-pages/${page}/groups/${id}/remove`, list.reader, removing) : null}
    </div>
    ${
      rows.length === 0
        ? html`<p class="help">No component is in it yet: edit one to move it here.</p>`
        : html`<ul>
            ${rows.map((row) => componentLine(row, rows, list))}
          </ul>`
    }
  </li>`;
}

function componentLine(
  row: ComponentRow,
  siblings: readonly ComponentRow[],
  list: ComponentList,
): Html {
  const { id, page, group, name, description } = row;
  const monitor = list.picture.monitors.find((one) => one.id === row.monitor);
  const dragged = list.mayEdit
    ? html` draggable="true" data-component="${id}" data-group="${group ?? ""}"`
    : null;
  const isEdited =
    list.edited === String(id) || list.refused?.action === `/status-pages/${page}/components/${id}`;
  return html`<li class="component" id="component-${id}" ${isEdited ? null : dragged}>
    ${monitor === undefined ? verdictMark("unchecked", "By reports") : statusMark(monitor.status)}
    <div class="name">
      <strong>${name}</strong>
      ${description === "" ? null : html`<p class="help">${description}</p>`}
    </div>
    <p class="kind">
      ${monitor === undefined ? "No monitor" : html`<a href="/monitors/${monitor.id}">Monitor ${monitor.name}</a>`}
    </p>
    ${list.mayEdit ? rowActs(row, siblings, list, isEdited) : null}
    ${list.mayEdit && isEdited ? html`<div class="edited">${componentForm(row, list)}</div>` : null}
  </li>`;
}

const rowActs = (
  row: ComponentRow,
  siblings: readonly ComponentRow[],
  list: ComponentList,
  isEdited: boolean,
): Html =>
  html`<div class="acts">
    ${orderButtons(row, siblings, list.moved, list.reader)}
    <a
      class="button small bare"
      href="/status-pages/${row.page}?edit=${row.id}#component-${row.id}"
      aria-label="Edit ${row.name}"
      ${isEdited ? html` aria-current="true"` : null}
      >Edit</a
    >
  </div>`;
