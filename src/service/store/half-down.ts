import { type Millis, millis } from "#base/units";

/**
 * For how long a monitor was down on a day: half of its locations make it down, so it was at most for as long as the one in
 * the middle saw it. `downs` are those of the locations that saw any downtime, in any order.
 */
export const halfDown = (places: number, downs: readonly number[]): Millis =>
  millis(downs.toSorted((a, b) => b - a)[Math.ceil(places / 2) - 1] ?? 0);
