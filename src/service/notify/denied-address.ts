import { dialledAddress, neverDialled } from "#network/dialled-address";
import { hostPortOf } from "#network/host-port";

/** What these addresses are, if no message is ever sent to some of them; null if nothing speaks against them. */
export function deniedWords(addresses: readonly string[]): string | null {
  const known = addresses.flatMap((address) => dialledAddress(address) ?? []);
  const never = known.flatMap((address) => neverDialled(address) ?? []);
  if (never.length === 0) return null;
  return never.length === 1
    ? "an address that is link-local or hands out credentials"
    : "addresses that are link-local or hand out credentials";
}

/** The same of a URL whose host is an address; of a name it is known when it is looked up. */
export const deniedHost = (url: URL): string | null => deniedWords([hostPortOf(url).host]);
