import dgram from "node:dgram";
import { once } from "node:events";
import net from "node:net";
import packet from "dns-packet";

/** What a name server does with one query: the messages that it sends back, none to keep silent. */
export type DnsScript = (query: packet.DecodedPacket, over: "udp" | "tcp") => readonly Buffer[];

export interface DnsServer extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  /** Queries heard so far, as `udp A name`. */
  readonly heard: readonly string[];
}

/** How a server puts a message on a connection. */
export type Delivery = (socket: net.Socket, message: Buffer) => void;

const framed = (message: Buffer): Buffer =>
  Buffer.concat([Buffer.from([message.length >> 8, message.length & 0xff]), message]);

/** Deliveries over TCP, by name. */
export const deliveries: Readonly<
  Record<
    | "inOne"
    | "byteByByte"
    | "withMoreBehind"
    | "halfThenClose"
    | "halfThenSilence"
    | "dripWithoutEnd"
    | "emptyFrame"
    | "shortFrame"
    | "closeAtOnce"
    | "reset",
    Delivery
  >
> = {
  inOne: (socket, message) => socket.write(framed(message)),
  byteByByte: (socket, message) => drip(socket, [...framed(message)]),
  withMoreBehind: (socket, message) =>
    socket.write(Buffer.concat([framed(message), framed(Buffer.from("and another one"))])),
  halfThenClose: (socket, message) => socket.end(framed(message).subarray(0, 20)),
  halfThenSilence: (socket, message) => socket.write(framed(message).subarray(0, 20)),
  /** Announces the largest message, and keeps the connection busy with the beginning of it. */
  dripWithoutEnd: (socket, message) => {
    socket.write(Buffer.concat([Buffer.of(0xff, 0xff), message]));
    const dripping = setInterval(() => socket.write(Buffer.of(0)), 5);
    socket.on("close", () => clearInterval(dripping));
  },
  emptyFrame: (socket) => socket.write(Buffer.of(0, 0)),
  /** Announces less than it sends. */
  shortFrame: (socket, message) => socket.write(Buffer.concat([Buffer.of(0, 20), message])),
  closeAtOnce: (socket) => socket.end(),
  reset: (socket) => socket.resetAndDestroy(),
};

/** Each byte in a segment of its own: the next one is written when the last one has left. */
function drip(socket: net.Socket, [first, ...rest]: readonly number[]): void {
  if (first === undefined) return;
  socket.setNoDelay(true);
  socket.write(Buffer.of(first), () => drip(socket, rest));
}

/** A name server on the loopback that answers UDP, and TCP unless told otherwise, by a script. */
export async function dnsServer(
  script: DnsScript,
  {
    host = "127.0.0.1",
    tcp = true,
    deliver = deliveries.byteByByte,
  }: { host?: string; tcp?: boolean; deliver?: Delivery } = {},
): Promise<DnsServer> {
  const heard: string[] = [];
  const answer = (bytes: Buffer, over: "udp" | "tcp"): readonly Buffer[] => {
    const query = packet.decode(bytes);
    const [question] = query.questions ?? [];
    heard.push(`${over} ${question?.type} ${question?.name}`);
    return script(query, over);
  };
  const open = new Set<net.Socket>();
  const stream = net.createServer((socket) => {
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
    socket.on("data", (bytes: Buffer) => {
      for (const message of answer(bytes.subarray(2), "tcp")) deliver(socket, message);
    });
  });
  const udp = await onOnePort(stream, host);
  const { port } = udp.address();
  udp.on("message", (bytes, peer) => {
    for (const message of answer(bytes, "udp")) udp.send(message, peer.port, peer.address);
  });
  if (!tcp) await closed(stream);
  return {
    host,
    port,
    heard,
    [Symbol.asyncDispose]: async () => {
      udp.close();
      for (const socket of open) socket.destroy();
      if (tcp) await closed(stream);
    },
  };
}

/** Has both listen on one port, which the system chose; if that is taken for the other, on another one. */
async function onOnePort(stream: net.Server, host: string): Promise<dgram.Socket> {
  for (;;) {
    const udp = dgram.createSocket(host.includes(":") ? "udp6" : "udp4");
    udp.bind(0, host);
    await once(udp, "listening");
    stream.listen(udp.address().port, host);
    const isFree = await once(stream, "listening").then(
      () => true,
      () => false,
    );
    if (isFree) return udp;
    udp.close();
  }
}

async function closed(stream: net.Server): Promise<void> {
  stream.close();
  await once(stream, "close");
}

interface Reply {
  readonly rcode?: number;
  readonly answers?: readonly packet.Answer[];
  readonly authorities?: readonly packet.Answer[];
  readonly truncated?: boolean;
  readonly id?: number;
  readonly questions?: readonly packet.Question[];
}

