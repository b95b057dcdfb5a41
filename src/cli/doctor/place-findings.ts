import type { Config } from "#agent/settings/config";
import { failed, fine, type Finding, warning } from "#cli/doctor/finding";
import { openSocketEvidence } from "#probes/socket/socket-evidence";
import { MachineFiles } from "#agent/vantage/machine-files";
import type { MachineSight } from "#agent/vantage/machine-sight";

/** Whether this machine's own link and gateway work, and what it can say of a failure. */
export function placeFindings(
  { probing }: Pick<Config, "probing">,
  sight: MachineSight = new MachineFiles().look(0),
): readonly Finding[] {
  return [
    linkFinding(sight),
    ...gatewayFindings(sight),
    evidenceFinding(probing, sight),
    ...directFinding(probing),
  ];
}

/** Only an interface that a route leads out of is looked at: machines have others that are never used. */
function linkFinding({ interfaces, routes }: MachineSight): Finding {
  const about = "link";
  const routed = new Set(routes.map(({ device }) => device));
  const used = interfaces.filter(({ name }) => routed.has(name));
  const down = used.filter(({ link }) => link === "no carrier" || link === "switched off");
  if (used.length === 0)
    return warning(
      about,
      "no interface has a route: only this machine itself can be checked",
      "run ip address and ip route",
    );
  if (down.length === 0) return fine(about, `${used.map(({ name }) => name).join(", ")} up`);
  const says = down.map(({ name, link }) => `${name}: ${link}`).join(", ");
  const next = "check the cable and the switch, and run ip link";
  return down.length === used.length ? failed(about, says, next) : warning(about, says, next);
}

function gatewayFindings({ routes, silentGateways }: MachineSight): readonly Finding[] {
  const about = "gateway";
  const gateways = [
    ...new Set(
      routes.flatMap(({ gateway, block }) =>
        gateway === null || block.prefix > 0 ? [] : [gateway],
      ),
    ),
  ];
  return gateways.map((gateway) =>
    silentGateways.includes(gateway)
      ? failed(
          about,
          `${gateway} does not answer on this network`,
          "check that it is on and has that address; slots of targets behind it are missed until then",
        )
      : fine(about, `${gateway} is not known to be silent`),
  );
}

function evidenceFinding(
  { evidence }: Config["probing"],
  { interfaces, routes, throttledShare, pressureShare }: MachineSight,
): Finding {
  const about = "evidence";
  if (evidence === "off")
    return fine(about, "off by PICKET_EVIDENCE: each failure is its target's");
  const missing = [
    ...(openSocketEvidence().available
      ? []
      : [
          "who refused a connection, or whether a gateway that the kernel still believes in is dead (needs node:ffi)",
        ]),
    ...(interfaces.length > 0 ? [] : ["links (needs /sys/class/net)"]),
    ...(routes.length > 0 ? [] : ["routes and gateways (needs /proc/self/net)"]),
  ];
  const load = throttledShare === null && pressureShare === null ? "" : ", and its load";
  const packets = evidence === "full" ? ", and the ways to targets" : "";
  if (missing.length === 0)
    return fine(
      about,
      `${evidence}: this machine can say who refused, its links, routes and gateways, the first two routers${packets}${load}`,
    );
  return warning(
    about,
    `this machine cannot say ${missing.join(", ")}`,
    "give the agent what the sentence names; until then such failures count as their targets'",
  );
}

/** What PICKET_EVIDENCE_DIRECT comes to with the other settings. */
function directFinding({
  evidence,
  evidenceDirect,
  proxying,
}: Config["probing"]): readonly Finding[] {
  const about = "evidence without the proxy";
  if (!evidenceDirect) return [];
  const noEffect = (why: string, next: string): readonly Finding[] => [
    warning(about, `PICKET_EVIDENCE_DIRECT has no effect: ${why}`, next),
  ];
  if (evidence === "off")
    return noEffect("PICKET_EVIDENCE is off", "set that to local or full, or leave this one out");
  if (proxying.proxy === null)
    return noEffect("no check has a proxy", "set PICKET_TARGET_PROXY, or leave this one out");
  return [fine(about, "a target whose check fails at the proxy is dialled once without it")];
}
