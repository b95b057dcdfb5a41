import { html, type Html } from "#web/page/html";
import { changeComponent } from "#service/api/component-calls";
import { violation } from "#service/edge/call-refusal";
import { ownForm } from "#service/operator/form-fields";
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

/** Buttons that move a component among those of its group; a script lets people drag it, and sends the same form. */
export const orderButtons = ({ id, page, name }: ComponentRow, reader: KnownReader): Html =>
  ownForm(
    `/status-pages/${page}/components/${id}/move`,
    reader,
    html`<button type="submit" name="to" value="up" class="small" aria-label="Move ${name} up">
        ↑ Up
      </button>
      <button type="submit" name="to" value="down" class="small" aria-label="Move ${name} down">
        ↓ Down
      </button>`,
  );

/** Moves a component up or down, or before another of its group: `up`, `down` or that one's id. */
export async function moveComponent(
  rooms: PageRooms,
  page: number,
  { form, part }: FormRequest,
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
