import { staticComponentsOfferedMax } from "#limits/status-limits";
import type { Choice } from "#check/form-field";
import { violation } from "#service/edge/call-refusal";
import type { PageRooms } from "#service/operator/page-rooms";
import { integerOf } from "#service/store/ids";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { ComponentRow } from "#service/store/page-store";

/* Which components of its status page planned work is about: those of its monitors, and those without one that are ticked. */

export const componentField = "page_component_ids";

/** Components without a monitor, of the status pages that a form offers; with the page's name if there are several. */
export async function offeredComponents(
  { store }: Pick<PageRooms, "store">,
  pages: readonly Choice[],
): Promise<readonly Choice[]> {
  const titles = new Map(pages);
  const all = await store.pages.components.withoutMonitor(staticComponentsOfferedMax);
  return all.flatMap(({ id, name, page }): readonly Choice[] => {
    const title = titles.get(String(page));
    if (title === undefined) return [];
    return [[String(id), pages.length === 1 ? name : `${name} (${title})`]];
  });
}

/** The components that a form names, by their ids; what is ticked of another page is refused. */
export async function componentsIn(
  rooms: Pick<PageRooms, "store" | "statusPages">,
  typed: URLSearchParams,
  before: MaintenanceRow | null,
): Promise<readonly string[]> {
  const page = integerOf(typed.get("page_id")?.trim() ?? "");
  const ticked = typed.getAll(componentField);
  if (page === null && ticked.length > 0)
    throw violation({
      field: componentField,
      message: "need a status page: choose the one that shows them",
    });
  if (page === null) return [];
  const covered = await coveredComponents(rooms, page, typed, before);
  const there = new Set(covered.map(({ id }) => String(id)));
  const others = ticked.filter((id) => !there.has(id));
  if (others.length > 0) {
    const rows = await Promise.all(
      others.map((id) => rooms.store.pages.components.get(integerOf(id) ?? 0)),
    );
    const names = rows.map((row) => (row === null ? "one that was deleted" : `“${row.name}”`));
    throw violation({
      field: componentField,
      message: `have ${names.join(", ")}, which the chosen status page does not show: untick it, or choose its page`,
    });
  }
  return [...there];
}

/** The components of the page that show one of the monitors, that are ticked, and those that the work had for another reason. */
export async function coveredComponents(
  { statusPages }: Pick<PageRooms, "statusPages">,
  page: number,
  typed: URLSearchParams,
  before: MaintenanceRow | null,
): Promise<readonly ComponentRow[]> {
  const { components } = await statusPages.content(page);
  const had = new Set(before?.page === String(page) ? before.components : []);
  const covered = new Set<number>(before?.monitors);
  const wanted = new Set(typed.getAll("monitor_ids"));
  const ticked = new Set(typed.getAll(componentField));
  return components.filter(({ id, monitor }) => {
    if (monitor === null) return ticked.has(String(id));
    if (wanted.has(String(monitor))) return true;
    // The form shows no components with a monitor: what was chosen by a call or a file is left as it is.
    return had.has(String(id)) && !covered.has(monitor);
  });
}
