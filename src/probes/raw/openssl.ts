import type * as Ffi from "node:ffi";
import { DEFAULT_CIPHERS } from "node:tls";
import { TlsArena } from "#probes/raw/tls-arena";

/**
 * OpenSSL as it is in the running image, by node:ffi, for one thread. Pointers stay in here and in `TlsSession`; what
 * OpenSSL reads and writes lies in the arena.
 */
export interface OpenSsl {
  readonly calls: OpenSslCalls;
  readonly arena: TlsArena;
  /** Of a text that is part of the image, such as a name in one of OpenSSL's tables: it is read once. */
  readonly textAt: (pointer: bigint) => string | null;
  /** What a connection keeps, a character a byte. */
  readonly latin1At: (pointer: bigint, length: number) => string;
  /** The address of a function that gives 1 whatever it is called with. */
  readonly accept: bigint;
  readonly memory: bigint;
}

type OpenSslCalls = Ffi.DynamicLibraryResult<typeof definitions>["functions"];

/** Throws if there is no node:ffi, or an OpenSSL without one of these functions. */
export function openOpenSsl(): OpenSsl {
  const ffi: typeof Ffi | undefined = process.getBuiltinModule("node:ffi");
  if (ffi === undefined) throw new Error("this Node.js has no node:ffi, or it is switched off");
  const { functions: calls } = ffi.dlopen(null, definitions);
  if (calls.BIO_sock_init() !== 1) throw new Error("OpenSSL is not as it is expected");
  const texts = new Map<bigint, string | null>();
  return {
    calls,
    arena: new TlsArena((memory) => ffi.getRawPointer(memory)),
    textAt: (pointer) => texts.getOrInsertComputed(pointer, (at) => ffi.toString(at)),
    latin1At: (pointer, length) => {
      let text = "";
      for (let at = 0; at < length; at += 1) text += String.fromCharCode(ffi.getUint8(pointer, at));
      return text;
    },
    accept: calls.BIO_sock_init.pointer,
    memory: calls.BIO_s_mem(),
  };
}

/**
 * A context that is like the runtime's own: the peer is offered the same. Whatever is wrong with a certificate, the
 * verification continues, so that its result is the runtime's too: OpenSSL's would be its first fault.
 */
export function newContext(openSsl: OpenSsl, authorities: readonly Uint8Array[]): bigint {
  const { calls, arena } = openSsl;
  calls.ERR_clear_error();
  const context = calls.SSL_CTX_new(calls.TLS_client_method());
  if (context === 0n) throw new Error("OpenSSL makes no context");
  calls.SSL_CTX_ctrl(context, control.minVersion, 0x0303n, 0n);
  calls.SSL_CTX_ctrl(context, control.mode, releaseBuffers, 0n);
  calls.SSL_CTX_ctrl(context, control.sessionCache, 0n, 0n);
  calls.SSL_CTX_set_options(context, uncompressedCertificates);
  calls.SSL_CTX_set_verify(context, 0, openSsl.accept);
  const all = DEFAULT_CIPHERS.split(":");
  const isNew = (name: string): boolean => name.startsWith("TLS_");
  arena.setText(all.filter(isNew).join(":"));
  calls.SSL_CTX_set_ciphersuites(context, arena.pointers.text);
  arena.setText(all.filter((name) => !isNew(name)).join(":"));
  calls.SSL_CTX_set_cipher_list(context, arena.pointers.text);
  const store = calls.SSL_CTX_get_cert_store(context);
  for (const authority of authorities) addAuthority(openSsl, store, authority);
  calls.ERR_clear_error();
  return context;
}

function addAuthority({ calls, arena }: OpenSsl, store: bigint, der: Uint8Array): void {
  if (der.length > arena.certificate.length) return;
  arena.certificate.set(der);
  arena.setCell(arena.pointers.certificate);
  const certificate = calls.d2i_X509(0n, arena.pointers.cell, der.length);
  if (certificate === 0n) return;
  calls.X509_STORE_add_cert(store, certificate);
  calls.X509_free(certificate);
}

