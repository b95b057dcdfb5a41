import type { CheckReport, Format, ReportOptions } from "#cli/check/report/check-report";
import { jsonReport } from "#cli/check/report/json-report";
import { junitReport } from "#cli/check/report/junit-report";
import { prometheusReport } from "#cli/check/report/prometheus-report";
import { textReport } from "#cli/check/report/text-report";

/** The report of a format, with nothing in it yet. */
export const openReport = (format: Format, options: ReportOptions): CheckReport =>
  reports[format](options);

/** Every format has its report; one without does not compile. */
const reports: { readonly [F in Format]: (options: ReportOptions) => CheckReport } = {
  text: textReport,
  json: jsonReport,
  junit: junitReport,
  prometheus: prometheusReport,
};
