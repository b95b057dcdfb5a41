/** What the process reports to its caller; the numbers above 63 are those of sysexits.h. */
export const exitCodes = {
  fine: 0,
  failed: 1,
  degraded: 2,
  /** Of picket plan: something would change. */
  changes: 2,
  usage: 64,
  bug: 70,
} as const;
