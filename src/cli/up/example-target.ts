import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type Answer, decode, encode } from "dns-packet";
import type { Clock } from "#base/clock";
import {
  type DnsDefinition,
  dnsDefaults,
  type HttpDefinition,
  httpDefaults,
} from "#check/definition";
import { millis } from "#base/units";

/**
 * Something to watch on a machine without a network: an HTTP server on loopback whose answers are slow, fail and are
 * fine in turns, and a name server that knows one name. Each comes with the monitor that watches it.
 */
export interface ExampleTarget extends AsyncDisposable {
  readonly http: HttpDefinition;
  readonly dns: DnsDefinition;
}

/** Starts both on free ports of 127.0.0.1. */
export async function startExampleTarget(clock: Clock): Promise<ExampleTarget> {
  await using started = new AsyncDisposableStack();
  const web = started.use(await startTurns(clock));
  const names = started.use(await startNames());
  const running = started.move();
  return {
    http: {
      ...httpDefaults,
      ...often,
      name: "example: slow, failing and fine in turns",
      url: `http://127.0.0.1:${web.port}/`,
      degradedAt: slowness / 5,
    },
    dns: {
      ...dnsDefaults,
      ...often,
      name: "example: a name by DNS",
      uri: `dns://127.0.0.1:${names.port}/${exampleName}?type=A`,
      recordAssertions: [{ record: "A", target: exampleAddress, comparator: "eq" }],
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Monitors for looking on: a retry would hide each failing turn, and a person does not wait a minute for the second check. */
export const often = { periodicity: "10s", timeout: 5000, retry: 0, active: true } as const;

const exampleName = "picket.example";
/** RFC 5737 keeps this address for examples. */
const exampleAddress = "192.0.2.53";
/** Long enough to be certainly slow on a machine that is busy starting this, short enough to look on. */
const slowness = millis(1_000);

interface Listener extends AsyncDisposable {
  readonly port: number;
}

async function startTurns(clock: Clock): Promise<Listener> {
  let requests = 0;
  const closing = new AbortController();
  const server = createServer((_request, response) => {
    const turn = requests % 3;
    requests += 1;
    // The slow turn comes first and the failing one second, so that both are seen soon after the start.
    const pause = turn === 0 ? slowness : millis(0);
    void clock.sleep(pause, closing.signal).then(() => {
      response.writeHead(turn === 1 ? 503 : 200, { "content-type": "text/plain" });
      response.end(["slow\n", "failing\n", "fine\n"][turn]);
    });
  });
  server.maxConnections = 64;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: portOf(server),
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, "close");
    },
  };
}

async function startNames(): Promise<Listener> {
  const socket = createSocket("udp4");
  socket.on("message", (message, peer) => answer(socket, message, peer));
  // An answer that cannot be sent is an answer that was lost; who asked will ask again.
  socket.on("error", () => {});
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    port: socket.address().port,
    [Symbol.asyncDispose]: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function answer(socket: Socket, message: Buffer, peer: RemoteInfo): void {
  const reply = replyTo(message);
  if (reply !== null) socket.send(reply, peer.port, peer.address);
}

/** RFC 1035 §4.1.1: authoritative answer, and name error (3) for every other name. */
const authoritative = 0x0400;
const nameError = 3;

function replyTo(message: Buffer): Buffer | null {
  try {
    const query = decode(message);
    const [question] = query.questions ?? [];
    if (query.type !== "query" || question === undefined) return null;
    const known = question.name.toLowerCase() === exampleName;
    const answers: Answer[] =
      known && question.type === "A"
        ? [{ type: "A", name: question.name, ttl: 60, data: exampleAddress }]
        : [];
    const flags = known ? authoritative : authoritative | nameError;
    return encode({ type: "response", id: query.id ?? 0, flags, questions: [question], answers });
  } catch {
    // What cannot be read as a DNS message gets no answer, as from other name servers.
    return null;
  }
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new TypeError("not a TCP server");
  return address.port;
}
