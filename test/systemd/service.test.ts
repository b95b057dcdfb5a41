import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Authority } from "../support/authority.ts";
import { runCommand } from "../support/run-command.ts";
import { bootMachine, copyClone, type Machine } from "./machine.ts";

/** The service's unit and its installer, in a booted systemd; the tests are the life of one installation, in its order. */

const units = path.resolve(import.meta.dirname, "../../systemd");
const install = "/opt/clone/systemd/install.sh";
let machine: Machine;
let authority: Authority;
let key = "";

const show = async (property: string, unit = "picket-service"): Promise<string> =>
  machine.must(`systemctl show -P ${property} ${unit}.service`);
const settled = (look: () => Promise<void>): Promise<void> =>
  vi.waitFor(look, { timeout: 100_000, interval: 200 });
const written = (file: string, text: string): void =>
  writeFileSync(path.join(machine.root, file), text);
const picket = (command: string, env = ""): Promise<string> =>
  machine.must(
    `SERVICE_API_URL=https://127.0.0.1:8787 PICKET_CA_FILE=/etc/picket/ca.crt SERVICE_API_KEY=${key} ${env} /usr/local/bin/picket ${command}`,
  );

beforeAll(async () => {
  machine = await bootMachine();
  authority = await Authority.create();
  copyClone(path.join(machine.root, "opt/clone"));
});
afterAll(async () => machine?.[Symbol.asyncDispose]());

test("the unit is understood whole, and exposes as little as the agent's", async () => {
  const verified = await machine.run(
    "cp /opt/clone/systemd/picket-service.service /run/ && ln -sf /bin/true /usr/local/bin/picket && systemd-analyze verify /run/picket-service.service; rm /usr/local/bin/picket",
  );
  expect(verified).toEqual({ code: 0, stdout: "", output: "" });
  const score = async (name: string): Promise<number> => {
    const unit = path.join(units, `${name}.service`);
    const { output } = await runCommand("systemd-analyze", ["security", "--offline=true", unit]);
    return Number(/exposure level for \S+: ([\d.]+)/.exec(output)?.[1]);
  };
  const exposed = await score("picket-service");
  process.stdout.write(`systemd-analyze security: ${exposed}\n`);
  expect(exposed).toBeLessThanOrEqual(await score("picket"));
});

test("an installation shows the first key, once, and never in the journal", async () => {
  const installed = await machine.run(`${install} service /opt/clone`);
  expect(installed.output).toContain("Active: active (running)");
  expect(installed.code).toBe(0);
  key = /pkt_key_[\w-]{43}/.exec(installed.output)?.[0] ?? "";
  expect(key).not.toBe("");
  const journal = await machine.must("journalctl --no-pager -o cat");
  expect(journal).toContain("There is no API key");
  expect(journal).not.toContain("pkt_key_");
  expect(await show("StatusText")).toBe("listens on http://127.0.0.1:8787");
  expect(await machine.must("/usr/local/bin/picket health service")).toBe("the service is healthy");
  const again = await machine.must(`${install} service /opt/clone`);
  expect(again).not.toContain("pkt_key_");
});

test("with its own certificate it speaks TLS, and an agent on the same machine reaches it", async () => {
  const { cert, key: secret } = await authority.issue();
  mkdirSync(path.join(machine.root, "etc/picket/tls"), { recursive: true });
  written("etc/picket/tls/certificate", cert);
  written("etc/picket/tls/key", secret);
  written("etc/picket/ca.crt", authority.cert);
  await machine.must("chmod 600 /etc/picket/tls/key && systemctl restart picket-service");
  expect(await show("StatusText")).toBe("listens on https://127.0.0.1:8787");
  written(
    "root/monitors.yaml",
    "tcp_monitors:\n  - { name: service, uri: 'localhost:8787', periodicity: 30s, active: true }\n",
  );
  const applied = await picket("apply -f /root/monitors.yaml --location office");
  written("root/token", `${/pkt_loc_[\w-]+/.exec(applied)?.[0] ?? ""}\n`);
  written("etc/picket/picket.env", "PICKET_CA_FILE=/etc/picket/ca.crt\n");
  await machine.must(`${install} /opt/clone https://127.0.0.1:8787 /root/token`);
  await settled(async () =>
    expect(await show("StatusText", "picket")).toMatch(/^running, service up, monitors 1,/),
  );
});

test("a stop drains it and ends well, and a restart keeps its data", async () => {
  await machine.must("systemctl stop picket-service");
  expect(await show("Result")).toBe("success");
  expect(await show("ExecMainStatus")).toBe("0");
  await settled(async () =>
    expect(await show("StatusText", "picket")).toMatch(/^running, service down,/),
  );
  await machine.must("systemctl start picket-service");
  await settled(async () =>
    expect(await show("StatusText", "picket")).toMatch(/^running, service up, monitors 1,/),
  );
  const plan = await picket("apply -f /root/monitors.yaml --location office");
  expect(plan).toContain("0 to create, 0 to update, 2 the same");
});

test("a hung service is restarted by the watchdog", async () => {
  const before = Number(await show("NRestarts"));
  const dropIn = path.join(machine.root, "etc/systemd/system/picket-service.service.d");
  mkdirSync(dropIn, { recursive: true });
  writeFileSync(path.join(dropIn, "test.conf"), "[Service]\nWatchdogSec=3s\nTimeoutAbortSec=1s\n");
  await machine.must("systemctl daemon-reload && systemctl restart picket-service");
  await machine.must("systemctl kill --signal=STOP picket-service");
  await settled(async () => {
    expect(Number(await show("NRestarts"))).toBe(before + 1);
    expect(await show("ActiveState")).toBe("active");
  });
});

test("the agent goes without the service, and the service at last with all that it had", async () => {
  await machine.must(`${install} uninstall --purge`);
  expect(await show("ActiveState")).toBe("active");
  await machine.must("test -e /etc/picket/tls/key");
  await machine.must(`${install} service uninstall --purge`);
  const left = await machine.run(
    "ls -d /usr/local/bin/picket /usr/local/lib/picket /var/lib/private/picket-service /etc/picket/tls /etc/systemd/system/picket-service.service",
  );
  expect(left.stdout).toBe("");
});
