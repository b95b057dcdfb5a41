import { once } from "node:events";
import { connect, createServer } from "node:net";
import { expect, test } from "vitest";
import { forgetListeners } from "#probes/socket/forget-listeners";

test("a closed socket has forgotten who listened, and an error behind its end throws nothing", async () => {
  await using server = createServer((peer) => peer.end("bye")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const socket = connect(address === null || typeof address === "string" ? 0 : address.port);
  const heard: string[] = [];
  forgetListeners(socket);
  socket.on("data", (bytes) => heard.push(String(bytes)));
  socket.on("end", () => heard.push("end"));
  // Whoever listens to the end itself still hears of it, in whatever order they came.
  const closed = new Promise<void>((resolve) => {
    socket.on("close", () => {
      heard.push("close");
      resolve();
    });
  });
  await closed;
  expect(heard.join(" ")).toBe("bye end close");
  expect(socket.eventNames().join(" ")).toBe("error");
  expect(socket.listenerCount("error")).toBe(1);
  socket.emit("error", new Error("late"));
});
