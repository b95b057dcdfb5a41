import type { ComponentDay, DayState, SeenDay } from "#service/status-page/component-days";
import { worstImpact } from "#service/status-page/impact-spans";
import { millis } from "#base/units";

/** A day of a group: the worst of what its components were, with what each of them was. */
export interface GroupDay extends SeenDay {
  readonly parts: readonly GroupPart[];
}

interface GroupPart {
  /** The component's. */
  readonly name: string;
  readonly day: SeenDay;
}

/** The most urgent first. A day is empty only if nothing is known of any component. */
const urgency: readonly DayState[] = ["down", "degraded", "maintenance", "operational", "empty"];

interface NamedDays {
  readonly name: string;
  /** Of the same days as those of all others. */
  readonly days: readonly ComponentDay[];
}

export const groupDays = (components: readonly NamedDays[]): readonly GroupDay[] =>
  (components[0]?.days ?? []).map(({ begin }, index) => {
    const parts = components.flatMap(({ name, days }) => {
      const day = days[index];
      return day === undefined ? [] : [{ name, day }];
    });
    const days = parts.map(({ day }) => day);
    return {
      begin,
      state: urgency.find((state) => days.some((day) => day.state === state)) ?? "empty",
      // Of the component that was down for the longest: single checks do not say how much of it others share.
      down: millis(Math.max(...days.map(({ down }) => down))),
      impact: worstImpact(days.flatMap(({ impact }) => impact ?? [])),
      reported: millis(Math.max(...days.map(({ reported }) => reported))),
      planned: millis(Math.max(...days.map(({ planned }) => planned))),
      titles: [...new Set(days.flatMap(({ titles }) => titles))],
      parts,
    };
  });
