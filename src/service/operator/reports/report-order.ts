import { nameOrder } from "#base/name-order";
import type { SortDirection } from "#service/operator/lists/sort-arrow";
import { uptimeChange } from "#service/operator/reports/uptime-change";
import type { ReportRow } from "#service/operator/reports/uptime-report";

/** By what a report is sorted: names as people count, all else the worst first. */
const reportSorts = ["uptime", "change", "down", "incidents", "median", "budget", "name"] as const;
export type ReportSort = (typeof reportSorts)[number];

/** What was down most is first, until a person chooses another column. */
export const firstReportSort: ReportSort = "uptime";

export const reportSortIn = (query: URLSearchParams): ReportSort =>
  reportSorts.find((one) => one === query.get("sort")) ?? firstReportSort;

/** Rows that are alike are in the order of their names, in which they come. */
export const sortedRows = (rows: readonly ReportRow[], sort: ReportSort): readonly ReportRow[] =>
  rows.toSorted(orders[sort]);

/** How the figures of a column stand when its worst is first. */
export const reportDirections: { readonly [S in ReportSort]: SortDirection } = {
  uptime: "ascending",
  change: "ascending",
  down: "descending",
  incidents: "descending",
  median: "descending",
  budget: "ascending",
  name: "ascending",
};

type Order = (a: ReportRow, b: ReportRow) => number;

const orders: { readonly [S in ReportSort]: Order } = {
  uptime: (a, b) => lowest(a.uptime) - lowest(b.uptime),
  change: (a, b) => lowest(uptimeChange(a)) - lowest(uptimeChange(b)),
  down: (a, b) => b.down - a.down,
  incidents: (a, b) => b.incidents - a.incidents,
  median: (a, b) => (b.median ?? -1) - (a.median ?? -1),
  budget: (a, b) => lowest(a.budgetLeft) - lowest(b.budgetLeft),
  name: (a, b) => nameOrder(a.name, b.name) || a.id - b.id,
};

/** What is not known is last. A number, so that two of them are alike. */
const lowest = (value: number | null): number => value ?? Number.MAX_VALUE;
