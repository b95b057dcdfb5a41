import type { Sockets } from "#probes/socket/sockets";
import { connectRaw, type RawTools } from "#probes/raw/raw-connect";
import { rawEchoes } from "#probes/raw/raw-echoes";
import { rawDatagrams } from "#probes/raw/raw-datagrams";

/**
 * Sockets of our own, whose packets the kernel stamps. An address with a zone, e.g. fe80::1%eth0, is `others`' to dial:
 * the kernel wants the number of its interface, which only the runtime looks up.
 */
export const rawSockets = (tools: RawTools, others: Sockets): Sockets => ({
  connect: (address, port, listener) =>
    address.includes("%")
      ? others.connect(address, port, listener)
      : connectRaw(address, port, listener, tools),
  datagrams: (address, port, listener) =>
    address.includes("%")
      ? others.datagrams(address, port, listener)
      : rawDatagrams(address, port, listener, tools),
  echoes: (address, listener) => rawEchoes(address, listener, tools),
});
