import type { Config } from "#agent/settings/config";
import { fine, type Finding, warning } from "#cli/doctor/finding";
import { canSendFlow } from "#probes/evidence/flow-trace";

/** Whether this machine can trace the paths to targets, and with what. */
export function pathFindings({
  probing: { evidence, paths },
}: Pick<Config, "probing">): readonly Finding[] {
  const about = "paths";
  if (!paths) return [fine(about, "off by PICKET_PATHS: no failure names a hop that changed")];
  if (evidence === "off")
    return [
      fine(about, "off, because PICKET_EVIDENCE is off: no failure names a hop that changed"),
    ];
  if (!canSendFlow("tcp", "127.0.0.1"))
    return [
      warning(
        about,
        "this machine cannot trace the paths to targets (needs Linux and node:ffi)",
        "run the agent on Linux without --no-experimental-ffi, or set PICKET_PATHS=off",
      ),
    ];
  return [
    fine(
      about,
      canSendFlow("icmp", "127.0.0.1")
        ? "this machine can trace the paths to targets, of pings as well"
        : "this machine can trace the paths to targets, but not of pings: net.ipv4.ping_group_range has none of its groups, and it has no CAP_NET_RAW",
    ),
  ];
}
