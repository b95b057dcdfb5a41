import { span } from "#web/page/format";
import type { StoredResult } from "#service/store/result-store";
import { between, type EpochMillis } from "#base/units";

/**
 * How long ago a check was: since it was due, as its line in every list says, so that one check has one age on all of a page.
 * One that was only tried was never due.
 */
export const checkAge = (
  { slot, startedAt }: Pick<StoredResult, "slot" | "startedAt">,
  at: EpochMillis,
): string => `${span(between(slot === 0 ? startedAt : slot, at))} ago`;
