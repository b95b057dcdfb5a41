import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { describe, expect, test } from "vitest";
import { AuditService } from "#contract/picket/v1/audit_pb";
import { runApply } from "#cli/apply/apply-command";
import { captureIo } from "../support/captured-io.ts";
import { runningService, type RunningService } from "../support/running-service.ts";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "../support/running-service.ts";

const monitor = `http_monitors: [{ name: shop, url: "https://shop.test/", periodicity: 1m, active: true }]`;

async function scene() {
  const service = await runningService();
  const keyOf = async (scope: "read" | "write"): Promise<string> =>
    (await service.admin.createApiKey({ name: `a ${scope} key`, scope })).key;
  return { service, write: await keyOf("write"), read: await keyOf("read") };
}

const audit = ({ url }: RunningService, key: string) =>
  createClient(
    AuditService,
    createConnectTransport({
      baseUrl: url,
      httpVersion: "1.1",
      interceptors: [
        (next) => (request) => {
          request.header.set("x-service-key", key);
          return next(request);
        },
      ],
    }),
  );

describe("the audit log of a service", () => {
  test("says of each change who made it, from where, when and what: a command, a key and files", async () => {
    const { service, write } = await scene();
    await using _running = service;
    const made = await service
      .monitors(write)
      .createHTTPMonitor({ monitor: { name: "till", url: "https://till.test/", periodicity: 1 } });
    await service.monitors(write).deleteMonitor({ id: made.monitor?.id ?? "" });
    const file = path.join(temporaryFolder(), "shop.yaml");
    writeFileSync(file, monitor);
    const io = captureIo({ SERVICE_API_URL: service.url, SERVICE_API_KEY: write });
    expect(await runApply(["-f", file], io)).toBe(0);
    const { lines } = await audit(service, write).exportAuditLog({});
    const entries = lines.map((line) => JSON.parse(line));
    expect(
      entries.map(({ who, deed, kind, name }) => [who.kind, who.from, deed, kind, name]),
    ).toEqual([
      ["command", "", "made", "key", "a write key"],
      ["command", "", "made", "key", "a read key"],
      ["key", "127.0.0.1", "made", "monitor", "till"],
      ["key", "127.0.0.1", "deleted", "monitor", "till"],
      ["files", "127.0.0.1", "made", "monitor", "shop"],
    ]);
    for (const { at, fields, who } of entries) {
      expect(at).toMatch(/^\d{4}-\d\d-\d\dT/);
      expect(who.name).not.toBe("");
      expect(fields.length).toBeGreaterThan(0);
    }
    const key = entries[0].fields.find(({ field }: { field: string }) => field === "key");
    expect(key).toMatchObject({
      is: "secret",
      before: null,
      after: expect.stringMatching(/^.{16}$/),
    });
  });

  test("is exported in portions", async () => {
    const { service, write } = await scene();
    await using _running = service;
    const log = audit(service, write);
    const first = await log.exportAuditLog({ limit: 1 });
    expect([first.lines.length, first.next]).toEqual([1, 1n]);
    const rest = await log.exportAuditLog({ after: first.next });
    expect([rest.lines.length, rest.next]).toEqual([1, 0n]);
    for (const wrong of [{ after: -1n }, { limit: 1_001 }, { limit: -1 }])
      await expect(log.exportAuditLog(wrong)).rejects.toThrow(/must be 0/);
  });

  test("is for keys that may write: its entries say from where people work", async () => {
    const { service, read } = await scene();
    await using _running = service;
    await expect(audit(service, read).exportAuditLog({})).rejects.toThrow(/may only read/);
    await expect(audit(service, "").exportAuditLog({})).rejects.toThrow(/x-service-key is missing/);
  });
});
