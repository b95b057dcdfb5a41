import net from "node:net";
import { once } from "node:events";
import { listenLocally } from "../servers/listen-locally.ts";

/**
 * What the way between an agent and its service is like: whole; refusing; taking connections and saying nothing, as a
 * network that lost its packets; or cutting each answer off in its middle, after the service has done what was asked.
 */
export type Condition = "whole" | "refused" | "silent" | "cut";

/** A way to a port of this machine that breaks on command. */
export interface Link extends AsyncDisposable {
  readonly port: number;
  /** Connections that are there are broken, so that the next call sees what changed. */
  become(condition: Condition): void;
  /** Answers that were cut off. */
  readonly cuts: number;
}

/** How much of an answer passes before it is cut off: the status line, and no more. */
const passedOfAnswer = 12;

export async function openLink(to: number): Promise<Link> {
  let condition: Condition = "whole";
  let cuts = 0;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((near) => {
    sockets.add(near);
    near.on("error", () => {});
    near.on("close", () => sockets.delete(near));
    if (condition === "refused") return void near.resetAndDestroy();
    if (condition === "silent") return void near.resume();
    const far = net.connect(to, "127.0.0.1");
    far.on("error", () => near.destroy());
    near.on("close", () => far.destroy());
    near.pipe(far);
    if (condition === "whole") return void far.pipe(near);
    far.once("data", (answer: Buffer) => {
      cuts += 1;
      near.write(answer.subarray(0, passedOfAnswer), () => near.destroy());
    });
  });
  const port = await listenLocally(server);
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    become: (next) => {
      condition = next;
      breakAll();
    },
    get cuts() {
      return cuts;
    },
    [Symbol.asyncDispose]: async () => {
      breakAll();
      server.close();
      await once(server, "close");
    },
  };
}
