import { daysLeft } from "#check/certificate-ending";
import type { MonitorSnapshot } from "#service/alerting/snapshot";
import { certificateIn, type SeenCertificate } from "#service/operator/check-view";
import { shortTarget } from "#service/operator/monitors/line-about";
import type { PageRooms } from "#service/operator/page-rooms";
import { isAway } from "#service/store/store-fault";
import type { Story } from "#service/store/alert-store";
import { monitorId } from "#service/store/ids";
import { html, type Html } from "#web/page/html";
import { momentOf } from "#web/page/moment";
import type { EpochMillis } from "#base/units";

/** `The certificate of shop.test ends in 5 days, on 5 Dec, 09:00:00 UTC.`: what a timeline says of an instant. */
export function certificateSentence(
  { monitor, certificate }: Pick<MonitorSnapshot, "monitor" | "certificate">,
  at: EpochMillis,
): Html | null {
  if (certificate === undefined) return null;
  const [host = ""] = shortTarget(monitor.target).split("/");
  const { end } = certificate;
  return end <= at
    ? html`The certificate of ${host} ended on ${momentOf(end)}.`
    : html`The certificate of ${host} ends ${daysLeft(end, at)}, on ${momentOf(end)}.`;
}

/** The certificate that an incident is about, if the newest check that passed saw it; null of any other incident. */
export async function certificateOfStory(
  { store }: PageRooms,
  { incident, events }: Story,
): Promise<SeenCertificate | null> {
  const { kind, id } = incident.subject;
  if (kind !== "certificate") return null;
  const known = events.at(-1)?.snapshot;
  try {
    const seen = certificateIn(await store.results.lastDetailed(monitorId(id), "passed"));
    const isIts = known?.of === "monitor" && seen?.end === known.certificate?.end;
    return isIts ? seen : null;
  } catch (error) {
    if (!isAway(error)) throw error;
    return null;
  }
}
