import { beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "#base/clock";
import { noAccounts } from "#service/notify/accounts";
import { answering, connected } from "../support/agent-channel.ts";
import { runningService, type RunningService } from "../support/running-service.ts";
import { canInstall, installClient, printed } from "./python-client.ts";

/*
 * The existing service's own client of Python (openstatus 0.1.0) against Picket's service: what docs/service.md says of it.
 * Its package also has the contract's descriptors, and in them the rules of each field.
 */

const twilio = { accountSid: "AC1", user: "AC1", password: "p", baseUrl: "https://twilio.test" };
const smtp = {
  host: "127.0.0.1",
  port: 1,
  tls: "if-offered",
  login: null,
  dkim: null,
  isGiven: false,
} as const;
/** A sender for each provider. What is sent goes nowhere: the tests ask for channels alone, and for a message to a closed port. */
const accounts = {
  ...noAccounts,
  smtp: { ...smtp, from: "picket@acme.test" },
  telegram: { token: "t", baseUrl: "https://telegram.test" },
  sms: { ...twilio, from: { by: "number", number: "+491701111111" } },
  whatsapp: { ...twilio, by: "twilio", number: "+491701111111", contentSid: "HX1" },
} as const;

async function serving(callsPerSecond: number): Promise<{ service: RunningService; key: string }> {
  const service = await runningService({
    clock: systemClock,
    callsPerSecond,
    publicUrl: "https://picket.test/",
    notifying: {
      accounts,
      proxying: { proxy: null, exceptions: [] },
      secureContext: undefined,
      httpAllowed: true,
    },
  });
  const { key } = await service.admin.createApiKey({ name: "ci", scope: "write" });
  return { service, key };
}

/** A monitor that an agent has checked, and whose agent is there to check it again. */
async function seenMonitor(service: RunningService, key: string): Promise<string> {
  const { monitor } = await service.monitors(key).createHTTPMonitor({
    monitor: { name: "seen", url: "https://seen.test/", periodicity: 1, active: true },
  });
  const id = monitor?.id ?? "";
  const office = { name: "office", monitorIds: [id], metadata: {} };
  const { token } = await service.admin.createPrivateLocation(office);
  answering(await connected(service, token), "a", systemClock, "http");
  const now = BigInt(systemClock.wall());
  const value = { monitorId: id, requestStatus: "success", latency: 5n, timestamp: now };
  const result = { case: "http" as const, value: { ...value, cronTimestamp: now } };
  await service.agent(token).ingestBatch({ instanceId: "a", results: [{ result }] });
  return id;
}

describe.skipIf(!canInstall())("the OpenStatus client of Python", () => {
  beforeAll(installClient);

  test.each(["sync", "async"])(
    "calls each of its methods, and reads what it sent: %s",
    async (manner) => {
      const { service, key } = await serving(1_000);
      await using _ = service;
      const id = await seenMonitor(service, key);
      const said = await printed("every-method.py", service.url, key, manner, id);
      expect(said).toEqual({ uncalled: [], calls: expect.any(Number), wrong: [] });
    },
  );

  test("makes 150 monitors with 16 calls at a time at a key's usual pace, and none is refused", async () => {
    const { service, key } = await serving(20);
    await using _ = service;
    const said = await printed("apply-side-by-side.py", service.url, key);
    expect(said).toEqual({ refused: [], there: 150 });
  });

  test("knows 303 rules of requests, and each is kept but those that Picket leaves out on purpose", async () => {
    const { service, key } = await serving(10_000);
    await using _ = service;
    const said = await printed("every-rule.py", service.url, key);
    expect(said).toEqual({ rules: 303, different: looser });
  });
});

/** The specification has a default for a method and for a channel's name; an update merges, so it may leave out all. */
const looser = [
  "CreateHTTPMonitor monitor.method: not_in 0",
  "CreateNotification name: min_len",
  "UpdateDNSMonitor monitor.name: min_len",
  "UpdateDNSMonitor monitor.periodicity: not_in 0",
  "UpdateDNSMonitor monitor.uri: min_len",
  "UpdateHTTPMonitor monitor.method: not_in 0",
  "UpdateHTTPMonitor monitor.name: min_len",
  "UpdateHTTPMonitor monitor.periodicity: not_in 0",
  "UpdateHTTPMonitor monitor.url: min_len",
  "UpdateTCPMonitor monitor.name: min_len",
  "UpdateTCPMonitor monitor.periodicity: not_in 0",
  "UpdateTCPMonitor monitor.uri: min_len",
];
