import { expect, onTestFinished, test } from "vitest";
import { poolOf } from "#service/store/postgres/pool";
import { tcpPeer } from "../../servers/scripted.ts";

/** A message of PostgreSQL's protocol: its type, its length with these four bytes, its content. */
function message(type: string, content: readonly number[]): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(content.length + 4, 1);
  return Buffer.concat([head, Buffer.from(content)]);
}

test("a listener whose connection breaks in its first query is one fault, and not a second one that no one waits for", async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  let heard = 0;
  await using peer = await tcpPeer((socket) =>
    socket.on("data", () => {
      heard += 1;
      // It is let in and may ask; its question breaks the connection.
      if (heard === 1)
        socket.write(
          Buffer.concat([message("R", [0, 0, 0, 0]), message("Z", ["I".charCodeAt(0)])]),
        );
      else socket.resetAndDestroy();
    }),
  );
  await using pool = poolOf(`postgres://test@127.0.0.1:${peer.port}/test`);
  const channel = {
    name: "changes",
    session: 1,
    onSession: () => {},
    began: () => {},
    onNotice: () => {},
  };
  const { signal } = new AbortController();
  await expect(pool.listen(channel, signal)).rejects.toThrow("ECONNRESET");
  // Node.js reports it in the turn after the microtasks.
  await new Promise((resolve) => setImmediate(resolve));
  expect([heard, unhandled]).toEqual([2, []]);
});
