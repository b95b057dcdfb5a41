import { coloured } from "#cli/edge/coloured";
import type { Finding } from "#cli/doctor/finding";
import { exitCodes } from "#cli/edge/exit-code";
import type { Io } from "#cli/edge/io";
import { terminalOf } from "#cli/edge/terminal";
import { showText } from "#base/text";

/** Prints what was found, a line each or as one JSON object, and gives the exit code. */
export function showFindings(findings: readonly Finding[], asJson: boolean, io: Io): number {
  const ok = findings.every(({ level }) => level !== "failed");
  const { colour } = terminalOf(io);
  if (asJson) io.stdout.write(`${JSON.stringify({ ok, findings })}\n`);
  else for (const finding of findings) io.stdout.write(`${lineOf(finding, colour)}\n`);
  return ok ? exitCodes.fine : exitCodes.failed;
}

const marks = {
  fine: { mark: "✓", colour: "green" },
  warning: { mark: "!", colour: "yellow" },
  failed: { mark: "✗", colour: "red" },
} as const;

function lineOf({ about, level, says, next }: Finding, inColour: boolean): string {
  const { mark, colour } = marks[level];
  const shown = coloured(mark, colour, inColour);
  return `${shown} ${showText(`${about}: ${says}${next === null ? "" : `. Next: ${next}`}`)}`;
}
