import { isIP } from "node:net";

/** Where passkeys are made and used: browsers sign both, and give a passkey to no other host. */
export interface PasskeySite {
  readonly origin: string;
  readonly host: string;
}

/** Null for an address at which browsers have no passkeys: they want a host's name, and https unless it is this machine. */
export function passkeySite(address: string): PasskeySite | null {
  const url = URL.parse(address);
  if (url === null) return null;
  const { hostname: host, origin, protocol } = url;
  if (isIP(host) !== 0 || host.startsWith("[")) return null;
  const isOwn = host === "localhost" || host.endsWith(".localhost");
  return protocol === "https:" || isOwn ? { origin, host } : null;
}