/** Macros of openssl/ssl.h. */
const control = { mode: 33, sessionCache: 44, minVersion: 123 } as const;
const releaseBuffers = 16n;
/** SSL_OP_NO_TX_CERTIFICATE_COMPRESSION | SSL_OP_NO_RX_CERTIFICATE_COMPRESSION */
const uncompressedCertificates = 3n << 32n;

const definitions = {
  BIO_sock_init: { arguments: [], return: "i32" },
  BIO_s_mem: { arguments: [], return: "u64" },
  BIO_new: { arguments: ["u64"], return: "u64" },
  BIO_free: { arguments: ["u64"], return: "i32" },
  BIO_read: { arguments: ["u64", "u64", "i32"], return: "i32" },
  BIO_write: { arguments: ["u64", "u64", "i32"], return: "i32" },
  ERR_clear_error: { arguments: [], return: "void" },
  ERR_peek_error: { arguments: [], return: "u64" },
  ERR_reason_error_string: { arguments: ["u64"], return: "u64" },
  OPENSSL_sk_num: { arguments: ["u64"], return: "i32" },
  OPENSSL_sk_value: { arguments: ["u64", "i32"], return: "u64" },
  TLS_client_method: { arguments: [], return: "u64" },
  SSL_CTX_new: { arguments: ["u64"], return: "u64" },
  SSL_CTX_free: { arguments: ["u64"], return: "void" },
  SSL_CTX_ctrl: { arguments: ["u64", "i32", "i64", "u64"], return: "i64" },
  SSL_CTX_set_options: { arguments: ["u64", "u64"], return: "u64" },
  SSL_CTX_set_verify: { arguments: ["u64", "i32", "u64"], return: "void" },
  SSL_CTX_set_ciphersuites: { arguments: ["u64", "u64"], return: "i32" },
  SSL_CTX_set_cipher_list: { arguments: ["u64", "u64"], return: "i32" },
  SSL_CTX_get_cert_store: { arguments: ["u64"], return: "u64" },
  SSL_new: { arguments: ["u64"], return: "u64" },
  SSL_free: { arguments: ["u64"], return: "void" },
  SSL_ctrl: { arguments: ["u64", "i32", "i64", "u64"], return: "i64" },
  SSL_set_bio: { arguments: ["u64", "u64", "u64"], return: "void" },
  SSL_set_connect_state: { arguments: ["u64"], return: "void" },
  SSL_set_alpn_protos: { arguments: ["u64", "u64", "u32"], return: "i32" },
  SSL_do_handshake: { arguments: ["u64"], return: "i32" },
  SSL_get_error: { arguments: ["u64", "i32"], return: "i32" },
  SSL_read: { arguments: ["u64", "u64", "i32"], return: "i32" },
  SSL_write: { arguments: ["u64", "u64", "i32"], return: "i32" },
  SSL_shutdown: { arguments: ["u64"], return: "i32" },
  SSL_get_verify_result: { arguments: ["u64"], return: "i32" },
  SSL_get_version: { arguments: ["u64"], return: "u64" },
  SSL_get_current_cipher: { arguments: ["u64"], return: "u64" },
  SSL_CIPHER_standard_name: { arguments: ["u64"], return: "u64" },
  SSL_get0_alpn_selected: { arguments: ["u64", "u64", "u64"], return: "void" },
  SSL_get_peer_cert_chain: { arguments: ["u64"], return: "u64" },
  d2i_X509: { arguments: ["u64", "u64", "i32"], return: "u64" },
  i2d_X509: { arguments: ["u64", "u64"], return: "i32" },
  X509_free: { arguments: ["u64"], return: "void" },
  X509_STORE_add_cert: { arguments: ["u64", "u64"], return: "i32" },
} as const;
