import type { PeerChain } from "#probes/socket/certificate";
import type { Trust } from "#machine/trust";

/** A handshake that is under way. */
export interface TlsAttempt {
  /** Ends it, and the connection; nothing more is reported. After its end this changes nothing. */
  abandon(): void;
}

/** What is offered to a peer, and whom it must be believed to be. */
export interface TlsTerms {
  readonly host: string;
  /** Null if the host is an address. */
  readonly serverName: string | null;
  readonly alpn: readonly string[];
  readonly trust: Trust;
}

/** What a handshake settled on, and what the peer showed in it. */
export interface ShownTls {
  readonly protocol: string | null;
  readonly cipher: string | null;
  readonly alpn: string | null;
  /** What the verification of its certificate found, whose name aside, by the runtime's code; null if nothing. */
  readonly fault: string | null;
  readonly chain: PeerChain | null;
}
