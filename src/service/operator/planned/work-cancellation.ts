import { counted } from "#web/page/format";
import type { PageRooms } from "#service/operator/page-rooms";
import { isRunning, nextWindow } from "#service/operator/planned/work-under-way";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { StatusPageRow } from "#service/store/page-store";
import { integerOf } from "#service/store/ids";
import type { CancelledWork } from "#service/store/trash/cancelled-work";
import type { EpochMillis } from "#base/units";

/** Work that subscribers expect, and how many get news of its page. */
export interface Cancellation {
  readonly work: CancelledWork;
  readonly subscribers: number;
}

/** The button that deletes it and has that said; the form has it only if it was pressed. */
export const cancelButton = "notify";

/**
 * What can be said to subscribers if the work is deleted. Null if they were not sent it, if its page has no subscriber or
 * is not published, and if its next time has begun: then it takes place.
 */
export async function cancellationOf(
  { store }: Pick<PageRooms, "store">,
  row: MaintenanceRow,
  page: StatusPageRow | null,
  at: EpochMillis,
): Promise<Cancellation | null> {
  const window = nextWindow(row, at);
  if (page === null || window === null || isRunning(row, at)) return null;
  const subscribers = await expecting({ store }, row, page);
  if (subscribers === 0) return null;
  const { from, to } = window;
  const components = componentsOf(row);
  const { id, title, recurrence, timeZone, from: begin } = row;
  const repeats = recurrence === "" ? {} : { repeats: { recurrence, begin, timeZone } };
  const work = { id, title, from, to, ...repeats, page: page.id, components };
  return { work, subscribers };
}

/** How many get news of work that subscribers were sent; 0 if they were not, or if its page is not published. */
export async function expecting(
  { store }: Pick<PageRooms, "store">,
  row: Pick<MaintenanceRow, "id" | "components">,
  page: StatusPageRow,
): Promise<number> {
  if (!page.definition.published) return 0;
  const [tallies, concerned] = await Promise.all([
    store.readers.letters.tallies({ kind: "maintenance", about: [row.id] }),
    store.readers.subscribers.concerned(page.id, componentsOf(row)),
  ]);
  return tallies.length === 0 ? 0 : concerned;
}

/** Those of its page that it is about; none: all of the page. */
export const componentsOf = ({
  components,
}: Pick<MaintenanceRow, "components">): readonly number[] =>
  components.flatMap((id) => integerOf(id) ?? []);

/** What subscribers are sent of work that is deleted; nothing if that concerns no one. */
export async function cancellationWords(
  { store }: Pick<PageRooms, "store">,
  { page, components, repeats }: CancelledWork,
): Promise<string> {
  const count = await store.readers.subscribers.concerned(page, components);
  const what = cancelledWords(repeats !== undefined);
  return count === 0
    ? ""
    : ` Then ${counted(count, "subscriber")} ${count === 1 ? "is" : "are"} sent that ${what}.`;
}

/** Of work that repeats, none of its times takes place. */
export const cancelledWords = (isRepeated: boolean): string =>
  isRepeated ? "none of its coming times will take place" : "it will not take place";

/** `the subscriber`, or `the 12 subscribers`. */
export const subscribersNamed = (subscribers: number): string =>
  `the ${subscribers === 1 ? "subscriber" : counted(subscribers, "subscriber")}`;

export const cancelWords = ({ subscribers }: Cancellation): string =>
  `Delete, and tell ${subscribersNamed(subscribers)}`;
