import type { Packet } from "./pcap.ts";

/** What the wire did for one check: instants in nanoseconds from the capture's origin; null did not happen. */
export interface WireExchange {
  readonly server: string;
  /** The SYN, or the first query. */
  readonly started: number;
  readonly connected: number | null;
  /** The client's last message of the TLS handshake left. */
  readonly secured: number | null;
  readonly sent: number | null;
  readonly firstByte: number | null;
  readonly lastByte: number | null;
  /** From what came last, or left last, to each of our messages up to the request: it was us who were waited for. */
  readonly ours: readonly Span[];
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Requests and responses of these runs are padded past this, so that the records of TLS's and HTTP/2's own talk are told from them. */
export const recordBytesMin = 400;

/** The TCP connections to a port, in the order of their SYNs. Trailers are short records that end a response of gRPC. */
export function tcpExchanges(
  packets: readonly Packet[],
  port: number,
  secure: boolean,
  hasTrailers = false,
): readonly WireExchange[] {
  const flows: Packet[][] = [];
  const open = new Map<string, Packet[]>();
  for (const packet of packets) {
    if (packet.protocol !== "tcp") continue;
    const outgoing = packet.toPort === port;
    if (!outgoing && packet.fromPort !== port) continue;
    const client = outgoing ? packet.fromPort : packet.toPort;
    const key = `${client} ${outgoing ? packet.to : packet.from}`;
    // A client port that is used again begins another connection.
    if (outgoing && packet.syn && !packet.ack) flows.push(flowIn(open, key));
    open.get(key)?.push(packet);
  }
  return flows.map((flow) => exchangeOf(flow, port, secure, hasTrailers));
}

function flowIn(open: Map<string, Packet[]>, key: string): Packet[] {
  const flow: Packet[] = [];
  open.set(key, flow);
  return flow;
}

function exchangeOf(
  flow: readonly Packet[],
  port: number,
  secure: boolean,
  hasTrailers: boolean,
): WireExchange {
  const [first] = flow;
  if (first === undefined) throw new RangeError("a flow has at least its SYN");
  const outgoing = flow.filter(({ toPort }) => toPort === port);
  const incoming = flow.filter(({ fromPort }) => fromPort === port);
  const connected = incoming.find(({ syn, ack }) => syn && ack)?.at ?? null;
  const began = { server: first.to, started: first.at, connected };
  const base = { ...began, ours: turnsOf(flow, port, null) };
  const [sentPackets, gotPackets] = [carrying(outgoing), carrying(incoming)];
  if (secure) {
    const instants = tlsInstants(sentPackets, gotPackets, hasTrailers);
    return { ...began, ...instants, ours: turnsOf(flow, port, instants.secured) };
  }
  const firstByte = gotPackets[0]?.at ?? null;
  return {
    ...base,
    secured: null,
    sent: sentPackets.findLast(({ at }) => firstByte === null || at < firstByte)?.at ?? null,
    firstByte,
    lastByte: gotPackets.at(-1)?.at ?? null,
  };
}

/** What brought something new: a segment whose acknowledgement is late is sent again. */
function carrying(packets: readonly Packet[]): readonly Packet[] {
  const seen = new Set<number>();
  return packets.filter(({ payload, sequence }) => {
    if (payload.length === 0 || seen.has(sequence)) return false;
    seen.add(sequence);
    return true;
  });
}

/**
 * Only what carries something is anybody's turn: an acknowledgement is the kernel's. What the peer sends after the
 * handshake, such as tickets, leaves the turn with us.
 */
function turnsOf(flow: readonly Packet[], port: number, secured: number | null): readonly Span[] {
  const speaking = flow.filter(
    ({ payload, syn, ack, toPort, at }) =>
      (payload.length > 0 && (toPort === port || secured === null || at < secured)) || (syn && ack),
  );
  return speaking.flatMap((packet, index) => {
    const before = speaking[index - 1];
    return packet.toPort === port && before !== undefined
      ? [{ from: before.at, to: packet.at }]
      : [];
  });
}

const applicationData = 23;
/** TLS 1.3 hides what a record holds, and not how long it is: this is an alert, e.g. that the peer closes. */
const alertBytes = 19;

/** TLS 1.3: the client's first encrypted record ends its handshake; the padded ones are request and response. */
function tlsInstants(
  sent: readonly Packet[],
  got: readonly Packet[],
  hasTrailers: boolean,
): Pick<WireExchange, "secured" | "sent" | "firstByte" | "lastByte"> {
  const ours = records(sent).filter(({ type }) => type === applicationData);
  const [finished] = ours;
  const request = ours.find(({ length }) => length >= recordBytesMin);
  const answers = records(got).filter(
    ({ type, beganAt }) =>
      type === applicationData && request !== undefined && beganAt > request.endedAt,
  );
  const response = answers.filter(({ length }) => length >= recordBytesMin);
  const firstByte = response[0]?.beganAt ?? null;
  const trailers = answers.findLast(({ length }) => hasTrailers && length > alertBytes);
  return {
    secured: finished?.endedAt ?? null,
    sent: request?.endedAt ?? null,
    firstByte,
    lastByte: (trailers ?? response.at(-1))?.endedAt ?? null,
  };
}

interface TlsRecord {
  readonly type: number;
  readonly length: number;
  /** When its first and its last byte passed. */
  readonly beganAt: number;
  readonly endedAt: number;
}

function records(packets: readonly Packet[]): readonly TlsRecord[] {
  const ordered = packets.toSorted((a, b) => (a.sequence - b.sequence) | 0);
  const stream = Buffer.concat(ordered.map(({ payload }) => payload));
  const ends: { readonly end: number; readonly at: number }[] = [];
  for (const { payload, at } of ordered)
    ends.push({ end: (ends.at(-1)?.end ?? 0) + payload.length, at });
  const passedAt = (offset: number): number => ends.find(({ end }) => offset < end)?.at ?? 0;
  const found: TlsRecord[] = [];
  for (let at = 0; at + 5 <= stream.length;) {
    const length = stream.readUInt16BE(at + 3);
    const last = Math.min(at + 5 + length, stream.length) - 1;
    found.push({
      type: stream.readUInt8(at),
      length,
      beganAt: passedAt(at),
      endedAt: passedAt(last),
    });
    at += 5 + length;
  }
  return found;
}

/** The queries over UDP to a port with their answers, in the order in which they left. */
export function udpExchanges(packets: readonly Packet[], port: number): readonly WireExchange[] {
  const waiting = new Map<string, Packet>();
  const exchanges: WireExchange[] = [];
  for (const packet of packets) {
    if (packet.protocol !== "udp") continue;
    const id = packet.payload.readUInt16BE(0);
    if (packet.toPort === port) waiting.set(`${packet.fromPort} ${packet.to} ${id}`, packet);
    const query = waiting.get(`${packet.toPort} ${packet.from} ${id}`);
    if (packet.fromPort !== port || query === undefined) continue;
    waiting.delete(`${packet.toPort} ${packet.from} ${id}`);
    exchanges.push({
      server: query.to,
      started: query.at,
      connected: null,
      secured: null,
      sent: query.at,
      firstByte: packet.at,
      lastByte: packet.at,
      ours: [],
    });
  }
  return exchanges.toSorted((a, b) => a.started - b.started);
}

/** The echo requests of ICMP with their replies, in the order in which they left. */
export function echoExchanges(packets: readonly Packet[]): readonly WireExchange[] {
  const waiting = new Map<string, Packet>();
  const exchanges: WireExchange[] = [];
  for (const packet of packets) {
    if (packet.protocol !== "icmp") continue;
    const type = packet.payload.readUInt8(0);
    const id = packet.payload.readUInt32BE(4);
    if (type === echoRequest) waiting.set(`${packet.to} ${id}`, packet);
    const request = waiting.get(`${packet.from} ${id}`);
    if (type !== echoReply || request === undefined) continue;
    waiting.delete(`${packet.from} ${id}`);
    exchanges.push({
      server: request.to,
      started: request.at,
      connected: packet.at,
      secured: null,
      sent: null,
      firstByte: null,
      lastByte: null,
      ours: [],
    });
  }
  return exchanges.toSorted((a, b) => a.started - b.started);
}

const [echoRequest, echoReply] = [8, 0];
