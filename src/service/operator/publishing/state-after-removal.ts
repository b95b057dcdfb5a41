import { dayAndTime, isoTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { reportWords } from "#service/operator/publishing/report-fields";
import type { ReportRow, ReportUpdate } from "#service/store/page-store";

/** What becomes of a report without one of its updates, which are in the order of their times, the newest first. */
export function stateAfterRemoval(
  { updates }: Pick<ReportRow, "updates">,
  { id }: Pick<ReportUpdate, "id">,
): readonly (Html | string)[] {
  const left = updates.filter((one) => one.id !== id);
  const [newest, oldest] = [left[0], left.at(-1)];
  if (newest === undefined || oldest === undefined)
    return ["It is the only update of its report: correct it, or delete the report."];
  const begins = updates.at(-1)?.id === id ? [beginsLater(oldest)] : [];
  return [stateOf(updates[0], newest), ...begins];
}

const beginsLater = ({ at }: ReportUpdate): Html =>
  html`The report then begins with the update after it, of
    <time datetime="${isoTime(at)}">${dayAndTime(at)}</time>.`;

function stateOf(before: ReportUpdate | undefined, after: ReportUpdate): string {
  const state = reportWords[after.status];
  if (before === undefined || before.id === after.id)
    return `The report stays “${state}”, as its newest update says.`;
  if (before.status === after.status)
    return `The report stays “${state}”, as the update before it says.`;
  const opens = before.status === "resolved" ? "open again: its state is" : "in the state";
  return `The report is then ${opens} “${state}”, as the update before it says.`;
}
