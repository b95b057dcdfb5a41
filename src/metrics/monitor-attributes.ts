import type { Attributes } from "#metrics/series";
import type { Monitor, Target } from "#check/monitor";
import { hostPortOf } from "#network/host-port";
import { showUrl } from "#check/target";

const known = new WeakMap<Monitor, Attributes>();

/** The attributes of every series of a monitor. A target that could not be parsed is not shown: it may hold a secret. */
export function attributesOf(monitor: Monitor): Attributes {
  const kept = known.get(monitor);
  if (kept !== undefined) return kept;
  const made = {
    "picket.monitor.id": monitor.id,
    ...(monitor.name === null ? {} : { "picket.monitor.name": monitor.name }),
    "picket.check.kind": monitor.kind,
    ...(monitor.rejection === null ? targetAttributes(monitor.target) : {}),
  };
  known.set(monitor, made);
  return made;
}

function targetAttributes(target: Target): Attributes {
  switch (target.kind) {
    case "http": {
      const { host, port } = hostPortOf(new URL(target.url));
      return {
        "server.address": host,
        "server.port": port,
        "url.full": showUrl(target.url),
      };
    }
    case "tcp":
      return { "server.address": target.host, "server.port": target.port };
    case "dns":
      return {
        "dns.question.name": target.name,
        ...(target.server === null
          ? {}
          : { "server.address": target.server.host, "server.port": target.server.port }),
      };
  }
}
