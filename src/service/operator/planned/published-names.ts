import type { Choice } from "#check/form-field";
import { nameOrder } from "#base/name-order";
import { choicesOf } from "#service/operator/form-fields";
import type { PageRooms } from "#service/operator/page-rooms";
import type { PicturedMonitor } from "#service/operator/picture";
import type { StatusPageRow } from "#service/store/page-store";

/** The monitors to choose from, by the names that readers of the chosen page know; `Shop (monitor shop-eu-1)` if both differ. */
export async function monitorChoices(
  { store }: Pick<PageRooms, "store">,
  page: StatusPageRow | null,
  monitors: readonly PicturedMonitor[],
): Promise<readonly Choice[]> {
  const content = page === null ? null : await store.pages.pages.content(page.id);
  if (content === null) return choicesOf(monitors);
  const names = new Map<number, readonly string[]>();
  for (const { monitor, name } of content.components)
    if (monitor !== null) names.set(Number(monitor), [...(names.get(Number(monitor)) ?? []), name]);
  return monitors
    .map(({ id, name }): Choice => [String(id), bothNames(names.get(id) ?? [], name)])
    .toSorted(([, a], [, b]) => nameOrder(a, b));
}

function bothNames(published: readonly string[], name: string): string {
  const others = [...new Set(published)].filter((one) => one !== name);
  return others.length === 0 ? name : `${others.join(", ")} (monitor ${name})`;
}
