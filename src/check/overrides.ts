import * as limits from "#limits/check-limits";

/** What a person at a terminal changes for one check. No monitor and no setting of an agent can. */
export interface Overrides {
  readonly redirectsMax: number;
  /** Whether a target's certificate that would be refused is accepted; what is wrong with it is still reported. */
  readonly acceptsAnyCertificate: boolean;
  /** Hosts whose names are not looked up. */
  readonly fixedAddresses: readonly FixedAddress[];
}

export interface FixedAddress {
  /** In lower case, without the dot that ends an absolute name. */
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly string[];
}

export const noOverrides: Overrides = {
  redirectsMax: limits.redirectsMax,
  acceptsAnyCertificate: false,
  fixedAddresses: [],
};

/** Where a host is said to be at a port; null if a resolver is to be asked. */
export function fixedAddressesOf(
  { host, port }: { readonly host: string; readonly port: number },
  { fixedAddresses }: Overrides,
): readonly string[] | null {
  const name = host.toLowerCase().replace(/\.$/, "");
  const fixed = fixedAddresses.find((one) => one.host === name && one.port === port);
  return fixed?.addresses ?? null;
}
