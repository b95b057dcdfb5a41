import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { startDeadline } from "#base/deadline";
import * as limits from "#limits/probes-limits";
import type { Target } from "#check/monitor";
import type { Outcome } from "#check/outcome";
import { TargetGuard } from "#probes/connection/guard";
import type { ProbeContext } from "#probes/connection/probe";
import { probe } from "#probes/registry";
import { throwawayCertificate } from "#probes/socket/throwaway-certificate";
import { noTranscript } from "#probes/resolve/transcript";
import { onlyTrust } from "#machine/trust";

/** Enough for the runtime to load, compile and cache what a check needs; more gains little. */
const rounds = 3;

/**
 * Checks its own servers, on loopback and for a moment, so that the first check of a target does not pay for code
 * that has never run: tens of milliseconds, which would all lie in the target's phases. Says whether it could: where it
 * cannot, the first checks are slower, and their error bars show it.
 */
export async function warmUp(context: ProbeContext): Promise<boolean> {
  try {
    await checkOurselves(context);
    return true;
  } catch {
    return false;
  }
}

async function checkOurselves(context: ProbeContext): Promise<void> {
  const certificate = throwawayCertificate(new Date(context.clock.wall()).getUTCFullYear());
  await using peers = new AsyncDisposableStack();
  const web = await listening(webServer(), peers);
  const secure = await listening(secureServer(certificate), peers);
  const names = await nameServer(peers);
  const url = `https://localhost:${secure}/`;
  // The other kinds are warm by these, or their code is short.
  const targets: readonly Target[] = [
    { ...webTarget, url: `http://127.0.0.1:${web}/` },
    { ...webTarget, url },
    { kind: "tcp", host: "127.0.0.1", port: web },
    { ...nameTarget, server: { host: "127.0.0.1", port: names } },
  ];
  // Ourselves we may ask, directly and off the record, whatever the operator wants of every other target.
  const ourselves = {
    ...context,
    guard: new TargetGuard({ allow: [], deny: [] }),
    proxying: { proxy: null, exceptions: [] },
    transcript: noTranscript,
  };
  const own = { ...ourselves, trust: onlyTrust(certificate.cert) };
  using deadline = startDeadline(context.clock, limits.warmUpMax);
  // Refused for its certificate: the authorities that the agent trusts are read by then.
  await probe({ ...webTarget, url }, deadline, ourselves);
  for (let round = 0; round < rounds && deadline.ended === null; round += 1)
    for (const target of targets)
      for (const http2 of target.kind === "http" ? [true, false] : [false])
        mustPass(await probe(target, deadline, { ...own, http2 }));
}

function mustPass({ failure }: Outcome): void {
  if (failure !== null) throw new Error(failure.message);
}

const webTarget = {
  kind: "http",
  method: "GET",
  headers: [],
  body: "",
  followRedirects: false,
} as const;

const nameTarget = { kind: "dns", name: "localhost", types: ["A"], recordsNeeded: true } as const;

function webServer(): Server {
  return createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
  });
}

function secureServer(certificate: { readonly cert: string; readonly key: string }): Server {
  const { createSecureServer } = process.getBuiltinModule("node:http2");
  const server = createSecureServer({ ...certificate, allowHTTP1: true });
  server.on("request", (_request, response) => response.end("ok"));
  server.on("sessionError", () => {});
  server.on("tlsClientError", () => {});
  return server;
}

async function listening(server: Server, peers: AsyncDisposableStack): Promise<number> {
  peers.defer(() => void server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return address === null || typeof address === "string" ? 0 : address.port;
}

async function nameServer(peers: AsyncDisposableStack): Promise<number> {
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => socket.send(answerTo(query), port, address));
  peers.defer(() => void socket.close());
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return socket.address().port;
}

/** The query as its own answer: one A record for the name that was asked, and no OPT record (11 bytes) at the end. */
function answerTo(query: Buffer): Buffer {
  const head = Buffer.from(query.subarray(0, -11));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(1, 6);
  head.writeUInt16BE(0, 10);
  return Buffer.concat([head, Buffer.from("c00c000100010000000000047f000001", "hex")]);
}
