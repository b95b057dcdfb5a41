import type { PageFacts } from "#service/status-page/page-facts";
import { componentsOf, type PageModel, type ShownComponent } from "#service/status-page/page-model";
import { uptimeOf } from "#service/status-page/uptime";

/** A monitor that readers may look at by itself, as the page calls it. */
export interface PublicMonitor {
  readonly id: number;
  readonly component: ShownComponent;
  /** In hundredths of a percent, over the last days; none if the page shows none. */
  readonly uptimes: readonly { readonly days: number; readonly uptime: number }[];
}

/** Null if the page has no such monitor, or its people have not made it public. */
export function publicMonitor(
  model: PageModel,
  facts: Pick<PageFacts, "reports" | "windows" | "planned" | "now">,
  id: number,
): PublicMonitor | null {
  const component = componentsOf(model).find((one) => publicIdOf(one) === id);
  if (component === undefined) return null;
  const { metric, showUptime, days: shown } = model.definition.configuration;
  const uptimes = periodsOf(shown).flatMap((days) => {
    const uptime = uptimeOf(metric, component.facts, component.days.slice(-days), facts);
    return uptime === null ? [] : [{ days, uptime }];
  });
  return { id, component, uptimes: showUptime ? uptimes : [] };
}

/** The monitor of a component that has a page; null of any other one. */
export const publicIdOf = ({ facts: { monitor } }: ShownComponent): number | null =>
  monitor?.isPublic === true ? monitor.id : null;

/** Over how many days figures are shown: a week, a month, and what the page's bars show. */
export const periodsOf = (shown: number): readonly number[] =>
  [...new Set([7, 30, shown])].filter((days) => days <= shown);
