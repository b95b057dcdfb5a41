import { UsageError } from "#cli/edge/usage-error";
import type { Environment } from "#config/environment";
import { type Block, parseBlock } from "#network/address-block";

/** The reverse proxies before the service, by their addresses. Throws a usage error if one is not an address. */
export function trustedProxiesIn(env: Environment): readonly Block[] {
  const given = (env["PICKET_SERVICE_TRUSTED_PROXIES"] ?? "").split(/[\s,]+/);
  return given
    .filter((text) => text !== "")
    .map((text) => {
      const block = parseBlock(text);
      if (block !== null) return block;
      throw new UsageError(
        "PICKET_SERVICE_TRUSTED_PROXIES must be addresses or CIDR blocks, e.g. 10.0.0.0/8, 192.0.2.7",
      );
    });
}

/** What is wrong if a proxy speaks TLS before the service and is not named; null if all is well. */
export const unnamedProxy = (
  publicUrl: string | null,
  speaksTls: boolean,
  trustedProxies: readonly Block[],
): string | null =>
  publicUrl?.startsWith("https:") === true && !speaksTls && trustedProxies.length === 0
    ? "people come to PICKET_SERVICE_PUBLIC_URL by https, so through a proxy, and PICKET_SERVICE_TRUSTED_PROXIES names none: all of them have the proxy's address, for tries to sign in and for status pages that are restricted to networks"
    : null;
