import { exchangesJson } from "#cli/check/explanation";
import { resultJson } from "#cli/check/report/check-json";
import type { DecidedCheck, CheckReport, ReportOptions } from "#cli/check/report/check-report";
import { Summaries, type Summary } from "#cli/check/report/summary";

/** One JSON object a line for each check, and of repeated ones another for each target's summary. */
export function jsonReport({ repeated }: ReportOptions): CheckReport {
  const summaries = new Summaries();
  return {
    add: (checked) => {
      if (repeated) summaries.add(checked);
      return line(checkJson(checked));
    },
    end: () => summaries.all.map((one) => line(summaryJson(one))).join(""),
  };
}

const line = (json: object): string => `${JSON.stringify(json)}\n`;

function checkJson({ called, target, result, exchanges }: DecidedCheck): object {
  const name = called === target ? null : called;
  const json = resultJson({ name, target }, result);
  return exchanges === null ? json : { ...json, exchanges: exchangesJson(exchanges) };
}

const summaryJson = ({ called, target, count, statuses, rows, failures }: Summary): object => ({
  kind: "summary",
  name: called === target ? null : called,
  target,
  checks: count,
  ...statuses,
  passed_times_ns: Object.fromEntries(
    rows.map(({ name, min, median, p95, max }) => [name, { min, median, p95, max }]),
  ),
  failures: failures.map(({ times, why }) => ({ times, message: why })),
});
