import type { JudgedState } from "#service/monitors/judge";
import type { StateRow } from "#service/store/state-store";

/* What the judge keeps of a monitor next to its status: what a pause has interrupted, so that a short one changes nothing. */

/** Empty if there is nothing to keep. */
export const memoryOf = ({ beforePause }: JudgedState): string =>
  beforePause === undefined ? "" : JSON.stringify({ beforePause });

/** A kept state with what is remembered of it. */
export function rememberedState(row: StateRow): StateRow & JudgedState {
  // Only memoryOf writes it.
  const memory: Pick<JudgedState, "beforePause"> = row.memory === "" ? {} : JSON.parse(row.memory);
  return { ...row, ...memory };
}
