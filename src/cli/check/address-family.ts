import { isIP } from "node:net";
import { hostPortOf } from "#network/host-port";
import { UsageError } from "#cli/edge/usage-error";
import type { Target } from "#check/monitor";

/** The options that ask for one family. */
interface FamilyOptions {
  readonly ipv4: boolean;
  readonly ipv6: boolean;
}

/**
 * Throws a UsageError where a target is written as an address of the family that was not asked for: an address is
 * dialled as it is, so the check would answer another question.
 */
export function refuseOtherFamily(target: Target, { ipv4, ipv6 }: FamilyOptions): void {
  const host = dialledHost(target);
  const family = isIP(host);
  if (ipv6 && family === 4) throw otherFamily("-6", "IPv6", host, "IPv4");
  if (ipv4 && family === 6) throw otherFamily("-4", "IPv4", host, "IPv6");
}

const otherFamily = (option: string, wanted: string, host: string, is: string): UsageError =>
  new UsageError(
    `${option} checks over ${wanted} only, and ${host} is an ${is} address: leave ${option} out, or give a host name`,
  );

/** What a check connects to as it was written; empty for the system's name servers. */
function dialledHost(target: Target): string {
  switch (target.kind) {
    case "http":
      return hostPortOf(new URL(target.url)).host;
    case "tcp":
      return target.host;
    case "dns":
      return target.server?.host ?? "";
  }
}
