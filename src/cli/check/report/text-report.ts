import { coloured } from "#cli/edge/coloured";
import { explanation } from "#cli/check/explanation";
import { phaseColours } from "#cli/edge/phase-chart";
import type { DecidedCheck, CheckReport, ReportOptions } from "#cli/check/report/check-report";
import { Summaries, type Summary } from "#cli/check/report/summary";
import { marks, waterfall } from "#cli/check/waterfall";
import { columnsOf, cutColumns } from "#cli/edge/shown-text";
import { phaseNames, type Phases } from "#check/outcome";
import { reasonsOf } from "#check/remark";
import { resultStatuses } from "#check/verdict";
import { nanosToMillis } from "#base/units";
import { counted, showText } from "#base/text";

/** For a person: a waterfall of each check, or of repeated ones a line each and a summary. */
export function textReport({ terminal, repeated, targets }: ReportOptions): CheckReport {
  if (!repeated)
    return {
      add: ({ called, target, result, exchanges }) =>
        waterfall(called === target ? target : `${called} (${target})`, result, terminal) +
        (exchanges === null ? "" : explanation(exchanges)),
      end: () => "",
    };
  const summaries = new Summaries();
  return {
    add: (checked) => {
      const number = summaries.add(checked);
      return `${checkLine(number, checked, { terminal, targets })}\n`;
    },
    end: () => summaries.all.map((one) => `\n${summaryLines(one).join("\n")}\n`).join(""),
  };
}

/** `  3 ✓ shop    12.345 ms  dns 0.512  connect 1.203  …`, or what is wrong; a single target is not named each time. */
function checkLine(
  number: number,
  { called, result }: DecidedCheck,
  { terminal, targets }: Pick<ReportOptions, "terminal" | "targets">,
): string {
  const { outcome } = result;
  const { sign, colour } = marks[result.status];
  const width = terminal.columns ?? Infinity;
  const name = targets === 1 ? "" : cutColumns(showText(called), Math.floor(width * nameShare));
  const took = outcome === null ? "" : `${nanosToMillis(outcome.total).toFixed(3)} ms`;
  const figures = `${name}${took.padStart(13)}  `;
  const room = width - 1 - `${numbered(number)} ${sign} `.length - columnsOf(figures);
  const reasons = showText(reasonsOf(result));
  const rest =
    reasons === "" && outcome !== null
      ? phasesWithin(outcome.phases, room, terminal.colour)
      : cutColumns(reasons, Math.max(0, room));
  const mark = coloured(sign, colour, terminal.colour);
  return `${numbered(number)} ${mark} ${figures}${rest}`.trimEnd();
}

const nameShare = 0.4;
const numbered = (number: number): string => String(number).padStart(5);

/** The phases that fit the line; what is left out stands in the summary. */
function phasesWithin(phases: Phases, room: number, colour: boolean): string {
  let left = room;
  return phaseNames
    .flatMap((phase) => {
      const elapsed = phases[phase];
      if (elapsed === null) return [];
      const took = nanosToMillis(elapsed).toFixed(3);
      left -= phase.length + took.length + 3;
      return left < 0 ? [] : [`${coloured(phase, phaseColours[phase], colour)} ${took}`];
    })
    .join("  ");
}

const columnWidth = 13;

function summaryLines({ called, count, statuses, rows, failures }: Summary): readonly string[] {
  const parts = resultStatuses.flatMap((status) =>
    statuses[status] === 0 ? [] : [`${statuses[status]} ${status}`],
  );
  const failed = ((statuses.error / count) * 100).toFixed(statuses.error === 0 ? 0 : 1);
  const lines = [
    `${showText(called)}: ${counted(count, "check")}, ${parts.join(", ")}, ${failed} % failed`,
  ];
  const passed = count - statuses.error;
  if (passed > 0)
    lines.push(
      `  ${"".padEnd(8)}${["min", "median", "p95", "max"].map((name) => name.padStart(columnWidth)).join("")}`,
      ...rows.map(
        ({ name, min, median, p95, max }) =>
          `  ${name.padEnd(8)}${[min, median, p95, max]
            .map((took) => `${nanosToMillis(took).toFixed(3)} ms`.padStart(columnWidth))
            .join("")}`,
      ),
    );
  if (passed > 0 && passed < count)
    lines.push(`  These times are of the ${counted(passed, "check")} that did not fail.`);
  return [...lines, ...failures.map(({ times, why }) => `  ${times} × ${showText(why)}`)];
}
