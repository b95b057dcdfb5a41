import { isIP } from "node:net";
import { UsageError } from "#cli/edge/usage-error";
import { serverOf } from "#check/kinds/kind-table";
import type { Target } from "#check/monitor";
import * as limits from "#limits/probes-limits";
import { parseHostPort, showHostPort } from "#network/host-port";
import { proxyFor } from "#network/proxy";
import { type FixedAddress, fixedAddressesOf } from "#check/overrides";
import type { ProbeSettings } from "#probes/connection/probe";

/** One --resolve, as curl writes it: `shop.internal:443:10.0.0.7`. Throws a UsageError that says what is wrong. */
export function fixedAddressOf(text: string): FixedAddress {
  const [, hostPort = "", list = ""] = /^([^:]+:\d+):(.+)$/s.exec(text) ?? [];
  const where = parseHostPort(hostPort);
  const addresses = list.split(",").map((one) => one.trim().replace(/^\[(.*)\]$/, "$1"));
  if (!where.ok || addresses.some((one) => isIP(one) === 0))
    throw new UsageError(
      `--resolve must be HOST:PORT:ADDRESS, e.g. shop.internal:443:10.0.0.7, not "${text}"`,
    );
  if (addresses.length > limits.addressesMax)
    throw new UsageError(`--resolve takes at most ${limits.addressesMax} addresses of a host`);
  return { ...where.value, addresses };
}

/** What to warn of before the check. Throws a UsageError where a proxy would look the name up anyway. */
export function fixedAddressWarnings(
  targets: readonly Target[],
  { overrides, proxying }: Pick<ProbeSettings, "overrides" | "proxying">,
): readonly string[] {
  const endpoints = targets.flatMap(endpointOf);
  const proxied = endpoints.find(
    (one) => fixedAddressesOf(one, overrides) !== null && proxyFor(one, proxying) !== null,
  );
  if (proxied !== undefined)
    throw new UsageError(
      `--resolve has no effect through a proxy, which looks ${proxied.host} up itself: give --no-proxy ${proxied.host} as well, or leave --resolve out`,
    );
  const unused = overrides.fixedAddresses.filter(
    ({ host, port }) => !endpoints.some((one) => one.host === host && one.port === port),
  );
  return unused.map(
    ({ host, port }) =>
      `--resolve ${showHostPort(host, port)} matches no target, so it applies only to redirects`,
  );
}

interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Name servers are asked where their addresses say. */
function endpointOf(target: Target): readonly Endpoint[] {
  const server = target.kind === "dns" ? null : serverOf(target.kind, target);
  if (server === null || server.port === null) return [];
  return [{ host: server.host.replace(/\.$/, ""), port: server.port }];
}
