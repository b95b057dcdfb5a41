import { isIP } from "node:net";
import { UsageError } from "#cli/edge/usage-error";
import { serverOf } from "#check/kinds/kind-table";
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
  const host = serverOf(target.kind, target)?.host ?? "";
  const family = isIP(host);
  if (ipv6 && family === 4) throw otherFamily("-6", "IPv6", host, "IPv4");
  if (ipv4 && family === 6) throw otherFamily("-4", "IPv4", host, "IPv6");
}

const otherFamily = (option: string, wanted: string, host: string, is: string): UsageError =>
  new UsageError(
    `${option} checks over ${wanted} only, and ${host} is an ${is} address: leave ${option} out, or give a host name`,
  );
