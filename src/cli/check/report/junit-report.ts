import { phaseChart } from "#cli/edge/phase-chart";
import type { DecidedCheck, CheckReport } from "#cli/check/report/check-report";
import { reasonsOf } from "#check/remark";
import { nanos } from "#base/units";
import { showText } from "#base/text";

/** One JUnit test case for each check: the form in which CI systems show which test failed, and why. */
export function junitReport(): CheckReport {
  const cases: string[] = [];
  let failures = 0;
  let seconds = 0;
  return {
    add: (checked) => {
      const took = (checked.result.outcome?.total ?? 0) / 1e9;
      if (checked.result.status === "error") failures += 1;
      seconds += took;
      cases.push(caseOf(checked, took));
      return "";
    },
    end: () => {
      const counts = `tests="${cases.length}" failures="${failures}" errors="0" skipped="0" time="${seconds.toFixed(6)}"`;
      return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${counts}>
<testsuite name="picket check" ${counts}>
${cases.join("")}</testsuite>
</testsuites>
`;
    },
  };
}

function caseOf({ called, target, result }: DecidedCheck, took: number): string {
  const { kind, failure, outcome, startedAt } = result;
  const head = `<testcase classname="picket.${kind}" name="${escaped(called)}" time="${took.toFixed(6)}">`;
  const failed =
    failure === null
      ? ""
      : `<failure type="${failure.code}" message="${escaped(failure.message)}">${escaped(`${failure.code} in ${failure.phase}: ${failure.message}`)}</failure>\n`;
  const chart =
    outcome === null
      ? []
      : phaseChart(
          {
            phases: outcome.phases,
            before: nanos(0),
            whole: outcome.total,
            failed: failure?.phase ?? null,
          },
          { columns: null, rows: 0, colour: false },
        );
  const lines = [
    `${result.status} ${target} at ${new Date(startedAt).toISOString()}`,
    reasonsOf(result),
    ...chart,
  ].filter((one) => one !== "");
  return `${head}\n${failed}<system-out>${lines.map(escaped).join("\n")}</system-out>\n</testcase>\n`;
}

/** XML 1.0 has no place at all for control characters, which showText takes out. */
const escaped = (text: string): string =>
  showText(text)
    .toWellFormed()
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
