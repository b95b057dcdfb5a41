import { kindWords } from "#check/monitor";
import { breakable } from "#web/page/breakable";
import { html, type Html } from "#web/page/html";
import { verdictMark } from "#web/page/verdict-mark";
import { counted } from "#web/page/format";
import type { Basis } from "#service/store/audit/actor";
import { ownForm } from "#service/operator/form-fields";
import { icon } from "#service/operator/navigation";
import type { RefusedForm } from "#service/operator/forms/box-form";
import type { KnownReader } from "#service/operator/page-request";
import type { Picture, PicturedMonitor } from "#service/operator/picture";
import type { AdditionKind } from "#service/operator/publishing/component-additions";
import { componentForm, groupForm } from "#service/operator/publishing/component-forms";
import {
  type MovedPart,
  orderButtons,
  seenList,
} from "#service/operator/publishing/component-order";
import { internalNameNote } from "#service/operator/publishing/internal-name";
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
  /** What is to be added, by a form above the list. */
  readonly added: AdditionKind | null;
  /** What was moved by a button, which has the focus again; null: nothing was. */
  readonly moved: MovedPart | null;
  readonly refused: RefusedForm | null;
}

/** Where a part is among those that it can pass, in the order that a person sees. */
interface Place {
  readonly place: number;
  readonly count: number;
  readonly seen: Html;
}

/** What a page shows, in the order that its readers see; a group has a heading where its first component is. */
export function componentList(list: ComponentList): Html {
  const blocks = blocksOf(list.content);
  const count = blocks.filter(({ rows }) => rows.length > 0).length;
  const seen = seenList(list.content, list);
  return html`${list.moved === null ? null : html`<p class="unseen" data-moved>${movedWords(list.moved, list, blocks)}</p>`}
    <ul class="watched components${list.mayEdit ? " ordered" : ""}">
      ${blocks.flatMap((block, place) => blockView(block, { place, count, seen }, list))}
    </ul>`;
}

/** Where a part is that was just moved, for those who do not see it. */
function movedWords(
  moved: MovedPart,
  { content }: ComponentList,
  blocks: readonly Block[],
): string {
  const shown = blocks.filter(({ rows }) => rows.length > 0);
  const group = content.groups.find(({ id }) => groupKey(id) === moved.part);
  if (group !== undefined) {
    const place = shown.findIndex((block) => block.group === group.id) + 1;
    return `Group ${group.name} is number ${place} of ${shown.length}.`;
  }
  const row = content.components.find(({ id }) => String(id) === moved.part);
  const block = shown.findIndex(({ rows }) => rows.some(({ id }) => String(id) === moved.part));
  if (row === undefined || block === -1) return "";
  const home = content.groups.find(({ id }) => id === row.group);
  if (home === undefined) return `${row.name} is number ${block + 1} of ${shown.length}.`;
  const rows = shown[block]?.rows ?? [];
  const place = rows.findIndex(({ id }) => id === row.id) + 1;
  return `${row.name} is number ${place} of ${rows.length} in ${home.name}.`;
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
  const isMoved = list.mayEdit && !isEdited && rows.length > 0;
  return html`<li
    class="component-group"
    id="${key}"
    ${list.mayEdit ? html` data-part="${key}"` : null}
  >
    <div class="group-head">
      ${isMoved ? grip(row.name) : null}
      <h3>${breakable(row.name)}</h3>
      ${list.mayEdit ? groupActs(row, rows, at, list) : null}
    </div>
    ${list.mayEdit ? internalNameNote(row.name) : null}
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
    ${askedFirst(`Remove group ${name}`, html`<p>${stays} You can undo this for ten minutes.</p>`, ownForm(`${path}/remove`, list.reader, html`<button type="submit" class="danger">Remove the group</button>`))}
  </div>`;
}

const editLink = (page: number, part: string, name: string, isEdited: boolean): Html =>
  html`<a
    class="button small"
    href="/status-pages/${page}?edit=${part}#${part.startsWith("group-") ? part : `component-${part}`}"
    aria-label="Edit ${name}"
    ${isEdited ? html` aria-current="true"` : null}
    >Edit</a
  >`;

/** A button that opens the one question, and the act that answers it. */
const askedFirst = (what: string, question: Html, act: Html): Html =>
  html`<details class="act drop asked">
    <summary class="button small" aria-label="${what}…" title="${what}">
      ${icon("M3 4.5h10M6.5 4V2.5h3V4M4.5 4.5l.5 9h6l.5-9")}
    </summary>
    <div class="dropped">${question} ${act}</div>
  </details>`;

/** What a part is dragged by, if a script may run: the buttons of its row do the same. */
const grip = (name: string): Html =>
  html`<span class="grip" aria-hidden="true" title="Drag to move ${name}"
    >${icon("M6 3.5v.01M10 3.5v.01M6 8v.01M10 8v.01M6 12.5v.01M10 12.5v.01")}</span
  >`;

function componentLine(row: ComponentRow, at: Place, list: ComponentList): Html {
  const { id, page, name, description } = row;
  const monitor = list.picture.monitors.find((one) => one.id === row.monitor);
  const isEdited =
    list.edited === String(id) || list.refused?.action === `/status-pages/${page}/components/${id}`;
  return html`<li
    class="component"
    id="component-${id}"
    ${list.mayEdit ? html` data-part="${id}"` : null}
  >
    ${list.mayEdit && !isEdited ? grip(name) : null}
    ${monitor === undefined ? verdictMark("unchecked", "By reports") : statusMark(monitor.status)}
    <strong class="name">${breakable(name)}</strong>
    <div class="about-it">
      ${list.mayEdit ? internalNameNote(name) : null}
      ${description === "" ? null : html`<p class="help">${description}</p>`}
      <p class="kind">${monitor === undefined ? "No monitor" : monitorWords(monitor, name)}</p>
    </div>
    ${list.mayEdit ? rowActs(row, at, list, isEdited) : null}
    ${list.mayEdit && isEdited ? html`<div class="edited">${componentForm(row, list)}</div>` : null}
  </li>`;
}

/** A monitor whose component has its name is not named twice. */
function monitorWords({ id, name, kind, target }: PicturedMonitor, shown: string): Html {
  const leads = (words: string): Html => html`<a href="/monitors/${id}">${words}</a>`;
  if (name !== shown) return html`Monitor ${leads(name)}`;
  const { title } = kindWords[kind];
  return target === "" ? leads(title) : html`${title} · ${leads(target)}`;
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
  seen: Html,
  { content: { groups }, reader, moved }: ComponentList,
): Html | null {
  const others = groups.filter((one) => one.id !== group);
  const all = [
    ...others.map((one) => [groupKey(one.id), one.name] as const),
    ...(group === null ? [] : [[outOfGroup, "No group"] as const]),
  ];
  if (all.length === 0) return null;
  // Whoever moved it by this menu continues there.
  const isMovedHere = moved?.part === String(id) && moved.to === "here";
  return html`<details class="act drop acts-menu moves">
    <summary
      class="button small"
      aria-label="Move to a group: ${name}"
      ${isMovedHere ? html` autofocus` : null}
    >
      Move to
    </summary>
    <div class="dropped">
      ${ownForm(
        `/status-pages/${page}/components/${id}/move`,
        reader,
        html`${seen}
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
