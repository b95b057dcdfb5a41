import { once } from "node:events";
import { createSecureServer, type ServerHttp2Stream } from "node:http2";
import { throwawayCertificate } from "#probes/socket/throwaway-certificate";
import { padding } from "../../test/wire-truth/peers.ts";

/* A gRPC health service: says its port, and serves until it is killed. The padding tells its answer's record from others. */

const { cert, key } = throwawayCertificate(new Date().getUTCFullYear());
const server = createSecureServer({ cert, key });
server.on("stream", (stream: ServerHttp2Stream) => {
  stream.on("error", () => {});
  const head = { ":status": 200, "content-type": "application/grpc", "x-fill": padding };
  stream.respond(head, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
  stream.end(Buffer.from([0, 0, 0, 0, 2, 8, 1]));
});
server.on("sessionError", () => {});
server.listen(0);
await once(server, "listening");
const address = server.address();
if (address !== null && typeof address !== "string") process.stdout.write(`${address.port}\n`);
