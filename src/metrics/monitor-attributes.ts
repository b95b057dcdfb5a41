import { viewOf } from "#metrics/kinds/view-table";
import type { Attributes } from "#metrics/series";
import type { Monitor, Target } from "#check/monitor";
import { serverOf } from "#check/kinds/kind-table";

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
  const server = serverOf(target.kind, target);
  return {
    ...viewOf(target.kind).attributes(target),
    ...(server === null ? {} : { "server.address": server.host }),
    ...(server === null || server.port === null ? {} : { "server.port": server.port }),
  };
}
