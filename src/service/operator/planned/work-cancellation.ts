import { undoneWithin } from "#limits/service-limits";
import { counted } from "#web/page/format";
import type { PageRooms } from "#service/operator/page-rooms";
import { nextWindow } from "#service/operator/planned/work-under-way";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { StatusPageRow } from "#service/store/page-store";
import { integerOf } from "#service/store/ids";
import { type CancelledWork, isSentAtOnce } from "#service/store/trash/cancelled-work";
import { after, epochMillis, type EpochMillis } from "#base/units";

/** Work that subscribers expect, and how many get news of its page. */
export interface Cancellation {
  readonly work: CancelledWork;
  readonly subscribers: number;
  /** Why they are sent it at once, as the rest of a sentence; null: once the deletion cannot be undone any more. */
  readonly haste: string | null;
}

/** The button that deletes it and has that said; the form has it only if it was pressed. */
export const cancelButton = "notify";

/**
 * What can be said to subscribers if the work is deleted: to those who were sent something of it. Null if none was, if its
 * page is not published, and if its next time began more than ten minutes ago: then it takes place.
 */
export async function cancellationOf(
  { store }: Pick<PageRooms, "store">,
  row: MaintenanceRow,
  page: StatusPageRow | null,
  at: EpochMillis,
): Promise<Cancellation | null> {
  const window = nextWindow(row, at);
  if (page === null || window === null || after(window.from, undoneWithin) <= at) return null;
  const saidAt = await newestSaid({ store }, row, page);
  if (saidAt === null) return null;
  const { from, to } = window;
  const components = componentsOf(row);
  const subscribers = await store.readers.subscribers.concerned({
    page: page.id,
    components,
    saidAt,
  });
  if (subscribers === 0) return null;
  const { id, title, recurrence, timeZone, from: begin } = row;
  const repeats = recurrence === "" ? {} : { repeats: { recurrence, begin, timeZone } };
  const work = { id, title, from, to, ...repeats, page: page.id, components, saidAt };
  return { work, subscribers, haste: hasteOf(work, at) };
}

/** How many get news of work that subscribers were sent; 0 if they were not, or if its page is not published. */
export async function expecting(
  { store }: Pick<PageRooms, "store">,
  row: Pick<MaintenanceRow, "id" | "components">,
  page: StatusPageRow,
): Promise<number> {
  if ((await newestSaid({ store }, row, page)) === null) return 0;
  return store.readers.subscribers.concerned({ page: page.id, components: componentsOf(row) });
}

/** When subscribers were sent something of it last; null if they were not, or if its page is not published. */
async function newestSaid(
  { store }: Pick<PageRooms, "store">,
  { id }: Pick<MaintenanceRow, "id">,
  { definition }: StatusPageRow,
): Promise<EpochMillis | null> {
  if (!definition.published) return null;
  const tallies = await store.readers.letters.tallies({ kind: "maintenance", about: [id] });
  return tallies.length === 0 ? null : epochMillis(Math.max(...tallies.map(({ at }) => at)));
}

function hasteOf(work: CancelledWork, at: EpochMillis): string | null {
  if (!isSentAtOnce(work, at)) return null;
  return work.from <= at
    ? "the work has begun"
    : "the work begins too soon to wait for the ten minutes of undo";
}

/** Those of its page that it is about; none: all of the page. */
export const componentsOf = ({
  components,
}: Pick<MaintenanceRow, "components">): readonly number[] =>
  components.flatMap((id) => integerOf(id) ?? []);

/** What the question says of that. */
export const cancellationEffect = ({ work, haste }: Cancellation): string => {
  const what = cancelledWords(work.repeats !== undefined);
  const when =
    haste === null
      ? "once you can no longer undo this."
      : `at once, because ${haste}. Undo restores the work, but cannot take back the message.`;
  return `Subscribers of the page were sent this announcement. If you tell them, a message that ${what} goes out ${when}`;
};

/** What subscribers are sent of work that is deleted; nothing if that concerns no one. */
export async function cancellationWords(
  { store }: Pick<PageRooms, "store">,
  work: CancelledWork,
): Promise<string> {
  const what = cancelledWords(work.repeats !== undefined);
  const { sent } = work;
  if (sent !== undefined)
    return ` ${counted(sent, "subscriber")} ${sent === 1 ? "was" : "were"} sent at once that ${what}. Undo restores the work and sends nothing: send an update then.`;
  const count = await store.readers.subscribers.concerned(work);
  return count === 0
    ? ""
    : ` Then ${counted(count, "subscriber")} ${count === 1 ? "is" : "are"} sent that ${what}.`;
}

/** Of work that repeats, none of its times takes place. */
const cancelledWords = (isRepeated: boolean): string =>
  isRepeated ? "none of its coming times will take place" : "it will not take place";

/** `the subscriber`, or `the 12 subscribers`. */
export const subscribersNamed = (subscribers: number): string =>
  `the ${subscribers === 1 ? "subscriber" : counted(subscribers, "subscriber")}`;

export const cancelWords = ({ subscribers }: Cancellation): string =>
  `Delete, and tell ${subscribersNamed(subscribers)}`;
