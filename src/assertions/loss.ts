import { echoesOf, lossOf } from "#check/echoes";
import { holdsForNumber } from "#assertions/number";
import { proven, type Rule } from "#assertions/rule";

/** The share of the echoes of a ping that got no reply. */
export const lossRule: Rule<"loss"> = {
  words: ({ comparator, target }) => `loss ${comparator} ${target} %`,
  judge: ({ comparator, target }, outcome) => {
    if (echoesOf(outcome).length === 0) return null;
    const loss = lossOf(outcome);
    return proven(holdsForNumber(comparator, loss, target), `${loss.toFixed(1)} %`);
  },
};
