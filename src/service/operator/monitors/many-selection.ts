import { Refusal } from "#service/edge/call-refusal";
import { monitorsNamedMax } from "#limits/store-limits";
import { findsAll, readOverviewQuery } from "#service/operator/overview-query";
import type { FormRequest, PageContext } from "#service/operator/page-request";
import { matchingMonitors } from "#service/operator/pictures/monitor-search";
import { integerOf, type MonitorId, monitorId } from "#service/store/ids";
import type { MonitorRow } from "#service/store/state-store";

/** The monitors whose boxes are ticked, or all that the overview's search finds. */
export async function selected(
  { rooms, pictures }: PageContext,
  { form }: FormRequest,
): Promise<readonly MonitorRow[]> {
  if (!form.has("all")) return rooms.monitors.among(idsIn(form));
  const reading = readOverviewQuery(new URLSearchParams(form.get("query") ?? ""));
  if (!reading.ok) throw new Refusal("invalid_argument", reading.message);
  // How all of them are is not asked for, so no picture is taken: the act before this one outdated the last.
  if (findsAll(reading.query)) return everyMonitor(rooms);
  const picture = await pictures.now();
  return rooms.monitors.among(
    matchingMonitors(picture, reading.query).map(({ id }) => monitorId(id)),
  );
}

/** A portion after the other, so that others' questions come between. */
async function everyMonitor({
  monitors,
}: Pick<PageContext["rooms"], "monitors">): Promise<readonly MonitorRow[]> {
  const all: MonitorRow[] = [];
  for (;;) {
    const portion = await monitors.listAfter(all.at(-1)?.id ?? 0, monitorsNamedMax);
    all.push(...portion);
    if (portion.length < monitorsNamedMax) return all;
  }
}

/**
 * A short word for a set of monitors, whatever their order: how many they are, and two sums of their ids, scrambled. Of
 * 100,000 it takes a few milliseconds, so each overview can say which ones its search finds.
 */
export function seenWord(rows: readonly { readonly id: number }[]): string {
  let [one, other] = [0, 0];
  for (const { id } of rows) {
    const first = scrambled(id);
    one = (one + first) >>> 0;
    other = (other + scrambled(first ^ 0x9e3779b9)) >>> 0;
  }
  return `${rows.length}.${one.toString(36)}.${other.toString(36)}`;
}

/** The last steps of MurmurHash3: each bit of a number changes half of all bits. */
function scrambled(id: number): number {
  let bits = id ^ (id >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** The field with the word of what the search found for the page that the form is of. */
export const seenField = "seen";

/** Whether these are what the page showed, whatever the search finds since. Boxes name monitors themselves. */
export const isAsSeen = (rows: readonly MonitorRow[], form: URLSearchParams): boolean =>
  !form.has("all") || form.get(seenField) === seenWord(rows);

/** How many the page showed; null if the form does not say that. */
export function seenCount(form: URLSearchParams): number | null {
  const [, count] = /^(\d{1,6})\./.exec(form.get(seenField) ?? "") ?? [];
  return count === undefined ? null : Number(count);
}

/** Each once: one may be ticked by itself, and with the row of its cause. */
export const idsIn = (form: URLSearchParams, field = "monitor"): readonly MonitorId[] =>
  [...new Set(form.getAll(field))].flatMap((text) => {
    const integer = integerOf(text);
    return integer === null ? [] : [monitorId(integer)];
  });

/** What Enter sends that is pressed on a box or in a field of the form. */
export const entered = "enter";

/** The search that the form is of. Only a query of the overview leads back: no other address does. */
export const searchOf = (form: URLSearchParams): string =>
  overviewAt(`/${form.get("query") ?? ""}`);

/** A path of the overview; that of all monitors in place of every other one. */
export const overviewAt = (path: string): string => (/^\/(?:\?[^#\\]*)?$/.test(path) ? path : "/");
