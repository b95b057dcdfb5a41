import { parseDuration } from "#base/duration";
import type { CheckOptions } from "#cli/check/check-grammar";
import type { OptionValues } from "#cli/grammar/option";
import { UsageError } from "#cli/edge/usage-error";
import * as limits from "#limits/cli-limits";
import type { Millis } from "#base/units";

/** How often each target is checked, and how long from the beginning of one round to that of the next. */
export interface Repetition {
  readonly times: number;
  readonly every: Millis;
}

/** Without --repeat, --every continues until Ctrl-C. Throws a UsageError that says what is wrong. */
export function repetitionOf({
  repeat,
  every,
}: Pick<OptionValues<CheckOptions>, "repeat" | "every">): Repetition {
  const times = repeat === null ? (every === null ? 1 : limits.repeatMax) : Number(repeat);
  if (!/^\d+$/.test(repeat ?? "1") || times < 1 || times > limits.repeatMax)
    throw new UsageError(`--repeat must be in 1 to ${limits.repeatMax}, not "${repeat}"`);
  if (every === null) return { times, every: limits.repeatEveryDefault };
  const pause = parseDuration(every);
  if (pause === null || pause < limits.repeatEveryMin)
    throw new UsageError(
      `--every must be a duration of ${limits.repeatEveryMin} ms or more, e.g. 500ms or 10s, not "${every}"`,
    );
  return { times, every: pause };
}
