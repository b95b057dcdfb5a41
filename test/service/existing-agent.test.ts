import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { tcpDefaults } from "#check/definition";
import { runningService } from "../support/running-service.ts";

/*
 * The existing service's own agent, written in Go, against our service: what it puts on the wire, byte for byte. Its
 * client speaks the Connect protocol in protobuf and sends its token as openstatus-token.
 */
const mount = "/private_location.v1.PrivateLocationService";

function request(call: string, host: string, token: string, body: Buffer): Buffer {
  const head = [
    `POST ${mount}/${call} HTTP/1.1`,
    `Host: ${host}`,
    "User-Agent: connect-go/1.18.1 (go1.24.2)",
    `Content-Length: ${body.length}`,
    "Accept-Encoding: gzip",
    "Connect-Protocol-Version: 1",
    "Content-Type: application/proto",
    `Openstatus-Token: ${token}`,
    "Connection: close",
  ];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), body]);
}

async function answerTo(url: string, bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.write(bytes);
  await once(socket, "end");
  return Buffer.concat(chunks).toString("latin1");
}

const text = (tag: string, value: string): string =>
  tag + Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]).toString("hex");

test("the existing service's agent pulls its monitors and its results are stored, unchanged", async () => {
  const service = await runningService();
  const definition = {
    ...tcpDefaults,
    name: "db",
    uri: "db.test:5432",
    periodicity: "30s",
    active: true,
  };
  const { id: monitorId } = await service.admin.createMonitor(definition, "management");
  const { token } = await service.admin.createPrivateLocation({
    name: "office",
    monitorIds: [monitorId],
    metadata: {},
  });
  const { host } = new URL(service.url);
  const pulled = await answerTo(service.url, request("Monitors", host, token, Buffer.alloc(0)));
  expect(pulled).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(pulled).toContain("db.test:5432");

  const now = BigInt(service.clock.wall());
  const varint = (value: bigint): string => {
    const bytes: number[] = [];
    for (let rest = value; ; rest >>= 7n) {
      if (rest < 128n) return Buffer.from([...bytes, Number(rest)]).toString("hex");
      bytes.push(Number(rest & 127n) | 128);
    }
  };
  // IngestTCP: id, monitorId, latency, timestamp, cronTimestamp, uri, then message left out, requestStatus, timing.
  const result = Buffer.from(
    [
      text("0a", "0198c0de-0000-7000-8000-000000000001"),
      text("12", monitorId),
      "1807",
      `20${varint(now)}`,
      `28${varint(now)}`,
      text("32", "db.test:5432"),
      text("42", "success"),
      text("52", `{"tcpStart":${now},"tcpDone":${now + 7n}}`),
    ].join(""),
    "hex",
  );
  const stored = await answerTo(service.url, request("IngestTCP", host, token, result));
  expect(stored).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  const { key } = await service.admin.createApiKey({ name: "reader", scope: "read" });
  const shown = await service.post(
    "/monitor.v1.MonitorService/GetMonitor",
    { id: monitorId },
    { "x-service-key": key },
  );
  expect(await shown.text()).toContain('"status":"MONITOR_STATUS_ACTIVE"');

  const stranger = await answerTo(
    service.url,
    request("Monitors", host, "not-the-token", Buffer.alloc(0)),
  );
  expect(stranger).toMatch(/^HTTP\/1\.1 401 /);
});
