import type { ResultStatus } from "#check/verdict";
import { shownLength } from "#base/duration";
import type { LocationId } from "#service/store/ids";
import type { ListedResult } from "#service/store/result-store";
import { epochMillis, type EpochMillis } from "#base/units";

/** When a location began to see something else of a monitor, and how many checks saw that. */
export interface LocatedTurn {
  readonly at: EpochMillis;
  readonly location: LocationId;
  readonly status: ResultStatus;
  /** Null of a check that passed, or where the agent did not say. */
  readonly failure: { readonly code: string; readonly phase: string } | null;
  /** The sentence of the first check; empty if none is kept. */
  readonly message: string;
  /** Of the first check, its retries counted. */
  readonly attempts: number;
  /** Itself and those that came after it and ended alike. */
  readonly checks: number;
  /** How many of them were before the incident began, by the seconds that pages show. */
  readonly checksBefore: number;
}

/** What results, oldest first, say of a monitor: one turn for each stretch of alike ones at a location. */
export function turnsOf(
  results: readonly ListedResult[],
  startedAt: EpochMillis,
): readonly LocatedTurn[] {
  const turns: LocatedTurn[] = [];
  const newest = new Map<LocationId, number>();
  for (const result of results) {
    const { location, status, failure, message, attempts } = result;
    const at = ranAt(result);
    const isBefore = Number(shownLength(at, startedAt) > 0);
    const index = newest.get(location);
    const before = index === undefined ? undefined : turns[index];
    if (index !== undefined && before !== undefined && isAlike(before, result)) {
      turns[index] = {
        ...before,
        checks: before.checks + 1,
        checksBefore: before.checksBefore + isBefore,
      };
      continue;
    }
    newest.set(location, turns.length);
    turns.push({
      at,
      location,
      status,
      failure,
      message,
      attempts,
      checks: 1,
      checksBefore: isBefore,
    });
  }
  return turns.toSorted((a, b) => a.at - b.at);
}

/** A check begins a moment after its slot, and the incident begins and ends with checks. */
const ranAt = ({ slot, startedAt }: ListedResult): EpochMillis =>
  epochMillis(Math.max(slot, startedAt));

const isAlike = (
  a: Pick<LocatedTurn, "status" | "failure">,
  b: Pick<ListedResult, "status" | "failure">,
): boolean =>
  a.status === b.status &&
  a.failure?.code === b.failure?.code &&
  a.failure?.phase === b.failure?.phase;
