import http from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { dnsServer, zone } from "../../servers/dns-server.ts";
import { ExistingService } from "../../servers/existing-service.ts";
import { startPicket } from "../../support/running-picket.ts";
import { temporaryFolder } from "../../support/running-service.ts";
import { listenLocally } from "../../servers/listen-locally.ts";

/*
 * What the existing service's dashboard lets a person save, and its own agent passes: a team that changes agents must
 * not wake up to red monitors.
 */
test("no monitor that the existing service let pass turns red, and the log says what was left out", async () => {
  const target = http.createServer((_request, response) => response.end("hello"));
  const port = await listenLocally(target);
  const url = `http://127.0.0.1:${port}/`;
  const names = await dnsServer(
    zone([{ name: "shop.test", type: "NS", ttl: 60, data: "ns1.shop.test" }]),
  );
  onTestFinished(async () => {
    target.closeAllConnections();
    target.close();
    await names[Symbol.asyncDispose]();
  });
  const common = { periodicity: "1h", timeout: 5_000n, retry: 0n, url };
  const framing = ["Content-Length", "Transfer-Encoding", "TE", "Expect", "Keep-Alive"];
  const rows = (keys: readonly string[]) => keys.map((key) => ({ key, value: "1" }));
  const service = new ExistingService({
    token: "location-token",
    assigned: {
      region: "office",
      httpMonitors: [
        { id: "empty-row", ...common, headers: rows(["", "X-A"]) },
        { id: "framing", ...common, headers: rows([...framing, "Upgrade", "Connection"]) },
        { id: "otlp-row", ...common, otelConfig: { endpoint: "rubbish", headers: rows([""]) } },
        { id: "spaces", ...common, url: ` ${url} ` },
        { id: "many", ...common, headers: rows(Array.from({ length: 25 }, (_, n) => `X-${n}`)) },
        { id: "lt-600", ...common, statusCodeAssertions: [{ target: 600n, comparator: 5 }] },
        { id: "timeout", ...common, timeout: 180_000n },
        {
          id: "unspecified",
          ...common,
          bodyAssertions: [
            { target: "5", comparator: 0 },
            { target: "hell", comparator: 1 },
          ],
        },
        { id: "body", ...common, method: "DELETE", body: "saved" },
        { id: "utf8", ...common, headers: [{ key: "X-Name", value: "Zoë 東京" }] },
        { id: "other", ...common, periodicity: "other" },
      ],
      dnsMonitors: [
        {
          id: "ns",
          uri: "shop.test",
          periodicity: "1h",
          timeout: 5_000n,
          retry: 0n,
          recordAssertions: [{ record: "NS", target: "ns1.shop.test", comparator: 1 }],
        },
      ],
    },
  });
  await using listening = await service.listen();
  const agent = startPicket(["agent"], {
    PICKET_TOKEN: "location-token",
    PICKET_TOKEN_HEADER: "openstatus-token",
    SERVICE_API_URL: listening.url,
    PICKET_STATE_DIR: temporaryFolder(),
    PICKET_DNS_SERVERS: `${names.host}:${names.port}`,
  });
  const wanted = ["empty-row", "framing", "otlp-row", "spaces", "many", "lt-600", "timeout"]
    .concat(["unspecified", "body", "utf8", "ns"])
    .toSorted();
  await expect
    .poll(() => service.stored.map(({ monitorId }) => monitorId).toSorted())
    .toEqual(wanted);
  expect(service.stored.map(({ monitorId, message }) => [monitorId, message])).toEqual(
    service.stored.map(({ monitorId }) => [monitorId, ""]),
  );
  expect(await agent.stop()).toBe(0);
  const log = agent.output();
  for (const remark of [
    "headers[0].key is required: the header is not sent",
    "otlp_endpoint must begin with http:// or https://, for example https://example.com: the check runs, and its metrics are not exported",
    "timeout must be in 0 to 120000, not 180000: 120000 is used",
    "the assertion is left out, and the others judge",
    "body is not sent with DELETE",
    'periodicity is \\"other\\": the monitor is not run',
  ])
    expect(log).toContain(remark);
});
