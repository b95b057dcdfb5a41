import * as limits from "#limits/service-limits";
import { refuseViolations } from "#service/edge/call-refusal";

/** Which part of a list is wanted: 50 from the beginning, unless asked otherwise. Refuses what is out of range, by its field. */
export function pageOf({ limit = limits.monitorsListDefault, offset = 0 }: PageQuery): {
  readonly limit: number;
  readonly offset: number;
} {
  const violations: { field: string; message: string }[] = [];
  if (limit < 1 || limit > limits.monitorsListMax)
    violations.push({
      field: "limit",
      message: `must be in 1 to ${limits.monitorsListMax}, not ${limit}`,
    });
  if (offset < 0) violations.push({ field: "offset", message: "must not be below 0" });
  refuseViolations(violations);
  return { limit, offset };
}

interface PageQuery {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}
