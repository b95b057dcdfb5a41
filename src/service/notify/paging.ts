import type { Notice } from "#service/notify/event";
import type { Urgency } from "#service/notify/event-facts";
import { plainText } from "#service/notify/message/plain";

/* What notices mean to a pager: something opens, something is over, or nothing is to be said. */

type PagerStep =
  | { readonly is: "trigger" }
  | { readonly is: "resolve" }
  /** Opens and resolves at once. */
  | { readonly is: "try" }
  | { readonly is: "nothing"; readonly why: string };

/** What a pager does with a notice. */
export function pagerStep(notice: Notice): PagerStep {
  switch (notice.type) {
    case "monitor.error":
    case "monitor.degraded":
    case "monitor.flapping":
    case "location.offline":
    case "location.trouble":
      return { is: "trigger" };
    case "monitor.recovered":
    case "monitor.closed":
    case "location.online":
    case "location.well":
    case "location.closed":
      return { is: "resolve" };
    case "monitor.settled":
      return { is: notice.status === "active" ? "resolve" : "trigger" };
    case "test":
      return { is: "try" };
    case "monitor.reminder":
      return nothing("pagers remind by themselves");
    case "maintenance.started":
    case "maintenance.changed":
    case "maintenance.ended":
      return nothing("pagers are not called for maintenance");
    case "channel.failing":
      return nothing("pagers are not called for another channel");
    case "page.news":
      return nothing("pagers are not called for a status page's news");
    case "digest":
      return nothing("pagers get each incident on its own");
  }
}

const nothing = (why: string): PagerStep => ({ is: "nothing", why });

export const urgencyOf = (notice: Notice): Urgency =>
  "urgency" in notice ? notice.urgency : "info";

/** Where it happens, in the fields that pagers have for it. */
interface PagerSource {
  /** The host, or the location. */
  readonly source: string;
  readonly component: string;
  /** The location that everything fails at. */
  readonly group: string | null;
  /** The failure's code. */
  readonly kind: string | null;
}

export function sourceOf(notice: Notice): PagerSource {
  if ("monitor" in notice) {
    const { monitor, result, cause, locations } = notice;
    const seeing = locations.filter(({ status }) => status === "error" || status === "degraded");
    const places = seeing.map(({ name }) => plainText(name)).join(", ");
    return {
      source: hostOf(monitor.target),
      component: plainText(monitor.name),
      group: cause === null ? places || null : plainText(cause.location.name),
      kind: result?.failure?.code ?? null,
    };
  }
  if ("location" in notice) {
    const name = plainText(notice.location.name);
    return { source: name, component: name, group: name, kind: null };
  }
  return { source: plainText(notice.service.name), component: "Picket", group: null, kind: null };
}

/** Of `https://host/path` and of `host:port`. */
const hostOf = (target: string): string =>
  plainText(URL.parse(target)?.hostname || target.replace(/:\d+$/, ""));

/** `name=value` of each label. */
export function labelsOf(notice: Notice): readonly string[] {
  const labels =
    "monitor" in notice
      ? notice.monitor.labels
      : "location" in notice
        ? notice.location.labels
        : {};
  return Object.entries(labels).map(([name, value]) => `${plainText(name)}=${plainText(value)}`);
}
