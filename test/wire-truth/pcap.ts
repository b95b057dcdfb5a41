/** One TCP segment, UDP datagram or ICMP message as it passed the interface; ICMP has no ports, and is all payload. */
export interface Packet {
  /** Nanoseconds of the kernel's clock since the second in which the capture began. */
  readonly at: number;
  readonly protocol: "tcp" | "udp" | "icmp";
  readonly from: string;
  readonly fromPort: number;
  readonly to: string;
  readonly toPort: number;
  readonly syn: boolean;
  readonly ack: boolean;
  readonly sequence: number;
  readonly payload: Buffer;
}

export interface Capture {
  /** The second in which it began, of the epoch. */
  readonly origin: number;
  readonly packets: readonly Packet[];
}

const nanosecondMagic = 0xa1b23c4d;
const ethernetLink = 1;
const rawIpLink = 101;

/** Reads what tcpdump wrote with nanosecond stamps. Throws when it is another format. */
export function readCapture(bytes: Buffer): Capture {
  if (bytes.readUInt32LE(0) !== nanosecondMagic) throw new Error("no capture in nanoseconds");
  const link = bytes.readUInt32LE(20) & 0xffff;
  const frameHeader = link === ethernetLink ? 14 : link === rawIpLink ? 0 : null;
  if (frameHeader === null) throw new Error(`a capture of link type ${link}`);
  const origin = bytes.length < 28 ? 0 : bytes.readUInt32LE(24);
  const packets: Packet[] = [];
  for (let at = 24; at + 16 <= bytes.length;) {
    const length = bytes.readUInt32LE(at + 8);
    const stamp = (bytes.readUInt32LE(at) - origin) * 1e9 + bytes.readUInt32LE(at + 4);
    const packet = packetOf(bytes.subarray(at + 16 + frameHeader, at + 16 + length), stamp);
    if (packet !== null) packets.push(packet);
    at += 16 + length;
  }
  return { origin, packets };
}

/** Null for what is none of the three over IPv4. */
function packetOf(ip: Buffer, at: number): Packet | null {
  if (ip.length < 20 || ip.readUInt8(0) >> 4 !== 4) return null;
  const inner = ip.subarray((ip.readUInt8(0) & 0x0f) * 4, ip.readUInt16BE(2));
  const address = {
    at,
    from: ip.subarray(12, 16).join("."),
    to: ip.subarray(16, 20).join("."),
  };
  if (ip.readUInt8(9) === 17)
    return {
      ...address,
      protocol: "udp",
      fromPort: inner.readUInt16BE(0),
      toPort: inner.readUInt16BE(2),
      syn: false,
      ack: false,
      sequence: 0,
      payload: inner.subarray(8),
    };
  if (ip.readUInt8(9) === 1)
    return {
      ...address,
      protocol: "icmp",
      fromPort: 0,
      toPort: 0,
      syn: false,
      ack: false,
      sequence: 0,
      payload: inner,
    };
  if (ip.readUInt8(9) !== 6) return null;
  const flags = inner.readUInt8(13);
  return {
    ...address,
    protocol: "tcp",
    fromPort: inner.readUInt16BE(0),
    toPort: inner.readUInt16BE(2),
    syn: (flags & 0x02) !== 0,
    ack: (flags & 0x10) !== 0,
    sequence: inner.readUInt32BE(4),
    payload: inner.subarray((inner.readUInt8(12) >> 4) * 4),
  };
}
