import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  constantFrom,
  nat,
  oneof,
  record,
  uint8Array,
} from "fast-check";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { probeHttp } from "#probes/http/http";
import { kibibytes, nanosToMillis } from "#base/units";
import { attempt, contextWith, httpTarget } from "../../support/probing.ts";
import { expectTimingContract } from "../../support/timing-contract.ts";
import { onRequestHead, type Script, tcpPeer } from "../../servers/scripted.ts";

/** Whatever bytes a server sends, in whatever pieces: an outcome that keeps the contract, and in time. */

const timeout = 150;
/** How late an attempt may be before it counts as hung; no measure of lateness on a machine that is busy. */
const hangsAfter = timeout + 20_000;

const valid: readonly string[] = [
  "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 11\r\n\r\nhello world",
  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;a=b\r\n world\r\n0\r\nX-Sum: 1\r\n\r\n",
  "HTTP/1.0 404 Not Found\r\nServer: old\r\n\r\nuntil the connection ends",
  "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
  "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b\x08\x00",
  "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
  "HTTP/1.1 503 Service Unavailable\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\nContent-Length: 0\r\n\r\n",
];

/** Bytes that mean something to a parser are tried more often than chance would. */
const telling = ["\r\n", "\r\n\r\n", "\0", ":", " ", "-1", "HTTP/1.1 100 Continue\r\n\r\n", "ffff"];
const piece = oneof(
  constantFrom(...telling).map((text) => Buffer.from(text, "latin1")),
  uint8Array({ minLength: 1, maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
);

const mutation = record({
  how: constantFrom("replace", "insert", "remove", "repeat"),
  at: nat(400),
  piece,
});

const behaviour = record({
  response: constantFrom(...valid),
  mutations: array(mutation, { maxLength: 4 }),
  length: oneof(
    { weight: 3, arbitrary: constantFrom(Infinity) },
    { weight: 1, arbitrary: nat(200) },
  ),
  cuts: array(nat(200), { maxLength: 4 }),
  // Every connection that is kept costs a timeout, and tells least.
  end: oneof(
    { weight: 4, arbitrary: constantFrom("close" as const) },
    { weight: 3, arbitrary: constantFrom("reset" as const) },
    { weight: 1, arbitrary: constantFrom("keep" as const) },
  ),
  method: constantFrom("GET" as const, "HEAD" as const, "POST" as const),
});

type Behaviour = typeof behaviour extends Arbitrary<infer T> ? T : never;
type Mutation = Behaviour["mutations"][number];

function mutated(bytes: Buffer, { how, at: anywhere, piece }: Mutation): Buffer {
  const at = anywhere % (bytes.length + 1);
  const before = bytes.subarray(0, at);
  switch (how) {
    case "replace":
      return Buffer.concat([before, piece, bytes.subarray(at + piece.length)]);
    case "insert":
      return Buffer.concat([before, piece, bytes.subarray(at)]);
    case "remove":
      return Buffer.concat([before, bytes.subarray(at + piece.length)]);
    default:
      return Buffer.concat([before, bytes.subarray(at, at + 40), bytes.subarray(at)]);
  }
}

/** The bytes that a behaviour sends, in the pieces in which it sends them. */
function piecesOf({ response, mutations, length, cuts }: Behaviour): readonly Buffer[] {
  const whole = mutations
    .reduce(mutated, Buffer.from(response, "latin1"))
    .subarray(0, length === Infinity ? undefined : length);
  const edges = [...new Set([0, ...cuts, whole.length])]
    .filter((edge) => edge <= whole.length)
    .toSorted((a, b) => a - b);
  return edges.slice(1).map((edge, index) => whole.subarray(edges[index], edge));
}

/** Writes the pieces in separate turns, so that they come apart, and then ends the connection, or does not. */
function play(socket: Socket, [first, ...rest]: readonly Buffer[], end: Behaviour["end"]): void {
  if (socket.destroyed) return;
  if (first !== undefined) {
    socket.write(first);
    setImmediate(play, socket, rest, end);
  } else if (end === "close") socket.end();
  else if (end === "reset") socket.resetAndDestroy();
}

/** Each behaviour under its own path; every other path, such as where a redirect leads, has a plain answer. */
const playing =
  (behaviours: readonly Behaviour[]): Script =>
  (socket) =>
    onRequestHead(socket, (head) => {
      const one = behaviours[Number(/^\w+ \/(\d+) /.exec(head)?.[1] ?? NaN)];
      if (one === undefined) socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      else play(socket, piecesOf(one), one.end);
    });

const context = contextWith({ bodyBytesMax: kibibytes(64) });

async function probeInTime(url: string, method: Behaviour["method"] = "GET"): Promise<void> {
  const target = httpTarget(url, { method, body: "{}" });
  const outcome = await attempt(probeHttp, target, context, timeout);
  expectTimingContract(outcome);
  expect(nanosToMillis(outcome.total)).toBeLessThan(hangsAfter);
  expect(outcome.failure ?? {}).not.toMatchObject({ phase: "agent" });
}

/** Those of one run are asked at the same time: most of the time is spent waiting for timeouts. */
const together = 24;

test("an HTTP response, however it is changed, cut up and broken off, is an outcome that keeps the contract", async () => {
  await assert(
    asyncProperty(
      array(behaviour, { minLength: 1, maxLength: together, size: "max" }),
      async (all) => {
        await using peer = await tcpPeer(playing(all));
        await Promise.all(
          all.map(({ method }, index) =>
            probeInTime(`http://127.0.0.1:${peer.port}/${index}`, method),
          ),
        );
      },
    ),
    { numRuns: 50 },
  );
});

/** Beginnings of TLS records: a handshake, an alert, data, and a change of cipher. */
const record3 = constantFrom(0x16, 0x15, 0x17, 0x14).map((type) => [type, 3, 3, 0]);

test("whatever a peer answers to a TLS handshake is an outcome that keeps the contract", async () => {
  await assert(
    asyncProperty(
      array(record({ start: record3, rest: uint8Array({ maxLength: 80 }) }), {
        minLength: 1,
        maxLength: together,
        size: "max",
      }),
      async (all) => {
        let turn = 0;
        await using peer = await tcpPeer((socket) =>
          socket.once("data", () => {
            const one = all[(turn += 1) % all.length];
            socket.end(Buffer.from([...(one?.start ?? []), ...(one?.rest ?? [])]));
          }),
        );
        await Promise.all(all.map(() => probeInTime(`https://127.0.0.1:${peer.port}/`)));
      },
    ),
    { numRuns: 20 },
  );
});
