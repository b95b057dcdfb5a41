import { isMapped, lowestFour, writtenAddress } from "#network/address-block";

/**
 * Whose address it is, for whoever counts what a client does: a client with IPv6 has 2⁶⁴ addresses, which are one, and
 * an IPv4 address is the same one when it comes as a mapped one.
 */
export function clientNetwork(address: string): string {
  const written = writtenAddress(address);
  if (written === null) return address;
  if (isMapped(written)) return `${lowestFour(written).value}`;
  return written.width === 32 ? `${written.value}` : `${written.value >> 64n}/64`;
}
