import { shownLatency } from "#check/shown-latency";
import { figure, inMillis, ownLine, phaseChart, sumOf } from "#cli/edge/phase-chart";
import { factsOf } from "#check/facts";
import { type HttpOutcome, isUncertain, type Outcome } from "#check/outcome";
import { coloured } from "#cli/edge/coloured";
import type { Terminal } from "#cli/edge/terminal";
import { remarksOf } from "#check/remark";
import type { Failure } from "#check/failure";
import type { Result } from "#check/result";
import { nanos } from "#base/units";
import { showText } from "#base/text";

/** One result for a person, under its target as it may be shown: the verdict, where the time went, and what was seen. */
export function waterfall(target: string, result: Result, terminal: Terminal): string {
  const { colour: inColour } = terminal;
  const lines = [headline(target, result, inColour)];
  if (result.failure !== null) lines.push(`  ${showText(sentence(result.failure))}`);
  for (const remark of remarksOf(result))
    lines.push(`  ${coloured(showText(remark), "yellow", inColour)}`);
  if (result.outcome !== null)
    lines.push(
      "",
      ...timeLines(result.outcome, result, terminal),
      ...facts(result.outcome, result),
    );
  if (result.attempts.length > 1) lines.push("", ...attemptLines(result, terminal));
  if (result.evaluations.length > 0) lines.push("", ...evaluationLines(result, inColour));
  return `${lines.join("\n")}\n`;
}

/** The sign and the colour of each status. */
export const marks = {
  success: { sign: "✓", colour: "green" },
  degraded: { sign: "!", colour: "yellow" },
  error: { sign: "✗", colour: "red" },
} as const;

function headline(target: string, result: Result, inColour: boolean): string {
  const { status } = result;
  const { sign, colour } = marks[status];
  const verdict = coloured(`${sign} ${status}`, colour, inColour);
  return `${verdict}  ${showText(target)}  ${shownLatency(result)}`;
}

const sentence = ({ code, phase, message }: Failure): string => `${code} in ${phase}: ${message}`;

/** The bars of the attempt, the total, and how far to believe them. */
function timeLines(outcome: Outcome, { failure }: Result, terminal: Terminal): readonly string[] {
  const { phases, own, total, errorBar, ownErrorBar } = outcome;
  const failed = failure?.phase ?? null;
  const bars =
    outcome.kind === "http" && outcome.hops.length > 1
      ? hopLines(outcome, failed, terminal)
      : phaseChart({ phases, before: nanos(0), whole: total, failed }, terminal);
  const lines = [
    ...bars,
    ...(own === null ? [] : [ownLine(own, ownErrorBar)]),
    figure("total", total),
    `${figure("±", errorBar)}  the possible error of each phase and of the latency`,
  ];
  if (isUncertain(outcome)) lines.push(...uncertainty);
  return lines.map((line) => (line === "" ? "" : `  ${line}`));
}

const uncertainty = [
  "This machine was too busy to be sure of these times: see the error bar. They may be far from what",
  "the network did. Up or down is certain; degraded needs a latency over the threshold by more than that.",
];

/** A chart for each request of a redirect chain, each bar where it lay in the whole attempt. */
function hopLines(
  { hops, total }: HttpOutcome,
  failed: Failure["phase"] | null,
  terminal: Terminal,
): readonly string[] {
  let before = nanos(0);
  return hops.flatMap(({ url, statusCode, phases, leftBehind }, index) => {
    const elapsed = sumOf(phases);
    const title = `hop ${index + 1}: ${statusCode ?? "no status"} ${url}`;
    const here = index === hops.length - 1 ? failed : null;
    const chart = phaseChart({ phases, before, whole: total, failed: here }, terminal);
    before = nanos(before + elapsed);
    const left =
      leftBehind.length === 0
        ? []
        : [showText(`not sent to this other origin: ${leftBehind.join(", ")}`)];
    return [showText(`${title}, ${inMillis(elapsed)}`), ...left, ...chart, ""];
  });
}

const labelWidth = 13;

function facts(outcome: Outcome, { place }: Result): readonly string[] {
  const lines = factsOf(outcome, "full", place).map(({ label, value }) =>
    showText(`  ${label.padEnd(labelWidth)}${value}`),
  );
  return lines.length === 0 ? [] : ["", ...lines];
}

/** The attempts before the reported one have their own charts here; the reported one's is above. */
function attemptLines({ attempts }: Result, terminal: Terminal): readonly string[] {
  return attempts
    .flatMap(({ phases, total, failure }, index) => {
      const ended = failure === null ? "passed" : showText(sentence(failure));
      if (index === attempts.length - 1)
        return [`attempt ${index + 1}, shown above: ${inMillis(total)}, ${ended}`];
      const failed = failure?.phase ?? null;
      const chart = phaseChart({ phases, before: nanos(0), whole: total, failed }, terminal);
      return [`attempt ${index + 1}: ${inMillis(total)}, ${ended}`, ...chart];
    })
    .map((line) => `  ${line}`);
}

const evaluationLines = ({ evaluations }: Result, inColour: boolean): readonly string[] =>
  evaluations.map(({ held, expected, received }) => {
    const { sign, colour } = held ? marks.success : marks.error;
    const mark = coloured(sign, colour, inColour);
    return `  ${mark} ${showText(expected)}${held ? "" : `, received ${showText(JSON.stringify(received))}`}`;
  });
