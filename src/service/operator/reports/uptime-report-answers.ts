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
import {
  daysOf,
  monthOf,
  reportedDaysWords,
  type ReportPeriod,
  type TypedDays,
} from "#service/operator/reports/report-period";
import {
  type MonthChoice,
  monthsUntil,
  type ReportChoice,
  type UptimeReport,
  uptimeReport,
} from "#service/operator/reports/uptime-report";
import { namedPeriods } from "#service/operator/reports/named-periods";
import { KeptReports } from "#service/operator/reports/kept-reports";
import { reportCsv, reportDocument } from "#service/operator/reports/report-documents";
import { reportQuery } from "#service/operator/reports/report-choices";
import { uptimeReportView } from "#service/operator/reports/uptime-report-view";
import { daysKeptFor } from "#limits/service-limits";
import { between, hours } from "#base/units";

/** `/uptime`: a month, a period with another name, or other days, of all monitors, of those with a label, or of a status page. */
const reportPage: OperatorPage = {
  role: "reader",
  path: /^\/uptime(?<json>\.json)?$/,
  answer: async (context, request) => {
    const { rooms } = context;
    const asked = askedOf(rooms, request);
    if (asked === null) return request.isDocument ? noPeriod : noPeriodPage(rooms, request);
    const { choice, typed } = asked;
    if (typed.fault !== null && request.isDocument) return lineAnswer(400, typed.fault.words);
    const report = await keptReport(context, choice);
    if (request.isDocument) return documentAnswer(reportDocument(report));
    const { at } = report;
    const pages = await rooms.statusPages.list(limits.reportedPagesMax, 0);
    return framed(request, {
      title: `${reportedDaysWords(choice.period)} · Uptime report · Picket`,
      section: "reports",
      document: `/uptime.json?${reportQuery(choice)}`,
      at,
      content: uptimeReportView({
        ...report,
        choice,
        typed,
        sort: reportSortIn(request.query),
        months: withChosen(monthsUntil(at, report.since), choice.period),
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
    const asked = askedOf(context.rooms, request);
    if (asked === null) return noPeriod;
    const { choice, typed } = asked;
    if (typed.fault !== null) return lineAnswer(400, typed.fault.words);
    const file = `uptime-${choice.period.name.replace("/", "-to-")}.csv`;
    return {
      status: 200,
      type: "text/csv; charset=utf-8",
      body: reportCsv(await keptReport(context, choice)),
      headers: { "content-disposition": `attachment; filename="${file}"` },
    };
  },
};

export const reportsPages: readonly OperatorPage[] = [reportPage, csvPage];

const kept = new WeakMap<PageRooms["store"], KeptReports>();

function keptReport(context: PageContext, choice: ReportChoice): Promise<UptimeReport> {
  const { rooms } = context;
  return kept
    .getOrInsertComputed(rooms.store, () => new KeptReports(rooms))
    .get(reportQuery(choice), () => uptimeReport(context, choice));
}

/** A month that an address names stays chosen, also if it is older than all data. */
const withChosen = (months: readonly MonthChoice[], period: ReportPeriod): readonly MonthChoice[] =>
  period.kind !== "month" || months.some(([name]) => name === period.name)
    ? months
    : [...months, [period.name, reportedDaysWords(period)]];

const periodRule = `must be a month that has begun, for example 2026-11, and of which days are kept: of the last ${daysKeptFor / hours(24)} days. Or it is one of ${namedPeriods.map(({ name }) => name).join(", ")}.`;

const noPeriod = lineAnswer(
  400,
  `period ${periodRule} Without it, the report is of the current month.`,
);

/** The same for a person, with the way to the report of this month, of the same monitors. */
function noPeriodPage(rooms: PageRooms, { query, reader }: PageRequest): PageAnswer {
  const same = new URLSearchParams(query);
  for (const name of ["month", "period"]) same.delete(name);
  const content = html`<h1 class="target">There is no report of this period</h1>
    <p class="why">Period ${periodRule}</p>
    <p>
      <a class="button" href="/uptime${same.size === 0 ? "" : `?${same.toString()}`}"
        >Report of the current month</a
      >
    </p>`;
  const at = rooms.clock.wall();
  const title = "Uptime report · Picket";
  return framed({ reader }, { title, section: "reports", document: null, at, content }, 400);
}

/** What an address asks for. Days that are none are answered with the current month, and what is wrong with them. */
interface AskedReport {
  readonly choice: ReportChoice;
  readonly typed: TypedDays;
}

/** Null if it names a month of which there is no report, or what is no period. A period counts more than a month, and both more than days. */
function askedOf(rooms: PageRooms, { query }: Pick<PageRequest, "query">): AskedReport | null {
  const now = rooms.clock.wall();
  const [period = "", month = "", from = "", to = ""] = ["period", "month", "from", "to"].map(
    (name) => query.get(name) ?? "",
  );
  const known = namedPeriods.find(({ name }) => name === period);
  const whole = known?.of(now) ?? monthOf(period === "" ? month : period, now);
  if (whole === null || between(whole.to, now) > daysKeptFor) return null;
  const isOfDays = `${period}${month}` === "" && `${from}${to}` !== "";
  const days = isOfDays ? daysOf(from, to, now) : null;
  const isFault = days !== null && "about" in days;
  const page = query.get("page") ?? "";
  return {
    choice: {
      period: days === null || isFault ? whole : days,
      named: known?.name ?? null,
      label: query.get("label") ?? "",
      page: /^\d{1,15}$/.test(page) ? Number(page) : null,
    },
    typed: { from, to, fault: isFault ? days : null },
  };
}
