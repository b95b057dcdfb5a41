import type { Verb } from "#service/store/verb";
import { verbGroups } from "#service/store/verb-groups";
import { appendResults, missSlots } from "#service/store/verbs/append-results";
import { forgetOld } from "#service/store/verbs/forget-old";
import { packAllDetails } from "#service/store/verbs/pack-details";
import { packResults } from "#service/store/verbs/pack-results";
import { history } from "#service/store/verbs/history";

type AnyVerb = Verb<readonly never[], unknown>;

/** The verbs of every group of every part. */
const grouped: readonly AnyVerb[] = Object.values(verbGroups).flatMap((groups) =>
  Object.values<Readonly<Record<string, AnyVerb>>>(groups).flatMap((verbs) => Object.values(verbs)),
);

/** Every verb by its name, for a thread that is sent names. */
export const verbOf: ReadonlyMap<string, AnyVerb> = new Map(
  [
    appendResults,
    missSlots,
    forgetOld,
    packResults,
    packAllDetails,
    ...Object.values(history),
    ...grouped,
  ].map((verb): readonly [string, AnyVerb] => [verb.name, verb]),
);