/** The bytes of a well-formed answer to a query. */
export function reply(
  query: packet.DecodedPacket,
  { rcode = 0, answers = [], authorities = [], truncated = false, id, questions }: Reply = {},
): Buffer {
  return packet.encode({
    type: "response",
    id: id ?? query.id ?? 0,
    flags:
      packet.RECURSION_DESIRED |
      packet.RECURSION_AVAILABLE |
      (truncated ? packet.TRUNCATED_RESPONSE : 0) |
      rcode,
    questions: [...(questions ?? query.questions ?? [])],
    answers: [...answers],
    authorities: [...authorities],
  });
}

/** Answers each type of question with the records of a table; NOERROR without records if it has none. */
export const zone =
  (records: readonly packet.Answer[]): DnsScript =>
  (query) => {
    const [question] = query.questions ?? [];
    const name = question?.name.toLowerCase();
    const direct = records.filter(
      (one) => one.name === name && (one.type === question?.type || one.type === "CNAME"),
    );
    const chained = direct.flatMap((one) =>
      one.type === "CNAME" ? records.filter((other) => other.name === one.data) : [],
    );
    return [reply(query, { answers: [...direct, ...chained] })];
  };

export type Misbehaviour =
  | "silent"
  | "nxdomain"
  | "servfail"
  | "refused"
  | "notauth"
  | "nodata"
  | "referral"
  | "wrongId"
  | "wrongQuestion"
  | "notAnAnswer"
  | "garbage"
  | "shorterThanHeader"
  | "truncatedEverywhere"
  | "lyingCount"
  | "lyingLength"
  | "compressionLoop"
  | "shortAddress"
  | "manyRecords"
  | "cnameLoop"
  | "danglingCname"
  | "formerrOnEdns";

const manyAddresses = Array.from({ length: 60 }, (_, n): packet.Answer => ({
  type: "A",
  name: "a.test",
  data: `198.18.0.${n + 1}`,
}));

/** Peers that misbehave, by name. */
export const misbehaviours: Readonly<Record<Misbehaviour, DnsScript>> = {
  silent: () => [],
  nxdomain: (query) => [reply(query, { rcode: 3 })],
  servfail: (query) => [reply(query, { rcode: 2 })],
  refused: (query) => [reply(query, { rcode: 5 })],
  notauth: (query) => [reply(query, { rcode: 9 })],
  nodata: (query) => [reply(query)],
  referral: (query) => [
    reply(query, { authorities: [{ type: "NS", name: "test", data: "ns.elsewhere.test" }] }),
  ],
  wrongId: (query) => [reply(query, { id: ((query.id ?? 0) + 1) & 0xffff })],
  wrongQuestion: (query) => [reply(query, { questions: [{ type: "A", name: "other.test" }] })],
  notAnAnswer: (query) => [
    packet.encode({ type: "query", id: query.id ?? 0, questions: query.questions ?? [] }),
  ],
  garbage: () => [Buffer.from("garbage")],
  shorterThanHeader: (query) => [reply(query).subarray(0, 7)],
  truncatedEverywhere: (query) => [reply(query, { truncated: true })],
  lyingCount: (query) => {
    const bytes = reply(query);
    bytes.writeUInt16BE(500, 6);
    return [bytes];
  },
  lyingLength: (query) => {
    const bytes = reply(query, { answers: [{ type: "TXT", name: "a.test", data: "text" }] });
    bytes.writeUInt16BE(60_000, bytes.length - 7);
    return [bytes];
  },
  compressionLoop: (query) => {
    const bytes = reply(query, { answers: [{ type: "A", name: "a", data: "10.0.0.1" }] });
    // The answer's name, which follows the question, becomes a pointer to itself.
    const at = reply(query).length;
    bytes.writeUInt16BE(0xc000 | at, at);
    return [bytes];
  },
  cnameLoop: (query) => [
    reply(query, {
      answers: [
        { type: "CNAME", name: "a.test", data: "b.test" },
        { type: "CNAME", name: "b.test", data: "a.test" },
      ],
    }),
  ],
  /** An A record of two bytes. */
  shortAddress: (query) => {
    const bytes = reply(query, { answers: [{ type: "A", name: "a.test", data: "10.0.0.1" }] });
    bytes.writeUInt16BE(2, bytes.length - 6);
    return [bytes.subarray(0, -2)];
  },
  /** 60 addresses, which do not fit 512 bytes but do fit what EDNS announces. */
  manyRecords: (query) => [reply(query, { answers: manyAddresses })],
  danglingCname: (query) => [
    reply(query, { answers: [{ type: "CNAME", name: "a.test", data: "nowhere.test" }] }),
  ],
  formerrOnEdns: (query) =>
    (query.additionals ?? []).length > 0
      ? [reply(query, { rcode: 1, questions: [] })]
      : [reply(query, { answers: [{ type: "A", name: "a.test", data: "10.0.0.1" }] })],
};
