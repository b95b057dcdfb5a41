import { ownFaults } from "#check/own-faults";
import { errorCode } from "#network/system-errors";
import { ipv6Reach } from "#probes/socket/ipv6-reach";

/**
 * The sentence for an error that is this machine's own want of ports, descriptors or memory, and what to do about it;
 * null for every other. None of them says anything of a target.
 */
export function ownWant(error: unknown): string | null {
  const code = errorCode(error);
  if (code === "EADDRNOTAVAIL" && lacksIpv6(error)) return null;
  return wants[code] ?? null;
}

const noPort = `${ownFaults.ports}: widen net.ipv4.ip_local_port_range, or check less often`;
const noDescriptor = `${ownFaults.descriptors}: raise LimitNOFILE= or ulimit -n, or lower PICKET_CONCURRENCY`;
const noMemory = `${ownFaults.memory}: raise the machine's or container's memory limit`;

const wants: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: noPort,
  // A socket that binds to any free port, as one of UDP does before it sends.
  EADDRINUSE: noPort,
  EAGAIN: noPort,
  EMFILE: noDescriptor,
  ENFILE: `${ownFaults["machine's descriptors"]}: raise fs.file-max`,
  ENOBUFS: noMemory,
  ENOMEM: noMemory,
};

/** Where this machine has no IPv6 at all, the kernel finds no address to connect from, whatever port is free. */
function lacksIpv6(error: unknown): boolean {
  const address: unknown = Error.isError(error) && "address" in error ? error.address : null;
  return typeof address === "string" && address.includes(":") && ipv6Reach() === "none";
}
