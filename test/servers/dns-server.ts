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

/** A name server on the loopback that answers UDP, and TCP unless told otherwise, by a script. */
export async function dnsServer(
  script: DnsScript,
  { host = "127.0.0.1", tcp = true }: { host?: string; tcp?: boolean } = {},
): Promise<DnsServer> {
  const heard: string[] = [];
  const answer = (bytes: Buffer, over: "udp" | "tcp"): readonly Buffer[] => {
    const query = packet.decode(bytes);
    const [question] = query.questions ?? [];
    heard.push(`${over} ${question?.type} ${question?.name}`);
    return script(query, over);
  };
  const udp = dgram.createSocket(host.includes(":") ? "udp6" : "udp4");
  udp.on("message", (bytes, peer) => {
    for (const message of answer(bytes, "udp")) udp.send(message, peer.port, peer.address);
  });
  udp.bind(0, host);
  await once(udp, "listening");
  const { port } = udp.address();
  const stream = net.createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (bytes: Buffer) => {
      for (const message of answer(bytes.subarray(2), "tcp")) {
        // In pieces, as a stream may deliver it.
        socket.write(Buffer.from([message.length >> 8]));
        socket.write(Buffer.concat([Buffer.from([message.length & 0xff]), message]));
      }
    });
  });
  if (tcp) {
    stream.listen(port, host);
    await once(stream, "listening");
  }
  return {
    host,
    port,
    heard,
    [Symbol.asyncDispose]: async () => {
      udp.close();
      if (!tcp) return;
      stream.close();
      await once(stream, "close");
    },
  };
}

interface Reply {
  readonly rcode?: number;
  readonly answers?: readonly packet.Answer[];
  readonly truncated?: boolean;
  readonly id?: number;
  readonly questions?: readonly packet.Question[];
}

/** The bytes of a well-formed answer to a query. */
export function reply(
  query: packet.DecodedPacket,
  { rcode = 0, answers = [], truncated = false, id, questions }: Reply = {},
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
  });
}

/** Answers each type of question with the records of a table; NOERROR without records where it has none. */
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
  | "wrongId"
  | "wrongQuestion"
  | "notAnAnswer"
  | "garbage"
  | "shorterThanHeader"
  | "truncatedEverywhere"
  | "lyingCount"
  | "lyingLength"
  | "compressionLoop"
  | "cnameLoop"
  | "formerrOnEdns";

/** Peers that misbehave, by name. */
export const misbehaviours: Readonly<Record<Misbehaviour, DnsScript>> = {
  silent: () => [],
  nxdomain: (query) => [reply(query, { rcode: 3 })],
  servfail: (query) => [reply(query, { rcode: 2 })],
  refused: (query) => [reply(query, { rcode: 5 })],
  notauth: (query) => [reply(query, { rcode: 9 })],
  nodata: (query) => [reply(query)],
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
  formerrOnEdns: (query) =>
    (query.additionals ?? []).length > 0
      ? [reply(query, { rcode: 1, questions: [] })]
      : [reply(query, { answers: [{ type: "A", name: "a.test", data: "10.0.0.1" }] })],
};
