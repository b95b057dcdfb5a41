/**
 * Days of monitors, all locations of each together, oldest first: a row of `dayColumns` numbers each. A hundred thousand
 * of them cross between threads as one block.
 */
export type DayTable = Float64Array;
/**
 * `longest` is what is known at the location that knows most, `worst` the downtime of the one that was down for longest,
 * `places` counts the locations; the others are sums over all locations.
 */
export const dayColumns = [
  "monitor",
  "begin",
  "longest",
  "known",
  "down",
  "checks",
  "slow",
  "errors",
  "worst",
  "places",
] as const;
