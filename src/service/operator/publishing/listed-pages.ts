import type { Html } from "#web/page/html";
import { plannedMark, type Standing, verdictMark } from "#web/page/verdict-mark";
import type { PageRooms } from "#service/operator/page-rooms";
import type { PageState } from "#service/status-page/component-state";
import { english } from "#service/status-page/texts/english";
import type { StatusPageRow } from "#service/store/page-store";

/** A page with what its readers see of it now; null of a draft. */
export interface ListedPage {
  readonly row: StatusPageRow;
  readonly state: PageState | null;
}

/** States as the public pages have them, which are kept for a moment. */
export const listedPages = (
  { published }: Pick<PageRooms, "published">,
  rows: readonly StatusPageRow[],
): Promise<readonly ListedPage[]> =>
  Promise.all(
    rows.map(async (row) => {
      const page = row.definition.published ? await published.page(row.id) : null;
      return { row, state: page?.model.overall ?? null };
    }),
  );

/** How a page is, in the word that it has for such a component, or that it is a draft. */
export function listedMark({ state }: ListedPage): Html {
  if (state === null) return verdictMark("unchecked", "Draft");
  return state === "maintenance"
    ? plannedMark(english.state.maintenance)
    : verdictMark(standings[state], english.state[state]);
}

const standings: { readonly [S in Exclude<PageState, "maintenance">]: Standing } = {
  operational: "success",
  degraded: "degraded",
  partial_outage: "error",
  major_outage: "error",
  unknown: "unchecked",
};
