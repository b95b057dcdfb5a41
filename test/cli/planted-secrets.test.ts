import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { create, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { MonitorsResponseSchema } from "#contract/private_location/v1/private_location_pb";
import { bytes, controlPlaneServer } from "../servers/control-plane-server.ts";
import { tunnels } from "../servers/proxies.ts";
import { tcpPeer } from "../servers/scripted.ts";
import { Authority } from "../support/authority.ts";
import { startPicket } from "../support/running-picket.ts";
import { temporaryFolder } from "../support/running-service.ts";

/** A monitor with a secret wherever one can stand; nothing listens where it points. */
const assigned = bytes(
  toBinary(
    MonitorsResponseSchema,
    create(MonitorsResponseSchema, {
      httpMonitors: [
        {
          id: "m",
          url: "http://planted-user:planted-word@127.0.0.1:1/?key=planted-query",
          periodicity: "10s",
          method: "GET",
          timeout: 1000n,
          headers: [{ key: "authorization", value: "Bearer planted-header" }],
          otelConfig: {
            endpoint: "http://127.0.0.1:1/planted-endpoint",
            headers: [{ key: "x-key", value: "planted-otlp" }],
          },
        },
      ],
      region: "office",
    }),
  ),
);

test("nothing that is secret is in the output of agent, check, config and doctor, and in no file that others may read", async () => {
  await using service = await controlPlaneServer({ Monitors: assigned });
  await using proxy = await tcpPeer(tunnels([]));
  const authority = await Authority.create();
  const own = await authority.issue();
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, "own.crt"), own.cert);
  writeFileSync(path.join(folder, "own.key"), own.key, { mode: 0o600 });
  const state = path.join(folder, "state");
  const env = {
    PICKET_TOKEN: "planted-token",
    SERVICE_API_URL: service.url.replace("http://", "http://planted-name:planted-pass@"),
    PICKET_SERVICE_PROXY: `http://u:planted-password@127.0.0.1:${proxy.port}`,
    PICKET_CLIENT_CERT_FILE: path.join(folder, "own.crt"),
    PICKET_CLIENT_KEY_FILE: path.join(folder, "own.key"),
    PICKET_STATE_DIR: state,
    PICKET_LOG_LEVEL: "debug",
    // This service takes no results: nothing comes of waiting for it.
    PICKET_DRAIN_TIMEOUT: "1s",
  };
  const agent = startPicket(["agent"], env);
  await agent.said(/a monitor fails/);
  expect(await agent.stop()).toBe(0);
  let output = agent.output();
  const target = "http://planted-user:planted-word@127.0.0.1:1/?key=planted-query";
  for (const args of [
    ["config"],
    ["config", "--json"],
    ["doctor"],
    ["check", target, "--explain", "--header", "authorization: Bearer planted-header"],
  ]) {
    const picket = startPicket(args, env);
    await new Promise((resolve) => picket.child.once("close", resolve));
    expect(picket.output()).not.toBe("");
    output += picket.output();
  }
  expect(output.split("\n").filter((line) => line.includes("planted"))).toEqual([]);
  expect(output).not.toContain(own.key.split("\n")[1]);
  expect(statSync(state).mode & 0o077).toBe(0);
  const files = readdirSync(state).map((name) => path.join(state, name));
  expect(files.length).toBeGreaterThan(0);
  const open = files.filter((file) => (statSync(file).mode & 0o077) !== 0);
  for (const file of open) expect(readFileSync(file, "latin1")).not.toContain("planted");
  for (const file of files) expect(readFileSync(file, "latin1")).not.toContain("planted-token");
});
