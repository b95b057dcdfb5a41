import { once } from "node:events";
import net from "node:net";
import { onRequestHead } from "../servers/scripted.ts";

/** A separate process, so that its work is not the prober's: says its port, and serves until it is killed. */
const thinks = 30;
const pauses = 20;
const [host] = process.argv.slice(2);

const body = "x".repeat(1024);
const head = `HTTP/1.1 200 OK\r\nContent-Length: ${2 * body.length}\r\nConnection: close\r\n\r\n`;

const server = net.createServer({ noDelay: true }, (socket) => {
  socket.on("error", () => {});
  onRequestHead(socket, () => {
    setTimeout(() => {
      socket.write(head + body);
      setTimeout(() => socket.end(body), pauses);
    }, thinks);
  });
});
server.listen(0, host);
await once(server, "listening");
const address = server.address();
if (address !== null && typeof address !== "string") process.stdout.write(`${address.port}\n`);
