import { connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import {
  HeartbeatRequestSchema,
  IngestBatchRequestSchema,
} from "#contract/private_location/v1/private_location_pb";
import * as limits from "#limits/service-limits";
import * as wireLimits from "#limits/wire-limits";
import { messageExcess } from "#wire/message-bounds";
import { type RunningService, runningService } from "../support/running-service.ts";

/** One location's token must not stall the service: what costs more to decode than it costs to send is refused. */

const batchPath = "/private_location.v1.PrivateLocationService/IngestBatch";

const tokenOf = async (service: RunningService): Promise<string> =>
  (await service.admin.createPrivateLocation({ name: "office", monitorIds: [], metadata: {} }))
    .token;

async function posted(
  service: RunningService,
  token: string,
  body: Uint8Array,
  headers: Record<string, string>,
): Promise<{ status: number; message: string }> {
  const response = await fetch(`${service.url}${batchPath}`, {
    method: "POST",
    headers: { "x-service-token": token, ...headers },
    body: Buffer.from(body),
  });
  const answer: unknown = response.status === 200 ? {} : await response.json();
  return { status: response.status, message: JSON.stringify(answer) };
}

/** `results` is field 2, and each of them is empty: two bytes. */
const emptyResults = (count: number): Uint8Array => Buffer.alloc(2 * count, Buffer.of(0x12, 0));

const json = { "content-type": "application/json" };
const binary = { "content-type": "application/proto" };

test("a few kilobytes that unpack to twenty million results are refused before they are decoded", async () => {
  await using service = await runningService();
  const body = gzipSync(emptyResults(20_000_000));
  expect(body.length).toBeLessThan(50_000);
  const token = await tokenOf(service);
  const before = process.memoryUsage().rss;
  const answers = await Promise.all(
    Array.from({ length: 4 }, () =>
      posted(service, token, body, { ...binary, "content-encoding": "gzip" }),
    ),
  );
  for (const { status, message } of answers) {
    expect(status).toBe(400);
    expect(message).toContain(`the body has more than ${limits.callElementsMax} elements`);
  }
  // Decoded, they were 1.4 GB.
  expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
});

test("what unpacks to more than a call may have is refused", async () => {
  await using service = await runningService();
  const body = gzipSync(Buffer.alloc(wireLimits.serviceRequestBytesMax + 1));
  const packed = { ...binary, "content-encoding": "gzip" };
  const { status, message } = await posted(service, await tokenOf(service), body, packed);
  expect({ status, message }).toMatchObject({ status: 400 });
  expect(message).toContain(`the body has more than ${wireLimits.serviceRequestBytesMax} bytes`);
});

test.each([
  [
    "names that no one knows",
    `{${Array.from({ length: 300_000 }, (_, i) => `"k${i}":1`).join()}}`,
    "elements",
  ],
  ["deep nesting", `{"a":${"[".repeat(1_000_000)}`, "levels deep"],
  [
    "a number of ten million digits",
    `{"results":[{"tcp":{"latency":"${"9".repeat(10_000_000)}"}}]}`,
    "elements",
  ],
])("a JSON body of %s is refused before it is parsed", async (_name, body, why) => {
  await using service = await runningService();
  const answer = await posted(service, await tokenOf(service), Buffer.from(body), json);
  expect(answer.status).toBe(400);
  expect(answer.message).toContain(why);
});

test("a body that is not of the contract is refused without being decoded", () => {
  const of = (...bytes: number[]): string | null =>
    messageExcess(IngestBatchRequestSchema, "binary", Buffer.from(bytes), 100);
  // `results` as a number: the decoder would take what follows for its bytes.
  expect(of(0x10, 0x02, 0x12, 0x00)).toBe("is not a message of this call");
  expect(of(0x12, 0x7f)).toBe("is not a message of this call");
  expect(of(0x12)).toBe("is not a message of this call");
  expect(of(0x0b, 0x0c)).toBe("is not a message of this call");
  expect(of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)).not.toBeNull();
  // A field of a newer agent.
  expect(of(0xf8, 0x7f, 0x01)).toBeNull();
});

test("every field, entry and value counts once, also one inside another", () => {
  const batch = toBinary(
    IngestBatchRequestSchema,
    create(IngestBatchRequestSchema, {
      instanceId: "a",
      results: [
        { result: { case: "dns", value: { id: "b", records: { A: { record: ["c", "d"] } } } } },
      ],
    }),
  );
  // instance, result, dns, its id, records, its key and value, two records.
  expect(messageExcess(IngestBatchRequestSchema, "binary", batch, 9)).toBeNull();
  expect(messageExcess(IngestBatchRequestSchema, "binary", batch, 8)).toBe(
    "has more than 8 elements",
  );
  const beat = create(HeartbeatRequestSchema, { labels: { a: "b" }, monitorCount: 3n });
  expect(
    messageExcess(HeartbeatRequestSchema, "binary", toBinary(HeartbeatRequestSchema, beat), 4),
  ).toBeNull();
  expect(
    messageExcess(HeartbeatRequestSchema, "json", Buffer.from('{"a":"},{,\\"","b":[1,2]}'), 4),
  ).toBeNull();
});

test("a caller that has too much on the way is asked to come again, and another is served", async () => {
  await using service = await runningService();
  const [greedy, other] = [await tokenOf(service), await tokenOf(service)];
  const stalled = new AbortController();
  const size = 39 * 1024 * 1024;
  const began: Promise<void>[] = [];
  const sent = Array.from({ length: 3 }, () => {
    const started = Promise.withResolvers<void>();
    began.push(started.promise);
    const body = new ReadableStream({
      async pull(controller) {
        if (stalled.signal.aborted) return controller.close();
        controller.enqueue(new Uint8Array(size));
        started.resolve();
        await new Promise((resolve) => stalled.signal.addEventListener("abort", resolve));
      },
    });
    return fetch(`${service.url}${batchPath}`, {
      method: "POST",
      headers: { "x-service-token": greedy, ...binary },
      body,
      duplex: "half",
    });
  });
  const first = await Promise.race(sent);
  expect(first.status).toBe(503);
  expect(first.headers.get("retry-after")).toBe("1");
  expect((await posted(service, other, new Uint8Array(), binary)).status).toBe(200);
  stalled.abort();
  service.abandon();
  await Promise.allSettled(sent);
});

test("four thousand strangers who connect and say nothing keep no one out", async () => {
  await using service = await runningService();
  const token = await tokenOf(service);
  const opened: Socket[] = [];
  let dropped = 0;
  const open = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(service.port, "127.0.0.1", () => {
        if (text !== "") socket.write(text);
        resolve();
      });
      socket.resume().on("error", () => {});
      socket.on("close", () => (dropped += 1));
      opened.push(socket);
    });
  const unfinished = `POST ${batchPath} HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{`;
  for (let round = 0; round < 41; round += 1)
    await Promise.all(Array.from({ length: 100 }, (_, i) => open(i % 2 === 0 ? "" : unfinished)));
  expect((await posted(service, token, new Uint8Array(), binary)).status).toBe(200);
  await expect.poll(() => dropped).toBeGreaterThan(99);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  for (const socket of opened) socket.destroy();
});
