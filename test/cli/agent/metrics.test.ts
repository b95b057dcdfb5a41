import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { startPicket } from "../../support/running-picket.ts";
import { temporaryFolder } from "../../support/running-service.ts";
import { startCollector } from "../../servers/collector.ts";
import { answers, tcpPeer } from "../../servers/scripted.ts";

test("picket up sends a monitor's metrics to the collector of its file, its own to that of the environment, and shows no secret", async () => {
  await using target = await tcpPeer(answers("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
  await using named = await startCollector();
  await using own = await startCollector();
  const file = path.join(temporaryFolder(), "monitors.yaml");
  writeFileSync(
    file,
    `http_monitors:
  - name: shop
    url: http://127.0.0.1:${target.port}/cart?token=hunter2
    periodicity: 30s
    otlp_endpoint: http://127.0.0.1:${named.port}/in
    otlp_headers: { x-api-key: hunter2 }
`,
  );
  const up = startPicket(["up", "--monitors", file, "--json"], {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${own.port}`,
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20hunter3",
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    // A stop sends what there is too, but waits for a collector no longer than whoever stops an agent would.
    OTEL_METRIC_EXPORT_INTERVAL: "1000",
  });
  await Promise.all([
    named.heard("picket.check.phase.duration"),
    own.heard("picket.check.duration"),
  ]);
  expect(await up.stop(), up.output()).toBe(0);
  expect(named.exports[0]).toMatchObject({ url: "/in", headers: { "x-api-key": "hunter2" } });
  expect(named.exports[0]?.headers.authorization).toBeUndefined();
  expect(named.exports[0]?.body.toString("latin1")).toContain("picket.check.phase.duration");
  expect(own.exports[0]?.headers).toMatchObject({ authorization: "Bearer hunter3" });
  expect(own.exports[0]?.headers["x-api-key"]).toBeUndefined();
  const told = own.exports.map(({ body }) => body.toString()).join("");
  expect(told).toContain("picket.agent.monitors");
  expect(told).toContain("picket.location.id");
  expect(told).toContain("picket.check.duration");
  const everything = [told, ...named.exports.map(({ body }) => body.toString("latin1"))];
  expect([...everything, up.output()].join("")).not.toMatch(/hunter/);
});
