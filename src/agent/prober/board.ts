import * as limits from "#limits/check-limits";
import type { CheckerStatus } from "#agent/prober/checker";
import type { Plan } from "#agent/prober/schedule/reconcile";
import { type MissedReason, missedReasons, noneMissed } from "#agent/prober/schedule/missed-slots";
import type { SlotBoard, Standing } from "#agent/prober/schedule/standing";
import type { Monitor } from "#check/monitor";
import { epochMillis, type EpochMillis, nanos, type Nanos, nanosToMillis } from "#base/units";

/*
 * One number a cell. First those of the thread, then four for each monitor:
 *
 *     | looked at the clock | an attempt overdue since | in flight | started | missed, by reason | due checking newest unsent | …
 */
const tickedCell = 0;
const overdueCell = 1;
const inFlightCell = 2;
const startedCell = 3;
const missedCell = 4;
const rowsCell = missedCell + missedReasons.length;
const rowCells = 4;
const cells = rowsCell + limits.monitorsPerAgentMax * rowCells;

/**
 * How a thread that checks stands, in memory that it shares with the thread that asks: looking costs neither a message
 * nor a wait, and what a thread had under way is known when it dies. One thread writes. Both know which row is whose,
 * because both apply the same plans in the same order.
 */
export class Board implements Pick<SlotBoard, "show"> {
  readonly memory: SharedArrayBuffer;
  readonly #cells: Float64Array;
  readonly #rows = new Map<string, number>();
  readonly #free: number[] = [];

  constructor(
    memory: SharedArrayBuffer = new SharedArrayBuffer(cells * Float64Array.BYTES_PER_ELEMENT),
  ) {
    this.memory = memory;
    this.#cells = new Float64Array(memory);
  }

  /** Gives the monitors that start a row each, and takes those of the ones that stop. */
  apply({ start, stop }: Pick<Plan, "start" | "stop">): void {
    for (const id of stop) {
      const row = this.#rows.get(id);
      if (row !== undefined) this.#free.push(row);
      this.#rows.delete(id);
    }
    for (const { id } of start) {
      const row = this.#free.pop() ?? this.#rows.size;
      this.#rows.set(id, row);
      this.#cells.fill(0, cellOf(row), cellOf(row + 1));
    }
  }

  show(monitorId: string, { due, checking, newest }: Standing): void {
    const row = this.#rows.get(monitorId);
    if (row === undefined) return;
    this.#cells[cellOf(row)] = due;
    this.#cells[cellOf(row) + 1] = checking ?? 0;
    this.#cells[cellOf(row) + 2] = newest ?? 0;
  }

  /** Null for a monitor that the thread does not know yet. */
  standing(monitorId: string): Standing | null {
    const row = this.#rows.get(monitorId);
    if (row === undefined) return null;
    const [due = 0, checking = 0, newest = 0] = this.#cells.subarray(cellOf(row));
    if (due === 0) return null;
    return { due: epochMillis(due), checking: instant(checking), newest: instant(newest) };
  }

  /** A result of this slot was decided, and waits to be sent; null once it was. */
  unsent(monitorId: string, slot: EpochMillis | null): void {
    const row = this.#rows.get(monitorId);
    if (row !== undefined) this.#cells[cellOf(row) + 3] = slot ?? 0;
  }

  /** The slots of which the thread has begun a check, and sent no result. */
  *underWay(): Iterable<{ readonly monitorId: string; readonly slot: EpochMillis }> {
    for (const [monitorId, row] of this.#rows)
      for (const cell of [cellOf(row) + 1, cellOf(row) + 3]) {
        const slot = instant(this.#cells[cell] ?? 0);
        if (slot !== null) yield { monitorId, slot };
      }
  }

  /** How each monitor stands that the thread knows. */
  standings(): ReadonlyMap<string, Standing> {
    const all = this.#rows.keys().map((id) => [id, this.standing(id)] as const);
    return new Map(all.flatMap(([id, standing]) => (standing === null ? [] : [[id, standing]])));
  }

  /** `overdue` is when the oldest attempt that runs should have ended; null if none runs. */
  ticked(at: Nanos, overdue: Nanos | null): void {
    this.#cells[tickedCell] = at;
    this.#cells[overdueCell] = overdue ?? 0;
  }

  inFlight(count: number): void {
    this.#cells[inFlightCell] = count;
  }

  begun(): void {
    this.#add(startedCell, 1);
  }

  missed(reason: MissedReason, count: number): void {
    this.#add(missedCell + missedReasons.indexOf(reason), count);
  }

  /** What it shows at an instant of the clock that its writer reads. */
  status(now: Nanos): CheckerStatus {
    const [ticked = 0, overdue = 0, checksInFlight = 0, started = 0] = this.#cells;
    const missed = Object.fromEntries(
      missedReasons.map((reason, at) => [reason, this.#cells[missedCell + at] ?? 0]),
    );
    return {
      schedule: { started, missed: { ...noneMissed, ...missed } },
      checksInFlight,
      sinceTick: ticked === 0 ? null : nanosToMillis(nanos(now - ticked)),
      stuckFor: nanosToMillis(nanos(overdue === 0 ? 0 : Math.max(0, now - overdue))),
    };
  }

  /** The board of the next thread of these monitors, which counts on. */
  successor(start: readonly Monitor[]): Board {
    const next = new Board(this.memory);
    next.#cells.fill(0, tickedCell, startedCell);
    next.apply({ start, stop: [] });
    return next;
  }

  #add(cell: number, by: number): void {
    this.#cells[cell] = (this.#cells[cell] ?? 0) + by;
  }
}

const cellOf = (row: number): number => rowsCell + row * rowCells;

const instant = (cell: number): Standing["newest"] => (cell === 0 ? null : epochMillis(cell));
