import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "#clock";
import type { Millis } from "#units";

/** How many looks a reader may take over each part. */
export interface ReaderPatience {
  readonly lookEvery: Millis;
  /** Until a whole request has come, or the next one on its connection. */
  readonly requestLooks: number;
  readonly answerLooks: number;
}

/**
 * Drops each reader of a listening server that takes longer than it may, until the server closes. Time counts in looks,
 * and between two looks all that came is read. So while this process is stopped or starved, no reader grows older, and
 * what it sent meanwhile is answered; the timeouts of Node.js would answer that with an empty 408, or cut it off.
 */
export async function dropSlowReaders(
  server: Server,
  { lookEvery, requestLooks, answerLooks }: ReaderPatience,
  clock: Clock,
): Promise<void> {
  const looksLeft = new Map<Socket, number>();
  server.on("connection", (socket) => {
    looksLeft.set(socket, requestLooks);
    socket.once("close", () => looksLeft.delete(socket));
  });
  server.on("request", ({ socket }, response) => {
    looksLeft.set(socket, answerLooks);
    response.once("close", () => {
      if (looksLeft.has(socket)) looksLeft.set(socket, requestLooks);
    });
  });
  const over = new AbortController();
  server.once("close", () => over.abort());
  while (!over.signal.aborted) {
    await clock.sleep(lookEvery, over.signal);
    for (const [socket, left] of looksLeft)
      if (left === 0) socket.destroy();
      else looksLeft.set(socket, left - 1);
  }
}
