import { isIP } from "node:net";
import { hostname } from "node:os";
import type { ListenAddress } from "#network/listen-address";

/** Whether a request may call us by the host that its Host header has. */
export type AnsweredHost = (header: string) => boolean;

/**
 * A page of somewhere else can have its name resolved to this machine, and so read what we say (DNS rebinding); its
 * name stays its own. So we answer to addresses, to localhost, to the names of this machine and to those that were
 * set. The port may be that of a tunnel. Only a browser rebinds, and each sends the header.
 */
export function answeredHost(listen: ListenAddress, listenHosts: readonly string[]): AnsweredHost {
  const own = hostname().toLowerCase();
  const names = new Set(["localhost", own, own.split(".")[0], listen.host.toLowerCase()]);
  for (const name of listenHosts) names.add(name);
  return (header) => {
    const host = header.replace(/:\d{1,5}$/, "").replace(/^\[(.*)\]$/, "$1");
    return header === "" || isIP(host) !== 0 || names.has(withoutDot(host.toLowerCase()));
  };
}

/** A name with the dot that ends it is the same name. */
const withoutDot = (name: string): string => name.replace(/\.$/, "");
