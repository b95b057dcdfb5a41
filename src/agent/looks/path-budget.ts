import type { PathHop } from "#check/evidence";
import type { PathFlow } from "#check/known-path";
import * as limits from "#limits/path-limits";
import { minutes } from "#base/units";

/** The packets of all traces of an agent within the last minute. Instants are milliseconds of the monotonic clock. */
export class PathBudget {
  #expenses: readonly PathExpense[] = [];

  /** Whether a packet may leave now, whatever comes of it; what is quiet leaves room for failures. */
  hasRoom(purpose: "quiet" | "failure", now: number): boolean {
    this.#expenses = this.#expenses.filter(({ at }) => now - at <= minutes(1));
    const most = purpose === "quiet" ? limits.quietPacketsPerMinute : limits.packetsPerMinute;
    return this.sent + limits.packetsAtTarget <= most;
  }

  /** Takes the room for the most that a packet can become. Whoever took it says what it became. */
  reserve(now: number): PathExpense {
    const expense = { at: now, packets: limits.packetsAtTarget };
    this.#expenses = [...this.#expenses, expense];
    return expense;
  }

  /** Within the minute before the last look. */
  get sent(): number {
    return this.#expenses.reduce((sum, { packets }) => sum + packets, 0);
  }
}

interface PathExpense {
  readonly at: number;
  packets: number;
}

/** What opens a connection at the target also acknowledges and resets it. */
export const packetsOf = (hop: PathHop | null, { protocol }: PathFlow): number =>
  hop?.ended === "target" && protocol === "tcp" ? limits.packetsAtTarget : limits.packetsPerAsk;
