import { once } from "node:events";
import type net from "node:net";

/** Has a server listen on a port of this machine that is free; rejects when it cannot. */
export async function listenLocally(server: net.Server, backlog?: number): Promise<number> {
  server.listen({ host: "127.0.0.1", port: 0, backlog });
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}
