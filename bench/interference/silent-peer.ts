import { once } from "node:events";
import net from "node:net";

/* A target that takes connections and never says anything: says its port, and runs until it is killed. */

const server = net.createServer((socket) => socket.on("error", () => {}).resume());
server.listen({ port: 0, backlog: 1_024 });
await once(server, "listening");
const address = server.address();
if (address !== null && typeof address !== "string") process.stdout.write(`${address.port}\n`);
