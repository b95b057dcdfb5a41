import { Refusal } from "#service/edge/call-refusal";
import { readOverviewQuery } from "#service/operator/overview-query";
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
  const picture = await pictures.now();
  return rooms.monitors.among(
    matchingMonitors(picture, reading.query).map(({ id }) => monitorId(id)),
  );
}

export const idsIn = (form: URLSearchParams): readonly MonitorId[] =>
  form.getAll("monitor").flatMap((text) => {
    const integer = integerOf(text);
    return integer === null ? [] : [monitorId(integer)];
  });

/** What Enter sends that is pressed on a box or in a field of the form. */
export const entered = "enter";

/** The search that the form is of. Only a query of the overview leads back: no other address does. */
export const searchOf = (form: URLSearchParams): string =>
  overviewAt(`/${form.get("query") ?? ""}`);

const overviewAt = (path: string): string => (/^\/(?:\?[^#\\]*)?$/.test(path) ? path : "/");
