/** One result as an agent reported it: nanoseconds, and null for what it does not say. */
export interface CheckedRow {
  readonly monitor: string;
  /** Epoch milliseconds, as is the next. */
  readonly slot: number;
  readonly startedAt: number;
  /** success, degraded or error. */
  readonly status: string;
  readonly why: string;
  /** The failure's code; empty without one. */
  readonly code: string;
  readonly connect: number | null;
  readonly wait: number | null;
  readonly total: number;
  readonly own: number | null;
  readonly errorBar: number;
}
