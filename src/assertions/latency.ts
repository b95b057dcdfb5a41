import { meanRoundTrip } from "#check/echoes";
import { holdsForNumber } from "#assertions/number";
import { proven, type Rule } from "#assertions/rule";
import { latencyOf } from "#check/outcome";
import { nanosToMillis } from "#base/units";

/** The time of the whole attempt; of a ping, which is a part of a millisecond, unrounded. One that only the error bar puts over the bound holds. */
export const latencyRule: Rule<"latency"> = {
  words: ({ comparator, target }) => `latency ${comparator} ${target} ms`,
  judge: ({ comparator, target }, outcome) => {
    const mean = meanRoundTrip(outcome);
    const latency = mean === null ? latencyOf(outcome, "total") : nanosToMillis(mean);
    const doubt = nanosToMillis(outcome.errorBar);
    const held = holdsForNumber(comparator, latency - doubt, target);
    const shown =
      mean === null
        ? `${latency} ± ${doubt.toFixed(1)}`
        : `${latency.toFixed(3)} ± ${doubt.toFixed(3)}`;
    return proven(held, `${shown} ms`);
  },
};
