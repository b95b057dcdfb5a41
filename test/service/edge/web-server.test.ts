import { once } from "node:events";
import net from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { webServer } from "#service/edge/web-server";
import { listenLocally } from "../../servers/listen-locally.ts";

test("Node.js counts no client's time: it would answer 408 to a request that came while the service was stopped", () => {
  const { server } = webServer(() => expect.fail("no one calls"), undefined);
  const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = server;
  expect({ headersTimeout, requestTimeout, keepAliveTimeout, timeout }).toEqual({
    headersTimeout: 0,
    requestTimeout: 0,
    keepAliveTimeout: 0,
    timeout: 0,
  });
});

test("a client that is refused a push channel and leaves its end open keeps no connection", async () => {
  const { server } = webServer(
    () => ({
      calls: () => expect.fail("it asks for a channel"),
      plainly: (_request, response) => void response.writeHead(401).end("no"),
      asksForChannel: () => true,
      openChannel: async (_request, _socket, _head, refuse) => refuse(),
    }),
    undefined,
  );
  const port = await listenLocally(server);
  const client = net.connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  const [connection]: net.Socket[] = await once(server, "connection");
  client.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  client.resume();
  await once(client, "end");
  await expect.poll(() => connection?.destroyed).toBe(true);
});
