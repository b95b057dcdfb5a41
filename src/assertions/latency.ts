import { holdsForNumber } from "#assertions/number";
import { proven, type Rule } from "#assertions/rule";
import { latencyOf } from "#check/outcome";
import { nanosToMillis } from "#base/units";

/** The time of the whole attempt. One that only the error bar puts over the bound holds. */
export const latencyRule: Rule<"latency"> = {
  words: ({ comparator, target }) => `latency ${comparator} ${target} ms`,
  judge: ({ comparator, target }, outcome) => {
    const latency = latencyOf(outcome, "total");
    const doubt = nanosToMillis(outcome.errorBar);
    const held = holdsForNumber(comparator, latency - doubt, target);
    return proven(held, `${latency} ± ${doubt.toFixed(1)} ms`);
  },
};
