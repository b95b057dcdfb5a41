import { once } from "node:events";
import http2 from "node:http2";
import type { Identity } from "../support/authority.ts";
import { listenLocally } from "./listen-locally.ts";

/** What a peer does with one request over HTTP/2, once its head is there. */
export type Http2Script = (
  stream: http2.ServerHttp2Stream,
  session: http2.ServerHttp2Session,
) => void;

/** A server on 127.0.0.1 that speaks only HTTP/2, by TLS or, without an identity, without; it does as the script says. */
export async function http2Peer(
  identity: Identity | null,
  script: Http2Script,
): Promise<AsyncDisposable & { readonly port: number }> {
  const server = identity === null ? http2.createServer() : http2.createSecureServer(identity);
  const sessions = new Set<http2.ServerHttp2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.on("error", () => {});
    session.on("stream", (stream) => {
      stream.on("error", () => {});
      script(stream, session);
    });
  });
  const port = await listenLocally(server);
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      for (const session of sessions) session.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
