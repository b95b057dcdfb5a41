import { counted } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { OverviewRow } from "#service/operator/overview-rows";

/** What is said of a monitor whose results are on a database server that is away. */
export const unreadWords =
  "Its results cannot be read now, as their database server cannot be reached. This is its last known status.";

/** Of those that are shown: of a large service no more is known. */
export function unreadLine(rows: readonly OverviewRow[]): Html | null {
  const shown = rows.flatMap((row) => (row.kind === "cause" ? row.monitors : [row.monitor]));
  const count = shown.filter(({ unread }) => unread).length;
  if (count === 0) return null;
  return html`<p class="advice" role="status">
    A database server cannot be reached: the results of ${counted(count, "monitor")} below cannot be
    read. ${count === 1 ? "Its status is" : "Their status is"} the last known one, and agents keep
    new results. Start the server: <code>picket service doctor</code> says which it is.
  </p>`;
}
