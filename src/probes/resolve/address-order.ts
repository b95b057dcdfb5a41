import type { Clock } from "#base/clock";
import { failure } from "#check/failure";
import * as limits from "#limits/probes-limits";
import { ipv6Reach } from "#probes/socket/ipv6-reach";
import type { IpFamily, Resolution } from "#probes/resolve/resolving";
import { type Nanos, nanos, nanosToMillis } from "#base/units";

type DialOrder = (addresses: readonly string[], family: IpFamily, host: string) => Resolution;

/**
 * The addresses of the wanted family in the order in which to dial them: alternating (RFC 8305 §4), IPv6 first where
 * this machine has an IPv6 address to reach it from.
 */
export function dialOrder(clock: Clock): DialOrder {
  const prefersIpv6 = globalIpv6(clock);
  return (addresses, family, host) => inDialOrder(addresses, family, host, prefersIpv6);
}

function inDialOrder(
  addresses: readonly string[],
  family: IpFamily,
  host: string,
  prefersIpv6: () => boolean,
): Resolution {
  const v6 = addresses.filter((address) => address.includes(":") && family !== "4");
  const v4 = addresses.filter((address) => !address.includes(":") && family !== "6");
  const mixed =
    v6.length === 0 || v4.length === 0
      ? [...v6, ...v4]
      : alternating(...(prefersIpv6() ? ([v6, v4] as const) : ([v4, v6] as const)));
  if (mixed.length > 0) return { ok: true, addresses: mixed.slice(0, limits.addressesMax) };
  const kind = family === "any" ? "" : `IPv${family} `;
  return {
    ok: false,
    failure: failure("dns_nodata", "dns", `name has no ${kind}address: ${host}`),
  };
}

const alternating = (first: readonly string[], second: readonly string[]): readonly string[] =>
  Array.from({ length: Math.max(first.length, second.length) }, (_, index) =>
    [first[index], second[index]].filter((address) => address !== undefined),
  ).flat();

/** Asked for with every name that has both families, looked at every few seconds: the kernel takes its time to tell. */
function globalIpv6(clock: Clock): () => boolean {
  let has = false;
  let lookedAt: Nanos | null = null;
  return () => {
    const now = clock.monotonic();
    if (lookedAt !== null && nanosToMillis(nanos(now - lookedAt)) < limits.systemFileLookEvery)
      return has;
    lookedAt = now;
    has = ipv6Reach() === "global";
    return has;
  };
}
