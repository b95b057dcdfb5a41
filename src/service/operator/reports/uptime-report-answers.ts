import { html } from "#web/page/html";
import { documentAnswer, lineAnswer, type PageAnswer } from "#service/edge/page-answer";
import * as limits from "#limits/report-limits";
import {
  framed,
  type OperatorPage,
  type PageContext,
  type PageRequest,
} from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { reportSortIn } from "#service/operator/reports/report-order";
import { monthOf, monthWords, type ReportMonth } from "#service/operator/reports/report-month";
import {
  type MonthChoice,
  monthsUntil,
  type ReportChoice,
  type UptimeReport,
  uptimeReport,
} from "#service/operator/reports/uptime-report";
import { reportCsv, reportDocument } from "#service/operator/reports/report-documents";
import { reportQuery } from "#service/operator/reports/report-choices";
import { uptimeReportView } from "#service/operator/reports/uptime-report-view";
import { daysKeptFor } from "#limits/service-limits";
import { between, hours, type Nanos, nanos, nanosToMillis } from "#base/units";

/** `/uptime`: a month of all monitors, of those with a label, or of a status page. */
const reportPage: OperatorPage = {
  role: "reader",
  path: /^\/uptime(?<json>\.json)?$/,
  answer: async (context, request) => {
    const { rooms } = context;
    const choice = choiceIn(rooms, request);
    if (choice === null) return request.isDocument ? noMonth : noMonthPage(rooms, request);
    const report = await keptReport(context, choice);
    if (request.isDocument) return documentAnswer(reportDocument(report));
    const at = rooms.clock.wall();
    const pages = await rooms.statusPages.list(limits.reportedPagesMax, 0);
    return framed(request, {
      title: `${monthWords(choice.month)} · Uptime report · Picket`,
      section: "reports",
      document: `/uptime.json?${reportQuery(choice)}`,
      at,
      content: uptimeReportView({
        ...report,
        choice,
        sort: reportSortIn(request.query),
        months: withChosen(monthsUntil(at, report.since), choice.month),
        pages: pages.map(({ id, definition }) => ({ id, title: definition.title })),
      }),
    });
  },
};

/** `/uptime.csv`: the same for spreadsheets. */
const csvPage: OperatorPage = {
  role: "reader",
  path: /^\/uptime\.csv$/,
  answer: async (context, request): Promise<PageAnswer> => {
    const choice = choiceIn(context.rooms, request);
    if (choice === null) return noMonth;
    const file = `uptime-${choice.month.name}.csv`;
    return {
      status: 200,
      type: "text/csv; charset=utf-8",
      body: reportCsv(await keptReport(context, choice)),
      headers: { "content-disposition": `attachment; filename="${file}"` },
    };
  },
};

export const reportsPages: readonly OperatorPage[] = [reportPage, csvPage];

/** A month of a thousand monitors is made of thirty thousand days: who looks again, or takes the file, waits once. */
const kept = new WeakMap<PageRooms["store"], Map<string, KeptReport>>();

interface KeptReport {
  readonly at: Nanos;
  readonly report: Promise<UptimeReport>;
}

function keptReport(context: PageContext, choice: ReportChoice): Promise<UptimeReport> {
  const { rooms } = context;
  const reports = kept.getOrInsertComputed(rooms.store, () => new Map<string, KeptReport>());
  const [key, now] = [reportQuery(choice), rooms.clock.monotonic()];
  const known = reports.get(key);
  if (known !== undefined && nanosToMillis(nanos(now - known.at)) < limits.reportFreshFor)
    return known.report;
  if (reports.size >= limits.reportsKeptMax) reports.clear();
  const report = uptimeReport(context, choice);
  reports.set(key, { at: now, report });
  report.catch(() => reports.delete(key));
  return report;
}

/** A month that an address names stays chosen, also if it is older than all data. */
const withChosen = (months: readonly MonthChoice[], month: ReportMonth): readonly MonthChoice[] =>
  months.some(([name]) => name === month.name)
    ? months
    : [...months, [month.name, monthWords(month)]];

const monthRule = `must be one that has begun, e.g. 2026-11, and of which days are kept, i.e. of the last ${daysKeptFor / hours(24)} days.`;

const noMonth = lineAnswer(
  400,
  `month ${monthRule} Without it, the report is of the current month.`,
);

/** The same for a person, with the way to the report of this month, of the same monitors. */
function noMonthPage(rooms: PageRooms, { query, reader }: PageRequest): PageAnswer {
  const same = new URLSearchParams(query);
  same.delete("month");
  const content = html`<h1 class="target">There is no report of this month</h1>
    <p class="why">Month ${monthRule}</p>
    <p>
      <a class="button" href="/uptime${same.size === 0 ? "" : `?${same.toString()}`}"
        >Report of the current month</a
      >
    </p>`;
  const at = rooms.clock.wall();
  const title = "Uptime report · Picket";
  return framed({ reader }, { title, section: "reports", document: null, at, content }, 400);
}

function choiceIn(rooms: PageRooms, { query }: Pick<PageRequest, "query">): ReportChoice | null {
  const now = rooms.clock.wall();
  const month = monthOf(query.get("month") ?? "", now);
  const page = query.get("page") ?? "";
  if (month === null || between(month.to, now) > daysKeptFor) return null;
  return {
    month,
    label: query.get("label") ?? "",
    page: /^\d{1,15}$/.test(page) ? Number(page) : null,
  };
}
