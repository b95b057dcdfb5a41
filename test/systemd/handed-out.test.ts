import { mkdirSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startWays } from "#service/operator/locations/start-commands";
import { bundle } from "../../packaging/bundle.ts";
import { Authority } from "../support/authority.ts";
import { bootMachine, type Machine } from "./machine.ts";

/** The line of a location's page, pasted into a shell of root's on a machine without a clone; in the order of its life. */

const address = "https://127.0.0.1:8787";
/** Out of the unit's PATH, so that the machine has no Node.js of its own. */
const picket = "/opt/service/node --disable-warning=ExperimentalWarning /opt/service/picket.mjs";
let machine: Machine;
let line = "";

const show = async (property: string): Promise<string> =>
  machine.must(`systemctl show -P ${property} picket.service`);
const settled = (look: () => Promise<void>): Promise<void> =>
  vi.waitFor(look, { timeout: 100_000, interval: 200 });
const isOnline = (): Promise<void> =>
  settled(async () =>
    expect(await show("StatusText")).toMatch(/^running, service up, monitors 1,/),
  );
/** As docs/install.md says it of an own authority. */
const paste = (command: string): ReturnType<Machine["run"]> =>
  machine.run(
    `cd /root && export CURL_CA_BUNDLE=$PWD/ca.pem PICKET_CA_FILE=$PWD/ca.pem\n${command}`,
  );

beforeAll(async () => {
  machine = await bootMachine();
  const folder = path.join(machine.root, "opt/service");
  await bundle(folder);
  copyFileSync(process.execPath, path.join(folder, "node"));
  const authority = await Authority.create();
  const { cert, key: secret } = await authority.issue();
  mkdirSync(path.join(machine.root, "opt/tls"));
  writeFileSync(path.join(machine.root, "opt/tls/certificate"), cert);
  writeFileSync(path.join(machine.root, "opt/tls/key"), secret);
  writeFileSync(path.join(machine.root, "root/ca.pem"), authority.cert);
  writeFileSync(
    path.join(machine.root, "root/monitors.yaml"),
    "tcp_monitors:\n  - { name: service, uri: 'localhost:8787', periodicity: 30s, active: true }\n",
  );
  await machine.must(
    `systemd-run --unit=service --property=StateDirectory=service --setenv=PICKET_SERVICE_CERT_FILE=/opt/tls/certificate --setenv=PICKET_SERVICE_KEY_FILE=/opt/tls/key ${picket} service`,
  );
  await settled(async () => void (await machine.must("ss -ltn | grep :8787")));
  const key = await machine.must(
    `${picket} service key create --name first --scope write --database /var/lib/service/service.sqlite`,
  );
  const applied = await machine.must(
    `SERVICE_API_URL=${address} PICKET_CA_FILE=/root/ca.pem SERVICE_API_KEY=${key} ${picket} apply -f /root/monitors.yaml --location office`,
  );
  const token = /pkt_loc_[\w-]+/.exec(applied)?.[0] ?? "";
  line = startWays({ address, token }).find(({ id }) => id === "systemd")?.commands ?? "";
});
afterAll(async () => machine?.[Symbol.asyncDispose]());

test("the line installs an agent that the service has, with the authority of the service", async () => {
  const installed = await paste(line);
  expect(installed).toMatchObject({
    code: 0,
    output: expect.stringContaining("Active: active (running)"),
  });
  expect(await show("UnitFileState")).toBe("enabled");
  await isOnline();
});

test("the same line takes a newer program, also without the token, and keeps the agent's state", async () => {
  const instance = await machine.must("cat /var/lib/private/picket/instance");
  const before = await show("MainPID");
  const again = await paste(line.replace(/PICKET_TOKEN=\S+ /, ""));
  expect([again.code, again.output]).toEqual([0, expect.stringContaining("active (running)")]);
  expect(await show("MainPID")).not.toBe(before);
  await isOnline();
  expect(await machine.must("cat /var/lib/private/picket/instance")).toBe(instance);
});

test("without the service and without a clone, the agent is taken away as the documentation has it", async () => {
  await machine.must("systemctl stop service");
  const page = readFileSync(path.resolve(import.meta.dirname, "../../docs/install.md"), "utf8");
  const [, recipe = ""] = /^(\/usr\/local\/\S*install\.sh uninstall --purge)$/m.exec(page) ?? [];
  const purged = await machine.run(recipe);
  expect([purged.code, recipe]).toEqual([0, expect.stringMatching(/./)]);
  const left = await machine.run(
    "ls -d /etc/picket /etc/systemd/system/picket.service /usr/local/bin/picket /usr/local/lib/picket /var/lib/picket /var/lib/private/picket",
  );
  expect(left.stdout).toBe("");
});
