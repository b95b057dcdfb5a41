import type * as Ffi from "node:ffi";
import type { Socket } from "node:net";

/**
 * Sends the text by one call each, every one but the last with its last byte as urgent data of TCP (RFC 9293 §3.8.5). The
 * runtime has no words for that, so it is the C library's `send`. The urgent byte is out of band: no reader of the rest gets it.
 */
export function sendUrgently(socket: Socket, ...texts: readonly string[]): void {
  const ffi: typeof Ffi | undefined = process.getBuiltinModule("node:ffi");
  if (ffi === undefined) throw new Error("this Node.js has no node:ffi");
  const { functions: c } = ffi.dlopen(null, {
    send: { arguments: ["i32", "buffer", "u64", "i32"], return: "i64" },
  });
  const descriptor = descriptorOf(socket);
  for (const [index, text] of texts.entries()) {
    const bytes = Buffer.from(text);
    const flags = index < texts.length - 1 ? outOfBand : 0;
    c.send(descriptor, bytes, BigInt(bytes.length), flags);
  }
}

/** MSG_OOB of <sys/socket.h>. */
const outOfBand = 1;

/** The runtime's own sockets know their descriptor, and say it only to itself. */
function descriptorOf(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, "_handle");
  const descriptor: unknown =
    typeof handle === "object" && handle !== null ? Reflect.get(handle, "fd") : undefined;
  if (typeof descriptor !== "number") throw new Error("the socket has no descriptor");
  return descriptor;
}
