import {
  connect as connectTls,
  type DetailedPeerCertificate,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
} from "node:tls";
import { chainOf, peerChain } from "#probes/socket/certificate";
import { type BareLine, socketLine, type StartTls, type TlsEnd } from "#probes/socket/line";
import type { Mark } from "#probes/socket/marker";
import type { ShownTls, TlsTerms } from "#probes/socket/tls-attempt";
import type { WireTimes } from "#probes/socket/wire-times";

/** TLS as the runtime speaks it, over any line. */
export const startRuntimeTls: StartTls<BareLine> = (below, terms, onEnd) => {
  const secureContext = terms.trust.secureContext();
  const { times } = below;
  const begun = times.acted();
  const socket = connectOver(below, secureContext, terms);
  const forget = (): void => {
    socket.removeAllListeners("secureConnect");
    socket.removeAllListeners("error");
    socket.removeAllListeners("close");
  };
  let isOver = false;
  const end = (how: (line: BareLine) => TlsEnd<BareLine>): void => {
    if (isOver) return;
    isOver = true;
    forget();
    onEnd(how(socketLine(socket, times, below)));
  };
  const endWithout = (ended: TlsEnd<BareLine>): void =>
    end((line) => {
      line.destroy();
      return ended;
    });
  socket.once("secureConnect", () =>
    whenSent(times, begun, (ready) =>
      end((line) => ({ how: "secured", line, ready, shown: shownBy(socket) })),
    ),
  );
  socket.once("error", (error) =>
    endWithout(isOrderly(error) ? { how: "closed" } : { how: "error", error }),
  );
  socket.once("close", () => endWithout({ how: "closed" }));
  return {
    abandon: () => {
      if (isOver) return;
      isOver = true;
      forget();
      socketLine(socket, times, below).destroy();
    },
  };
};

function connectOver(
  below: BareLine,
  secureContext: SecureContext,
  { host, serverName, alpn }: TlsTerms,
): TLSSocket {
  const socket = connectTls({
    socket: below.stream(),
    host,
    ...(serverName === null ? {} : { servername: serverName }),
    secureContext,
    ALPNProtocols: [...alpn],
    rejectUnauthorized: false,
    // Whose certificate it is is asked later: for this check the runtime would read the whole chain into objects.
    checkServerIdentity: anyIdentity,
  });
  socket.getPeerCertificate = noCertificate;
  return socket;
}

// Not within the handshake: the runtime keeps it, and it would keep all that the handshake knows.
const anyIdentity = (): undefined => undefined;
const noCertificate = (): PeerCertificate & DetailedPeerCertificate => Object.create(null);

/** Our last message of the handshake leaves when this turn ends: the request would hold it back. */
function whenSent(times: WireTimes, begun: Mark, then: (ready: Mark) => void): void {
  const done = times.acted();
  times.owe();
  const theirs = times.arrived();
  setImmediate(() => {
    const ours = times.leftSince(begun) ?? times.left(done);
    then(ours.at < theirs.at ? theirs : ours);
  });
}

function shownBy(socket: TLSSocket): ShownTls {
  const leaf = socket.getPeerX509Certificate();
  // The declaration says Error; what the runtime sets is the code of the verification result.
  const found: unknown = socket.authorizationError;
  const fault = socket.authorized ? null : typeof found === "string" ? found : "UNSPECIFIED";
  return {
    protocol: socket.getProtocol(),
    cipher: socket.getCipher()?.standardName ?? null,
    alpn: socket.alpnProtocol === false ? null : (socket.alpnProtocol ?? null),
    fault,
    chain: leaf === undefined ? null : peerChain(() => chainOf(leaf)),
  };
}

/** The runtime says ECONNRESET both for a reset and for an orderly close before the handshake was done. */
const isOrderly = (error: Error): boolean => error.message.includes("before secure TLS connection");
