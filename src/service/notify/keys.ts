import type { Notice } from "#service/notify/event";
import type { Delivery } from "#service/notify/provider";

/* What ties messages together: pagers by the monitor, threads by the incident. */

/** One for each monitor or location, always the same, so that a repeated trigger joins and a resolve needs no memory. */
export const incidentKey = (delivery: Delivery): string =>
  incidentOf(delivery.notice)?.key ?? `picket-${delivery.id}`;

/** One for each incident or digest: another incident of the same monitor begins another thread. */
export const threadKey = (delivery: Delivery): string => {
  const { notice } = delivery;
  if (notice.type === "digest") return notice.key;
  if ("thread" in notice) return notice.thread;
  if ("maintenance" in notice) return `maintenance-${notice.maintenance.id}`;
  const incident = incidentOf(notice);
  return incident === null ? delivery.id : `incident-${incident.id}`;
};

const incidentOf = (notice: Notice): { readonly id: string; readonly key: string } | null =>
  "incident" in notice ? notice.incident : null;
