import type { OpenSsl } from "#probes/raw/openssl";

/** What a step of TLS came to: it is done, it wants more of the peer, the peer ended it, or an error by its code. */
type TlsStep =
  | { readonly how: "done"; readonly count: number }
  | { readonly how: "wants" | "closed" }
  | { readonly how: "failed"; readonly code: string };

/** What a handshake settled on. */
interface TlsAgreement {
  readonly protocol: string | null;
  readonly cipher: string | null;
  readonly alpn: string | null;
  /** OpenSSL's number for what is wrong with the certificate; 0 if nothing is. */
  readonly verified: number;
}

/**
 * TLS of one connection, in memory: bytes of the peer go in, bytes for it come out. It has to be freed; afterwards every
 * step wants more of the peer, and nothing else happens.
 */
export class TlsSession {
  readonly #openSsl: OpenSsl;
  #ssl: bigint;
  #received = 0n;
  #sealed = 0n;

  constructor(
    openSsl: OpenSsl,
    context: bigint,
    serverName: string | null,
    alpn: readonly string[],
  ) {
    const { calls, arena, memory } = openSsl;
    this.#openSsl = openSsl;
    this.#ssl = calls.SSL_new(context);
    this.#received = calls.BIO_new(memory);
    this.#sealed = calls.BIO_new(memory);
    if (this.#ssl === 0n || this.#received === 0n || this.#sealed === 0n) {
      calls.BIO_free(this.#received);
      calls.BIO_free(this.#sealed);
      calls.SSL_free(this.#ssl);
      throw new Error("OpenSSL has no memory for a session");
    }
    calls.SSL_set_bio(this.#ssl, this.#received, this.#sealed);
    calls.SSL_set_connect_state(this.#ssl);
    if (serverName !== null) {
      arena.setText(serverName);
      calls.SSL_ctrl(this.#ssl, setServerName, 0n, arena.pointers.text);
    }
    calls.SSL_set_alpn_protos(this.#ssl, arena.pointers.text, arena.setNames(alpn));
  }

  free(): void {
    if (this.#ssl === 0n) return;
    // Both pieces of memory go with it.
    this.#openSsl.calls.SSL_free(this.#ssl);
    this.#ssl = 0n;
  }

  /** Takes what came from the peer; it is copied. */
  receive(bytes: Uint8Array): void {
    const { calls, arena } = this.#openSsl;
    for (let at = 0; at < bytes.length && this.#ssl !== 0n; at += arena.received.length) {
      const part = bytes.subarray(at, at + arena.received.length);
      arena.received.set(part);
      calls.BIO_write(this.#received, arena.pointers.received, part.length);
    }
  }

  /** The next part of what is to be sent, good until the next call; null if there is none. */
  sealed(): Uint8Array | null {
    if (this.#ssl === 0n) return null;
    const { calls, arena } = this.#openSsl;
    const count = calls.BIO_read(this.#sealed, arena.pointers.sealed, arena.sealed.length);
    return count > 0 ? arena.sealed.subarray(0, count) : null;
  }

  shakeHands(): TlsStep {
    return this.#step(({ calls }) => calls.SSL_do_handshake(this.#ssl));
  }

  /** Reads so many bytes into `plain`. */
  read(): TlsStep {
    return this.#step(({ calls, arena }) =>
      calls.SSL_read(this.#ssl, arena.pointers.plain, arena.plain.length),
    );
  }

  get plain(): Uint8Array {
    return this.#openSsl.arena.plain;
  }

  write(bytes: Uint8Array): TlsStep {
    let step: TlsStep = { how: "done", count: 0 };
    const { arena } = this.#openSsl;
    for (let at = 0; at < bytes.length && step.how === "done"; at += arena.written.length) {
      const part = bytes.subarray(at, at + arena.written.length);
      step = this.#step(({ calls }) => {
        arena.written.set(part);
        return calls.SSL_write(this.#ssl, arena.pointers.written, part.length);
      });
    }
    return step;
  }

  /** Says that we send no more. */
  end(): void {
    this.#step(({ calls }) => calls.SSL_shutdown(this.#ssl));
  }

  settled(): TlsAgreement {
    if (this.#ssl === 0n)
      return { protocol: null, cipher: null, alpn: null, verified: unspecified };
    const { calls, textAt } = this.#openSsl;
    const cipher = calls.SSL_get_current_cipher(this.#ssl);
    return {
      protocol: textAt(calls.SSL_get_version(this.#ssl)),
      cipher: cipher === 0n ? null : textAt(calls.SSL_CIPHER_standard_name(cipher)),
      alpn: this.#alpn(),
      verified: calls.SSL_get_verify_result(this.#ssl),
    };
  }

  /** What the peer showed, leaf first, in DER. */
  chain(): readonly Buffer[] {
    if (this.#ssl === 0n) return [];
    const { calls } = this.#openSsl;
    const stack = calls.SSL_get_peer_cert_chain(this.#ssl);
    const count = stack === 0n ? 0 : calls.OPENSSL_sk_num(stack);
    return Array.from({ length: Math.max(0, count) }, (_, index) =>
      this.#der(calls.OPENSSL_sk_value(stack, index)),
    );
  }

  #der(certificate: bigint): Buffer {
    const { calls, arena } = this.#openSsl;
    const length = calls.i2d_X509(certificate, 0n);
    if (length <= 0 || length > arena.certificate.length) return Buffer.alloc(0);
    arena.setCell(arena.pointers.certificate);
    calls.i2d_X509(certificate, arena.pointers.cell);
    return Buffer.from(arena.certificate.subarray(0, length));
  }

  #alpn(): string | null {
    const { calls, arena, latin1At } = this.#openSsl;
    calls.SSL_get0_alpn_selected(this.#ssl, arena.pointers.cell, arena.pointers.cellLength);
    const length = arena.cellLength();
    return length === 0 ? null : latin1At(arena.cell(), length);
  }

  /** The queue of errors is the thread's, the runtime's own TLS included: it is left empty. */
  #step(call: (openSsl: OpenSsl) => number): TlsStep {
    if (this.#ssl === 0n) return { how: "wants" };
    const { calls } = this.#openSsl;
    calls.ERR_clear_error();
    const count = call(this.#openSsl);
    if (count > 0) return { how: "done", count };
    const error = calls.SSL_get_error(this.#ssl, count);
    if (error === wantsRead || error === wantsWrite) return { how: "wants" };
    if (error === zeroReturn) return { how: "closed" };
    const code = this.#errorCode();
    calls.ERR_clear_error();
    return { how: "failed", code };
  }

  /** As the runtime names errors: `ERR_SSL_WRONG_VERSION_NUMBER` for "wrong version number". */
  #errorCode(): string {
    const { calls, textAt } = this.#openSsl;
    const reason = calls.ERR_reason_error_string(calls.ERR_peek_error());
    const words = reason === 0n ? null : textAt(reason);
    return `ERR_SSL_${(words ?? "unknown error").toUpperCase().replaceAll(" ", "_")}`;
  }
}

/** A macro of openssl/tls1.h. */
const setServerName = 55;
// openssl/ssl.h
const wantsRead = 2;
const wantsWrite = 3;
const zeroReturn = 6;
/** X509_V_ERR_UNSPECIFIED. */
const unspecified = 1;
