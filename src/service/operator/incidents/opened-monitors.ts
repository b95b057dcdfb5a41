import { causeIn } from "#service/alerting/snapshot";
import type { Picture, PicturedMonitor } from "#service/operator/picture";

/** Monitors with an open incident, and how they fail: those of a large service as their incident began. */
export function openedMonitors({
  detail,
  monitors,
  locations,
}: Picture): readonly PicturedMonitor[] {
  const opened = monitors.filter(({ incident }) => incident !== null);
  if (detail === "whole") return opened;
  const nameOf = new Map(locations.map(({ id, name }) => [id, name]));
  return opened.map((monitor) => asItBegan(monitor, nameOf));
}

/** A brief picture has no reasons: it reads what is seen of a monitor for the lines of one page. */
function asItBegan(monitor: PicturedMonitor, nameOf: ReadonlyMap<number, string>): PicturedMonitor {
  const { incident, status } = monitor;
  const began = causeIn(incident?.cause ?? "");
  if (began === null || status === "inactive") return monitor;
  const { location, code, phase, whose } = began;
  const statusCode = whose?.is === "server" ? whose.statusCode : 0;
  const unseen = { slot: null, since: null, stale: false };
  const sight = { location, name: nameOf.get(location) ?? "", status, ...unseen };
  return { ...monitor, reason: { code, phase, message: "", statusCode }, seenBy: [sight] };
}
