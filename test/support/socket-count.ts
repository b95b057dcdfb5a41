import { readdirSync, readlinkSync } from "node:fs";

/** How many sockets and sets of descriptors this process has open. */
export const socketCount = (): number =>
  readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return /^(socket|anon_inode:\[eventpoll)/.test(readlinkSync(`/proc/self/fd/${fd}`));
    } catch {
      return false;
    }
  }).length;
