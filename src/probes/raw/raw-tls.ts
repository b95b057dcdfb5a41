import * as limits from "#limits/probes-limits";
import type { Line, TlsEnd } from "#probes/socket/line";
import type { TlsAttempt, TlsTerms } from "#probes/socket/tls-attempt";
import type { Trust } from "#machine/trust";
import type { WireTimes } from "#probes/socket/wire-times";
import { KeptChains } from "#probes/raw/kept-chains";
import { newContext, type OpenSsl } from "#probes/raw/openssl";
import type { RawConnection } from "#probes/raw/raw-connection";
import { RawTlsAttempt } from "#probes/raw/raw-tls-attempt";
import { TlsSession } from "#probes/raw/tls-session";

/**
 * TLS over raw connections by OpenSSL itself, for one thread: of all that the runtime puts between, a handshake needs
 * nothing. Terms with a client certificate are the runtime's to keep.
 */
export class RawTls {
  readonly #openSsl: OpenSsl;
  readonly #contexts = new Map<Trust, bigint>();
  readonly #chains = new KeptChains();

  constructor(openSsl: OpenSsl) {
    this.#openSsl = openSsl;
  }

  /** Null if it cannot keep these terms. */
  start(
    raw: RawConnection,
    times: WireTimes,
    { serverName, alpn, trust }: TlsTerms,
    onEnd: (end: TlsEnd<Line>) => void,
  ): TlsAttempt | null {
    if (serverName !== null && !isReadable(serverName)) return null;
    const context = this.#contextOf(trust);
    if (context === null) return null;
    const session = new TlsSession(this.#openSsl, context, serverName, alpn);
    return new RawTlsAttempt({ raw, times, session, chains: this.#chains }, onEnd);
  }

  /** Frees what the thread kept: no attempt begins any more. */
  end(): void {
    for (const context of this.#contexts.values()) this.#openSsl.calls.SSL_CTX_free(context);
    this.#contexts.clear();
  }

  #contextOf(trust: Trust): bigint | null {
    const kept = this.#contexts.get(trust);
    if (kept !== undefined) return kept;
    const authorities = trust.onlyAuthorities();
    if (authorities === null) return null;
    const context = newContext(this.#openSsl, authorities.map(derOf));
    this.#contexts.set(trust, context);
    if (this.#contexts.size > limits.tlsContextsMax) this.#dropOldest();
    return context;
  }

  /** Sessions that are open keep theirs. */
  #dropOldest(): void {
    const [oldest] = this.#contexts;
    if (oldest === undefined) return;
    this.#contexts.delete(oldest[0]);
    this.#openSsl.calls.SSL_CTX_free(oldest[1]);
  }
}

/** OpenSSL sends no longer name, and C would read one with a zero in it as a shorter one. */
const isReadable = (name: string): boolean => /^[\x21-\x7e]{1,255}$/.test(name);

/** What stands between the lines of a PEM text. */
const derOf = (pem: string): Buffer =>
  Buffer.from(pem.replaceAll(/-----[A-Z ]+-----/g, ""), "base64");
