import { closeSync, openSync, readSync } from "node:fs";
import { networkInterfaces } from "node:os";
import * as limits from "#limits/probes-limits";

/** How far the IPv6 addresses of this machine reach; "none" where it has not even loopback's. */
type Ipv6Reach = "none" | "local" | "global";

/**
 * Reads it from Linux's own list, for the runtime asks by a netlink socket, which a sandbox such as systemd's
 * RestrictAddressFamilies= forbids. Elsewhere the runtime is asked; if neither says anything, there is none.
 */
export function ipv6Reach(file: string = "/proc/self/net/if_inet6"): Ipv6Reach {
  const list = readList(file);
  if (list === null) return reachBySystem();
  const lines = list.split("\n").filter((line) => line !== "");
  if (lines.length === 0) return "none";
  return lines.some((line) => globalAddress.test(line)) ? "global" : "local";
}

/** Address, interface, prefix, scope (00 is global, 10 the host's, 20 the link's), flags, and the interface's name. */
const globalAddress = /^[\da-f]{32} [\da-f]+ [\da-f]+ 00 [\da-f]+ +(?! |lo$)/;

/** Null if there is no such list. Without IPv6 in the kernel Linux has none either, and the runtime then says so. */
function readList(file: string): string | null {
  try {
    const opened = openSync(file, "r");
    try {
      const room = Buffer.allocUnsafe(limits.interfaceListBytesMax);
      let filled = 0;
      for (let read = -1; read !== 0 && filled < room.length; filled += read)
        read = readSync(opened, room, filled, room.length - filled, null);
      return room.toString("latin1", 0, filled);
    } finally {
      closeSync(opened);
    }
  } catch {
    return null;
  }
}

function reachBySystem(): Ipv6Reach {
  try {
    const found = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ family }) => family === "IPv6");
    if (found.length === 0) return "none";
    return found.some(({ internal, address }) => !internal && !/^fe80:/i.test(address))
      ? "global"
      : "local";
  } catch {
    return "none";
  }
}
