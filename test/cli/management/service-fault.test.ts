import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { main } from "../../../src/main.ts";
import { captureIo } from "../../support/captured-io.ts";
import { listenLocally } from "../../servers/listen-locally.ts";

/** What `picket results` says of an address at which something answers so. */
async function saidOf(port: number): Promise<string> {
  const url = `http://127.0.0.1:${port}`;
  const io = captureIo({ SERVICE_API_URL: url, SERVICE_API_KEY: "sk_test", NO_COLOR: "1" });
  expect(await main(["results", "1"], io)).not.toBe(0);
  return io.written.stderr();
}

async function answering503(headers: Readonly<Record<string, string>>): Promise<number> {
  const server = createServer((_request, response) => {
    response.writeHead(503, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ code: "unavailable", message: "away" }));
  });
  onTestFinished(() => void server.close());
  return listenLocally(server);
}

test("a 503 of the service itself does not blame the address; one of a balancer does", async () => {
  const own = await answering503({ "error-domain": "picket" });
  expect(await saidOf(own)).toContain(
    `The service at http://127.0.0.1:${own}/ cannot do this now (away). Try again; if it stays so, "picket service doctor" on its machine says what is wrong.`,
  );
  const other = await answering503({});
  expect(await saidOf(other)).toContain(
    `The service at http://127.0.0.1:${other}/ cannot be reached (away). Is SERVICE_API_URL right, and does it run?`,
  );
});
