import { html, type Html } from "#web/page/html";
import { verdictMark } from "#web/page/verdict-mark";
import { counted } from "#web/page/format";
import type { Basis } from "#service/store/audit/actor";
import { ownForm } from "#service/operator/form-fields";
import { icon } from "#service/operator/navigation";
import type { RefusedForm } from "#service/operator/forms/box-form";
import type { KnownReader } from "#service/operator/page-request";
import type { Picture } from "#service/operator/picture";
import { componentForm, groupForm } from "#service/operator/publishing/component-forms";
import {
  type MovedPart,
  orderButtons,
  orderWord,
  seenOrder,
} from "#service/operator/publishing/component-order";
import {
  type Block,
  blocksOf,
  groupKey,
  outOfGroup,
} from "#service/operator/publishing/page-arrangement";
import { statusMark } from "#service/operator/status-mark";
import type { ComponentRow, GroupRow, PageContent } from "#service/store/page-store";

interface ComponentList {
  readonly content: PageContent;
  readonly basis: Basis;
  readonly picture: Picture;
  readonly reader: KnownReader;
  readonly mayEdit: boolean;
  /** The component or group whose form is shown, by its id or key; null: none is. */
  readonly edited: string | null;
  /** What was moved by a button, which has the focus again; null: nothing was. */
  readonly moved: MovedPart | null;
  readonly refused: RefusedForm | null;
}

/** Where a part is among those that it can pass, in the order that a person sees. */
interface Place {
  readonly place: number;
  readonly count: number;
  readonly seen: string;
}

/** What a page shows, in the order that its readers see; a group has a heading where its first component is. */
export function componentList(list: ComponentList): Html {
  const blocks = blocksOf(list.content);
  const count = blocks.filter(({ rows }) => rows.length > 0).length;
  const seen = orderWord(list.content);
  return html`<ul class="watched components">
    ${blocks.flatMap((block, place) => blockView(block, { place, count, seen }, list))}
  </ul>`;
}

function blockView({ group, rows }: Block, at: Place, list: ComponentList): readonly Html[] {
  const row = list.content.groups.find(({ id }) => id === group);
  return row === undefined
    ? rows.map((one) => componentLine(one, at, list))
    : [groupBlock(row, rows, at, list)];
}

function groupBlock(
  row: GroupRow,
  rows: readonly ComponentRow[],
  at: Place,
  list: ComponentList,
): Html {
  const key = groupKey(row.id);
  const path = `/status-pages/${row.page}/groups/${row.id}`;
  const isEdited = list.edited === key || list.refused?.action === path;
  const isMoved = list.mayEdit && !isEdited;
  return html`<li class="component-group" id="${key}">
    <div
      class="group-head"
      ${isMoved ? html` draggable="true"` : null}
      ${list.mayEdit ? html` data-part="${key}"` : null}
    >
      ${isMoved ? grip : null}
      <h3>${row.name}</h3>
      ${list.mayEdit ? groupActs(row, rows, at, list) : null}
    </div>
    ${isEdited && list.mayEdit ? html`<div class="edited">${groupForm(row, list)}</div>` : null}
    ${
      rows.length === 0
        ? html`<p class="help">
            No component is in it yet, so readers do not see it. Move one here.
          </p>`
        : html`<ul>
            ${rows.map((one, place) => componentLine(one, { ...at, place, count: rows.length }, list))}
          </ul>`
    }
  </li>`;
}

function groupActs(
  { id, page, name }: GroupRow,
  rows: readonly ComponentRow[],
  at: Place,
  list: ComponentList,
): Html {
  const path = `/status-pages/${page}/groups/${id}`;
  const part = groupKey(id);
  const stays =
    rows.length === 0
      ? "It has no component."
      : `Its ${counted(rows.length, "component")} ${rows.length === 1 ? "stays" : "stay"} on the page, in no group.`;
  return html`<div class="acts">
    ${rows.length === 0 ? null : orderButtons({ part, name, path, ...at }, list.moved, list.reader)}
    ${editLink(page, part, name, list.edited === part)}
    ${askedFirst(`Delete group ${name}`, html`<p>${stays} You can undo this for ten minutes.</p>`, ownForm(`${path}/remove`, list.reader, html`<button type="submit" class="danger">Delete the group</button>`))}
  </div>`;
}

