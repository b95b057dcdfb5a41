import { once } from "node:events";
import { createServer, type Server } from "node:tls";
import type { Clock } from "#base/clock";
import { startDeadline } from "#base/deadline";
import * as limits from "#limits/probes-limits";
import { peerClock } from "#base/peer-clock";
import type { BareLine, Line } from "#probes/socket/line";
import type { Sockets } from "#probes/socket/sockets";
import type { ShownTls } from "#probes/socket/tls-attempt";
import { onlyTrust } from "#machine/trust";
import { throwawayCertificate } from "#probes/socket/throwaway-certificate";

/**
 * Whether TLS of our own does here what it must: a handshake with the runtime's TLS, by a certificate that is believed,
 * and a message and its echo. Gives null if it does, or else what it does not.
 */
export async function failsTlsTest(sockets: Sockets, clock: Clock): Promise<string | null> {
  const about = "in their test, TLS by OpenSSL on this machine's loopback";
  try {
    const { fault, chain, protocol } = await shakeHands(sockets, clock);
    if (fault !== null) return `${about} refused a certificate that is trusted: ${fault}`;
    return protocol === "TLSv1.3" && chain?.facts.subject === "CN=localhost"
      ? null
      : `${about} read another certificate, or another version, than the peer has`;
  } catch (error) {
    const { message } = Error.isError(error) ? error : { message: String(error) };
    return `${about} failed: ${message}`;
  }
}

async function shakeHands(sockets: Sockets, clock: Clock): Promise<ShownTls> {
  using deadline = startDeadline(peerClock(clock), limits.rawSelfTestMax);
  await using peers = new AsyncDisposableStack();
  const certificate = throwawayCertificate(new Date(clock.wall()).getUTCFullYear());
  const server = peers.adopt(echoServer(certificate), (one) => void one.close());
  await once(server, "listening", { signal: deadline.signal });
  const address = server.address();
  const port = address === null || typeof address === "string" ? 0 : address.port;
  const { promise, resolve, reject } = Promise.withResolvers<ShownTls>();
  deadline.signal.addEventListener("abort", () => reject(new Error("no answer in time")));
  const secured = (line: Line, shown: ShownTls): void => {
    peers.defer(() => line.destroy());
    echo(line, () => resolve(shown), reject);
  };
  const connected = (line: BareLine): void => {
    peers.defer(() => line.destroy());
    const terms = {
      host: "localhost",
      serverName: "localhost",
      alpn: ["http/1.1"],
      trust: onlyTrust(certificate.cert),
    };
    const attempt = line.ownTls?.(terms, (end) => {
      if (end.how === "secured") secured(end.line, end.shown);
      else reject(end.how === "error" ? end.error : new Error("the connection ended"));
    });
    if (attempt === undefined || attempt === null) reject(new Error("there is none"));
    else peers.defer(() => attempt.abandon());
  };
  const attempt = sockets.connect("127.0.0.1", port, {
    onSyn: () => {},
    onOwnWork: () => {},
    onFailed: reject,
    onConnected: connected,
  });
  peers.defer(() => attempt.abandon());
  return await promise;
}

/** Sends a message, and waits for it to come back. */
function echo(line: Line, done: () => void, failed: (error: Error) => void): void {
  const connection = line.listen(limits.http1TurnBytesMax, {
    onSent: () => {},
    onBytes: (bytes) =>
      message.equals(bytes) ? done() : failed(new Error("another message came")),
    onEnd: () => failed(new Error("the connection ended")),
    onError: failed,
  });
  connection.write(message);
}

function echoServer(certificate: ReturnType<typeof throwawayCertificate>): Server {
  const server = createServer(certificate, (socket) => {
    socket.on("error", () => {});
    socket.pipe(socket);
  });
  server.on("tlsClientError", () => {});
  return server.listen(0, "127.0.0.1");
}

const message = Buffer.from("picket");
