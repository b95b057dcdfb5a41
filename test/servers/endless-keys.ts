import type * as Ffi from "node:ffi";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Socket } from "node:net";
import type { Identity } from "../support/authority.ts";

/**
 * Shakes hands by TLS 1.3, and then asks for new keys (RFC 8446 §4.6.3) again and again, each of which wants an answer.
 * The runtime's servers ask for none, so this one is OpenSSL's, in memory. Gives how often it asked.
 */
export async function asksForKeys(
  socket: Socket,
  { cert, key }: Identity,
  folder: string,
  times: number,
): Promise<void> {
  const ffi: typeof Ffi | undefined = process.getBuiltinModule("node:ffi");
  if (ffi === undefined) throw new Error("this Node.js has no node:ffi");
  const { functions: c } = ffi.dlopen(null, {
    TLS_server_method: { arguments: [], return: "u64" },
    SSL_CTX_new: { arguments: ["u64"], return: "u64" },
    SSL_CTX_free: { arguments: ["u64"], return: "void" },
    SSL_CTX_use_certificate_file: { arguments: ["u64", "string", "i32"], return: "i32" },
    SSL_CTX_use_PrivateKey_file: { arguments: ["u64", "string", "i32"], return: "i32" },
    SSL_new: { arguments: ["u64"], return: "u64" },
    SSL_free: { arguments: ["u64"], return: "void" },
    SSL_set_bio: { arguments: ["u64", "u64", "u64"], return: "void" },
    SSL_set_accept_state: { arguments: ["u64"], return: "void" },
    SSL_do_handshake: { arguments: ["u64"], return: "i32" },
    SSL_key_update: { arguments: ["u64", "i32"], return: "i32" },
    BIO_s_mem: { arguments: [], return: "u64" },
    BIO_new: { arguments: ["u64"], return: "u64" },
    BIO_read: { arguments: ["u64", "buffer", "i32"], return: "i32" },
    BIO_write: { arguments: ["u64", "buffer", "i32"], return: "i32" },
  });
  const [certFile, keyFile] = [path.join(folder, "cert.pem"), path.join(folder, "key.pem")];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  const context = c.SSL_CTX_new(c.TLS_server_method());
  c.SSL_CTX_use_certificate_file(context, certFile, 1);
  c.SSL_CTX_use_PrivateKey_file(context, keyFile, 1);
  const ssl = c.SSL_new(context);
  const [received, sealed] = [c.BIO_new(c.BIO_s_mem()), c.BIO_new(c.BIO_s_mem())];
  c.SSL_set_bio(ssl, received, sealed);
  c.SSL_set_accept_state(ssl);
  const room = Buffer.alloc(16_384);
  const send = (): void => {
    for (
      let n = c.BIO_read(sealed, room, room.length);
      n > 0;
      n = c.BIO_read(sealed, room, room.length)
    )
      socket.write(Buffer.from(room.subarray(0, n)));
  };
  try {
    for (let done = 0; done !== 1;) {
      const [bytes]: Buffer[] = await once(socket, "data");
      if (bytes !== undefined) c.BIO_write(received, bytes, bytes.length);
      done = c.SSL_do_handshake(ssl);
      send();
    }
    for (let n = 0; n < times && c.SSL_key_update(ssl, 1) === 1; n += 1) {
      c.SSL_do_handshake(ssl);
      send();
    }
  } finally {
    c.SSL_free(ssl);
    c.SSL_CTX_free(context);
  }
}
