import { html, type Html } from "#web/page/html";
import { changeComponent } from "#service/api/component-calls";
import { violation } from "#service/edge/call-refusal";
import { ownForm } from "#service/operator/form-fields";
import { icon } from "#service/operator/navigation";
import type { FormRequest, KnownReader } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import {
  arranged,
  blocksOf,
  groupKey,
  positionsOf,
} from "#service/operator/publishing/page-arrangement";
import { noComponent, noGroup } from "#service/status-site/page-refusals";

/** What was moved by one of its buttons: a component by its id, or a group by its key. */
export interface MovedPart {
  readonly part: string;
  readonly to: "up" | "down";
}

/** What the page's address says of a part that was just moved. */
export function movedIn(query: URLSearchParams): MovedPart | null {
  const [, part, to] = /^((?:group-)?\d{1,15})\.(up|down)$/.exec(query.get("moved") ?? "") ?? [];
  return part !== undefined && (to === "up" || to === "down") ? { part, to } : null;
}

interface OrderedPart {
  readonly part: string;
  readonly name: string;
  /** Where its form is sent. */
  readonly path: string;
  /** Its place among those that it can pass, and how many these are. */
  readonly place: number;
  readonly count: number;
}

/** Buttons that move a part past its neighbours; a script lets people drag it, and sends the same form. */
export function orderButtons(
  { part, name, path, place, count }: OrderedPart,
  moved: MovedPart | null,
  reader: KnownReader,
): Html {
  const possible = { up: place > 0, down: place < count - 1 };
  const button = (to: MovedPart["to"], arrow: string): Html => {
    if (!possible[to]) return html`<span class="arrow"></span>`;
    // Whoever moves it by the keyboard continues there; at an end by the button that is left.
    const isNext = moved?.part === part && (moved.to === to || !possible[moved.to]);
    return html`<button
      type="submit"
      name="to"
      value="${to}"
      class="bare arrow"
      aria-label="Move ${name} ${to}"
      title="Move ${to}"
      ${isNext ? html` autofocus` : null}
    >
      ${icon(arrow)}
    </button>`;
  };
  return ownForm(
    `${path}/move`,
    reader,
    html`${button("up", "M8 13V3M4 7l4-4 4 4")} ${button("down", "M8 3v10M4 9l4 4 4-4")}`,
  );
}

type MoveRequest = Pick<FormRequest, "form" | "part">;

/** Moves a component `up` or `down`, to where another part is, or into a group or out of it. */
export async function moveComponent(
  rooms: PageRooms,
  page: number,
  { form, part }: MoveRequest,
): Promise<void> {
  await move(rooms, page, part, form.get("to") ?? "");
}

/** Moves a group, with its components, `up` or `down`, or to where another part is. */
export async function moveGroup(
  rooms: PageRooms,
  page: number,
  { form, part }: MoveRequest,
): Promise<void> {
  await move(rooms, page, groupKey(Number(part)), form.get("to") ?? "");
}

async function move(rooms: PageRooms, page: number, part: string, to: string): Promise<void> {
  const content = await rooms.statusPages.content(page);
  const { components, groups } = content;
  const isThere =
    components.some(({ id }) => String(id) === part) ||
    groups.some(({ id }) => groupKey(id) === part);
  if (!isThere) throw part.startsWith("group-") ? noGroup(part) : noComponent(part);
  const blocks = arranged(blocksOf(content), part, to);
  if (blocks === null)
    throw violation({
      field: "to",
      message: "must be up, down, or a component or a group of the same page",
    });
  // What has its position already is not written again.
  for (const { row, group, order, groupOrder } of positionsOf(blocks))
    if (row.group !== group || row.order !== order || row.groupOrder !== groupOrder)
      await changeComponent(rooms, {
        id: String(row.id),
        ...(row.group === group ? {} : { groupId: group === null ? "" : String(group) }),
        order,
        groupOrder,
      });
}
