import * as limits from "#limits";
import { refuseViolations } from "#service/call-refusal";

/** Which part of a list is wanted; 0 takes the default of 50. Refuses what is out of range, by its field. */
export function pageOf({ limit, offset }: { readonly limit: number; readonly offset: number }): {
  readonly limit: number;
  readonly offset: number;
} {
  const violations: { field: string; message: string }[] = [];
  if (limit < 0 || limit > limits.monitorsListMax)
    violations.push({
      field: "limit",
      message: `must be in 1 to ${limits.monitorsListMax}, not ${limit}`,
    });
  if (offset < 0) violations.push({ field: "offset", message: "must not be below 0" });
  refuseViolations(violations);
  return { limit: limit === 0 ? limits.monitorsListDefault : limit, offset };
}
