import type { Ledger } from "./ledger.ts";

/** Whether the long form was asked for: longer faults, more of them. */
export const long: boolean = process.env["CHAOS"] === "long";

/** Prints a ledger as a row of the table in docs/reliability.md. */
export function tell(scenario: string, ledger: Ledger, remark = ""): void {
  const missed = Object.entries(ledger.missed).map(([reason, count]) => `${count} ${reason}`);
  const cells = [
    scenario,
    ledger.due,
    ledger.accepted,
    missed.length === 0 ? 0 : missed.join(", "),
    ledger.nobodyRan,
    ledger.cutOff,
    ledger.firstChecks,
    ledger.unexplained.length,
    ledger.twice.length,
    remark,
  ];
  process.stdout.write(`ledger | ${cells.join(" | ")} |\n`);
}

/** Prints what a scenario without a ledger of slots came to. */
export function say(scenario: string, figures: string): void {
  process.stdout.write(`chaos | ${scenario} | ${figures} |\n`);
}
