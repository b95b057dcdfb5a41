import { html, type Html } from "#web/page/html";
import { changeComponent } from "#service/api/component-calls";
import { violation } from "#service/edge/call-refusal";
import { ownForm } from "#service/operator/form-fields";
import { icon } from "#service/operator/navigation";
import type { FormRequest, KnownReader } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { noComponent } from "#service/status-site/page-refusals";
import type { ComponentRow } from "#service/store/page-store";

/** Components as readers see them: those of a group together, where the first of them is. */
export function inShownOrder(components: readonly ComponentRow[]): readonly ComponentRow[] {
  const groups = Map.groupBy(components, ({ id, group }) => group ?? `alone ${id}`);
  return [...groups.values()].flatMap((some) =>
    some.toSorted(
      (a, b) => a.groupOrder - b.groupOrder || a.name.localeCompare(b.name, "en") || a.id - b.id,
    ),
  );
}

/** A component that was moved by one of its buttons. */
export interface MovedComponent {
  readonly id: string;
  readonly to: "up" | "down";
}

/** What the page's address says of a component that was just moved. */
export function movedIn(query: URLSearchParams): MovedComponent | null {
  const [, id, to] = /^(\d{1,15})\.(up|down)$/.exec(query.get("moved") ?? "") ?? [];
  return id !== undefined && (to === "up" || to === "down") ? { id, to } : null;
}

/** Buttons that move a component among those of its group; a script lets people drag it, and sends the same form. */
export function orderButtons(
  row: ComponentRow,
  /** The components of its group, with it, as they are shown. */
  siblings: readonly ComponentRow[],
  moved: MovedComponent | null,
  reader: KnownReader,
): Html {
  const place = siblings.findIndex(({ id }) => id === row.id);
  const possible = { up: place > 0, down: place < siblings.length - 1 };
  const button = (to: MovedComponent["to"], arrow: string): Html => {
    if (!possible[to]) return html`<span class="arrow"></span>`;
    // Whoever moves it by the keyboard continues there; at an end by the button that is left.
    const isNext = moved?.id === String(row.id) && (moved.to === to || !possible[moved.to]);
    return html`<button
      type="submit"
      name="to"
      value="${to}"
      class="bare arrow"
      aria-label="Move ${row.name} ${to}"
      title="Move ${to}"
      ${isNext ? html` autofocus` : null}
    >
      ${icon(arrow)}
    </button>`;
  };
  return ownForm(
    `/status-pages/${row.page}/components/${row.id}/move`,
    reader,
    html`${button("up", "M8 13V3M4 7l4-4 4 4")} ${button("down", "M8 3v10M4 9l4 4 4-4")}`,
  );
}

/** Moves a component up or down, or before another of its group: `up`, `down` or that one's id. */
export async function moveComponent(
  rooms: PageRooms,
  page: number,
  { form, part }: Pick<FormRequest, "form" | "part">,
): Promise<void> {
  const { components } = await rooms.statusPages.content(page);
  const moved = components.find(({ id }) => String(id) === part);
  if (moved === undefined) throw noComponent(part);
  const siblings = inShownOrder(components).filter(({ group }) => group === moved.group);
  const order = reordered(siblings, moved, form.get("to") ?? "");
  const positions = positionsOf(siblings);
  // What has its position already is not written again.
  for (const [index, one] of order.entries()) {
    const place = positions[index] ?? index;
    if (positionOf(one) !== place)
      await changeComponent(rooms, {
        id: String(one.id),
        ...(one.group === null ? { order: place } : { groupOrder: place }),
      });
  }
}

const positionOf = ({ group, order, groupOrder }: ComponentRow): number =>
  group === null ? order : groupOrder;

/** They share those that they have, so that nothing moves past a group; unless two have the same. */
function positionsOf(siblings: readonly ComponentRow[]): readonly number[] {
  const taken = siblings.map(positionOf).toSorted((a, b) => a - b);
  return new Set(taken).size === taken.length ? taken : taken.map((_, index) => index);
}

function reordered(
  siblings: readonly ComponentRow[],
  moved: ComponentRow,
  to: string,
): readonly ComponentRow[] {
  const from = siblings.indexOf(moved);
  const rest = siblings.filter((one) => one !== moved);
  const target = siblings.findIndex(({ id }) => String(id) === to);
  if (to === "up") return rest.toSpliced(Math.max(0, from - 1), 0, moved);
  if (to === "down") return rest.toSpliced(from + 1, 0, moved);
  if (target === -1)
    throw violation({ field: "to", message: "must be up, down or a component of the same group" });
  // Where the other one is now: after it from above, before it from below.
  return rest.toSpliced(target, 0, moved);
}
