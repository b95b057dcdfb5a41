import { once } from "node:events";
import net from "node:net";
import { listenLocally } from "../servers/listen-locally.ts";

/** What stands before the replicas: each connection goes to the next of them that takes it. */
export interface Balancer extends AsyncDisposable {
  readonly port: number;
}

export async function openBalancer(to: readonly number[]): Promise<Balancer> {
  const sockets = new Set<net.Socket>();
  let turn = 0;
  const server = net.createServer((near) => {
    sockets.add(near);
    near.on("error", () => {});
    near.on("close", () => sockets.delete(near));
    turn += 1;
    join(near, [...to.slice(turn % to.length), ...to.slice(0, turn % to.length)]);
  });
  const port = await listenLocally(server);
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function join(near: net.Socket, [port, ...others]: readonly number[]): void {
  if (port === undefined) return void near.destroy();
  const far = net.connect(port, "127.0.0.1");
  let isThere = false;
  far.on("connect", () => {
    isThere = true;
    near.pipe(far);
    far.pipe(near);
  });
  far.on("error", () => {
    if (isThere) near.destroy();
    else join(near, others);
  });
  near.on("close", () => far.destroy());
}