const editLink = (page: number, part: string, name: string, isEdited: boolean): Html =>
  html`<a
    class="button small bare"
    href="/status-pages/${page}?edit=${part}#${part.startsWith("group-") ? part : `component-${part}`}"
    aria-label="Edit ${name}"
    ${isEdited ? html` aria-current="true"` : null}
    >Edit</a
  >`;

/** A button that opens the one question, and the act that answers it. */
const askedFirst = (what: string, question: Html, act: Html): Html =>
  html`<details class="act drop asked">
    <summary class="button small bare" aria-label="${what}…" title="${what}">
      ${icon("M3 4.5h10M6.5 4V2.5h3V4M4.5 4.5l.5 9h6l.5-9")}
    </summary>
    <div class="dropped">${question} ${act}</div>
  </details>`;

const grip = html`<span class="grip" aria-hidden="true">⠿</span>`;

function componentLine(row: ComponentRow, at: Place, list: ComponentList): Html {
  const { id, page, name, description } = row;
  const monitor = list.picture.monitors.find((one) => one.id === row.monitor);
  const isEdited =
    list.edited === String(id) || list.refused?.action === `/status-pages/${page}/components/${id}`;
  const isMoved = list.mayEdit && !isEdited;
  return html`<li
    class="component"
    id="component-${id}"
    ${isMoved ? html` draggable="true"` : null}
    ${list.mayEdit ? html` data-part="${id}"` : null}
  >
    ${isMoved ? grip : null}
    ${monitor === undefined ? verdictMark("unchecked", "By reports") : statusMark(monitor.status)}
    <div class="name">
      <strong>${name}</strong>
      ${description === "" ? null : html`<p class="help">${description}</p>`}
    </div>
    <p class="kind">
      ${monitor === undefined ? "No monitor" : html`<a href="/monitors/${monitor.id}">Monitor ${monitor.name}</a>`}
    </p>
    ${list.mayEdit ? rowActs(row, at, list, isEdited) : null}
    ${list.mayEdit && isEdited ? html`<div class="edited">${componentForm(row, list)}</div>` : null}
  </li>`;
}

function rowActs(row: ComponentRow, at: Place, list: ComponentList, isEdited: boolean): Html {
  const { id, page, name } = row;
  const path = `/status-pages/${page}/components/${id}`;
  return html`<div class="acts">
    ${orderButtons({ part: String(id), name, path, ...at }, list.moved, list.reader)}
    ${groupMenu(row, at.seen, list)} ${editLink(page, String(id), name, isEdited)}
    ${askedFirst(
      `Remove ${name} from the page`,
      html`<p>
        Readers no longer see it${row.monitor === null ? "" : "; its monitor stays"}. Its reports
        stay, without it. You can undo this for ten minutes.
      </p>`,
      ownForm(
        `${path}/remove`,
        list.reader,
        html`<button type="submit" class="danger">Remove from the page</button>`,
      ),
    )}
  </div>`;
}

/** Moves a component into another group, or out of the one that it is in; null if there is no group. */
function groupMenu(
  { id, page, group, name }: ComponentRow,
  seen: string,
  { content: { groups }, reader }: ComponentList,
): Html | null {
  const others = groups.filter((one) => one.id !== group);
  const all = [
    ...others.map((one) => [groupKey(one.id), one.name] as const),
    ...(group === null ? [] : [[outOfGroup, "No group"] as const]),
  ];
  if (all.length === 0) return null;
  return html`<details class="act drop acts-menu moves">
    <summary class="button small bare" aria-label="Move to a group: ${name}">Move to</summary>
    <div class="dropped">
      ${ownForm(
        `/status-pages/${page}/components/${id}/move`,
        reader,
        html`${seenOrder(seen)}
        ${all.map(
          ([to, words]) =>
            html`<button
              type="submit"
              name="to"
              value="${to}"
              aria-label="Move ${name} to ${words}"
            >
              ${words}
            </button>`,
        )}`,
      )}
    </div>
  </details>`;
}
