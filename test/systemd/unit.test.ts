import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { bundle } from "../../packaging/bundle.ts";
import { buildExecutable, ownArchitecture } from "../../packaging/executable.ts";
import { runCommand } from "../support/run-command.ts";
import { bootMachine, copyClone, type Machine } from "./machine.ts";

/** The unit and its installer, in a booted systemd; the tests are the life of one installation, in its order. */

const unit = path.resolve(import.meta.dirname, "../../systemd/picket.service");
let machine: Machine;
let token = "";
let key = "";

const show = async (property: string): Promise<string> =>
  machine.must(`systemctl show -P ${property} picket.service`);
const journal = (): Promise<string> =>
  machine.must("journalctl -u picket.service --no-pager -o cat");
/** Waits for the unit to be as it should, for as long as systemd's own patience takes. */
const settled = (look: () => Promise<void>): Promise<void> =>
  vi.waitFor(look, { timeout: 100_000, interval: 200 });
const restarts = async (): Promise<number> => Number(await show("NRestarts"));
/** A machine that is busy for as long as the watchdog waits has it start the agent once more. */
const runsAgain = (before: number): Promise<void> =>
  settled(async () => {
    expect(await restarts()).toBeGreaterThan(before);
    expect(await show("ActiveState")).toBe("active");
  });
/** Assigned and told so: the service has it, and systemd was told what it does. */
const statusIs = (pattern: RegExp): Promise<void> =>
  settled(async () => expect(await show("StatusText")).toMatch(pattern));

/** Three seconds of patience, so that a stuck agent and a long stop cost this test less; and a way to make it stuck. */
const impatient =
  "[Service]\nWatchdogSec=3s\nTimeoutStopSec=3s\nEnvironment=NODE_OPTIONS=--import=/opt/hang.mjs\n";
const hangs = 'process.on("SIGUSR2", () => { for (;;); });';

/** Gives the location these monitors beside those that it has; what the command says. */
async function apply(monitors: string): Promise<string> {
  writeFileSync(path.join(machine.root, "root/monitors.yaml"), monitors);
  return machine.must(
    `SERVICE_API_URL=http://127.0.0.1:8787 SERVICE_API_KEY=${key} /opt/clone/bin/picket apply -f /root/monitors.yaml --location office`,
  );
}

beforeAll(async () => {
  machine = await bootMachine();
  copyClone(path.join(machine.root, "opt/clone"));
  await machine.must(
    "systemd-run --unit=service --property=StateDirectory=service /opt/clone/bin/picket service",
  );
  await settled(async () => void (await machine.must("ss -ltn | grep :8787")));
  key = await machine.must(
    "/opt/clone/bin/picket service key create --name first --scope write --database /var/lib/service/service.sqlite",
  );
  const applied = await apply(
    "tcp_monitors:\n  - { name: service, uri: 'localhost:8787', periodicity: 30s, active: true }\n",
  );
  token = /pkt_loc_[\w-]+/.exec(applied)?.[0] ?? "";
  writeFileSync(path.join(machine.root, "root/token"), `${token}\n`);
  const dropIn = path.join(machine.root, "etc/systemd/system/picket.service.d");
  mkdirSync(dropIn, { recursive: true });
  writeFileSync(path.join(dropIn, "test.conf"), impatient);
  writeFileSync(path.join(machine.root, "opt/hang.mjs"), hangs);
});
afterAll(async () => machine?.[Symbol.asyncDispose]());

test("the unit is understood whole, and exposes little", async () => {
  const verified = await machine.run(
    "cp /opt/clone/systemd/picket.service /run/ && ln -sf /bin/true /usr/local/bin/picket && systemd-analyze verify /run/picket.service; rm /usr/local/bin/picket",
  );
  expect(verified).toEqual({ code: 0, stdout: "", output: "" });
  const { output } = await runCommand("systemd-analyze", ["security", "--offline=true", unit]);
  const score = Number(/exposure level for picket.service: ([\d.]+)/.exec(output)?.[1]);
  process.stdout.write(`systemd-analyze security: ${score}\n`);
  expect(score).toBeLessThanOrEqual(1.3);
});

test("systemd learns that an installation is ready, and shows what it does", async () => {
  const installed = await machine.run(
    "/opt/clone/systemd/install.sh /opt/clone http://127.0.0.1:8787 /root/token",
  );
  expect(installed.output).toContain("Active: active (running)");
  expect(installed.code).toBe(0);
  expect(await machine.must("stat -c %a:%U /etc/picket/token")).toBe("600:root");
  expect(await show("UnitFileState")).toBe("enabled");
  await statusIs(/^running, service up, monitors 1, checks in flight \d+, results waiting \d+$/);
});

test("another address of the service is taken only if the service answers at it", async () => {
  const install = "/opt/clone/systemd/install.sh";
  const wrong = await machine.run(`${install} /opt/clone https://127.0.0.1:8787`);
  expect(wrong.output).toMatch(/✗ service: .*\n.*nothing was changed/);
  expect(wrong.code).toBe(1);
  const set = "grep ^SERVICE_API_URL /etc/picket/picket.env";
  expect(await machine.must(set)).toBe("SERVICE_API_URL=http://127.0.0.1:8787");
  await machine.must(`${install} /opt/clone http://127.0.0.1:8787/`);
  expect(await machine.must(set)).toBe("SERVICE_API_URL=http://127.0.0.1:8787/");
  await statusIs(/service up, monitors 1/);
  await machine.must(`${install} /opt/clone http://127.0.0.1:8787`);
});

test("doctor examines the agent in the unit's own surroundings", async () => {
  const page = readFileSync(path.resolve(import.meta.dirname, "../../docs/install.md"), "utf8");
  const [, recipe = ""] = /```sh\n(systemd-run [^`]*doctor)\n```/.exec(page) ?? [];
  // What systemd itself sets at boot where it may set what the kernel says of a network.
  await machine.must('echo "0 2147483647" > /proc/sys/net/ipv4/ping_group_range');
  const { output } = await machine.run(recipe);
  expect(output).toMatch(/✓ token: the service takes it/);
  expect(output).toMatch(/✓ state directory/);
  expect(output).toMatch(/✓ pings: allowed without privilege/);
  // This machine has no network, and so no name server.
  expect(output.match(/^✗ .*$/gm) ?? []).toEqual([expect.stringMatching(/^✗ name servers:/)]);
  await statusIs(/service up, monitors 1/);
});

test("it runs as its own user, without capabilities, and only it was given the token", async () => {
  const pid = await show("MainPID");
  const status = await machine.must(`cat /proc/${pid}/status`);
  expect(status).toMatch(/^CapEff:\t0+$/m);
  expect(status).toMatch(/^CapBnd:\t0+$/m);
  expect(status).toMatch(/^NoNewPrivs:\t1$/m);
  expect(Number(/^Uid:\t(\d+)/m.exec(status)?.[1])).toBeGreaterThan(60_000);
  expect(await machine.must(`tr '\\0' '\\n' </proc/${pid}/environ`)).not.toContain(token);
  expect(await journal()).not.toContain(token);
});

test("a name with addresses of both families is checked inside the sandbox", async () => {
  const asking = `fetch("http://127.0.0.1:8686/status").then((answer) => answer.text()).then(console.log)`;
  await settled(async () => {
    const status = await machine.must(`/opt/clone/node_modules/.bin/node -e '${asking}'`);
    expect(status).toContain('"status":"success"');
  });
  expect(await journal()).not.toContain("agent_error");
  // The unit's filter of system calls lets through what they need.
  expect(await journal()).toContain("probes use raw sockets");
});

test("the journal knows which of its lines are warnings", async () => {
  const warnings = await machine.must("journalctl -u picket.service -p warning --no-pager -o cat");
  expect(warnings).not.toContain('"severity":"info"');
  // What systemd itself says of a unit is no line of ours.
  await machine.must(
    "systemd-run --wait --unit=nowhere --setenv=PICKET_TOKEN=planted --setenv=PICKET_WORKRES=2 --setenv=PICKET_LISTEN=none /usr/local/bin/picket agent; true",
  );
  const said = (priority: string): Promise<string> =>
    machine.must(`journalctl -u nowhere -p ${priority}..${priority} --no-pager -o cat`);
  expect(await said("warning")).toContain("PICKET_WORKRES is not known");
  expect(await said("err")).toContain("picket agent: PICKET_LISTEN must be");
});

const watchdogTimeouts = async (): Promise<number> =>
  (await journal()).match(/Watchdog timeout/g)?.length ?? 0;

test.each([
  ["whose loop hangs", "USR2"],
  ["that is stopped in its tracks", "STOP"],
])("an agent %s is started again by the watchdog", async (_what, signal) => {
  const before = { restarts: await restarts(), timeouts: await watchdogTimeouts() };
  await machine.must(`kill -${signal} ${await show("MainPID")}`);
  await runsAgain(before.restarts);
  expect(await watchdogTimeouts()).toBeGreaterThan(before.timeouts);
});

test("an agent that is killed is started again with the state that it had", async () => {
  const instance = readFileSync(path.join(machine.root, "var/lib/private/picket/instance"), "utf8");
  const before = await restarts();
  await machine.must(`kill -KILL ${await show("MainPID")}`);
  await runsAgain(before);
  await statusIs(/service up, monitors 1/);
  const kept = readFileSync(path.join(machine.root, "var/lib/private/picket/instance"), "utf8");
  expect(kept).toBe(instance);
  const said = (await journal()).matchAll(/"service.instance.id":"([^"]+)"/g);
  // Each start of the unit says it once, however often it was started before.
  expect(new Set([...said].map(([, id]) => id))).toEqual(new Set([instance.trim()]));
});

test.each([
  ["without Node.js", ":", "needs Node.js 26 in the PATH"],
  [
    "with a Node.js that the unit does not see",
    "mkdir /root/bin && ln -s /opt/clone/node_modules/.bin/node /root/bin/",
    "the unit does not see /root/bin/node",
  ],
])("an upgrade to the bundle %s leaves the agent as it is", async (_what, prepare, says) => {
  await bundle(path.join(machine.root, "opt/new"));
  const before = await show("MainPID");
  const { code, output } = await machine.run(
    `${prepare} && PATH=/root/bin:$PATH /opt/clone/systemd/install.sh /opt/new http://127.0.0.1:8787 /dev/null`,
  );
  expect(output).toContain(says);
  expect(code).toBe(1);
  expect(await show("MainPID")).toBe(before);
  expect(await machine.must("picket --version")).toMatch(/^picket \d/);
  expect(await machine.must("cat /etc/picket/token")).toBe(token);
  expect(await machine.must("find /etc /usr/local -name '*.new'")).toBe("");
});

test.each(["bundle", "one file"])(
  "an upgrade, here to the %s, keeps token and settings and starts the new program",
  async (form) => {
    await (form === "bundle" ? putBundle() : putExecutable());
    const before = await show("MainPID");
    await machine.must("/opt/clone/systemd/install.sh /opt/new");
    expect(await machine.must("cat /etc/picket/picket.env")).toBe(
      "SERVICE_API_URL=http://127.0.0.1:8787",
    );
    const after = await show("MainPID");
    expect(after).not.toBe(before);
    expect(await machine.must(`tr '\\0' ' ' </proc/${after}/cmdline`)).toMatch(
      form === "bundle" ? /picket\.mjs agent/ : /^\/usr\/local\/bin\/picket agent/,
    );
    await statusIs(/service up, monitors 1/);
  },
);

async function putBundle(): Promise<void> {
  await bundle(path.join(machine.root, "opt/new"));
  await machine.must("ln -s /opt/clone/node_modules/.bin/node /usr/local/bin/node");
}
/** Without any Node.js that it could find. */
async function putExecutable(): Promise<void> {
  await machine.must("rm -r /opt/new /usr/local/bin/node");
  await buildExecutable(ownArchitecture ?? "x64", path.join(machine.root, "opt/new"), () => {});
}

/** As docs/secrets.md says it. */
const credentials = `[Service]
LoadCredential=api:/etc/picket/secrets/api
LoadCredential=api.hosts:/etc/picket/secrets/api.hosts
Environment=PICKET_SECRETS_DIR=%d
`;

test("systemd credentials are secrets of the location: a target gets one, and no one else sees it", async () => {
  await machine.must(
    `systemd-run --unit=shop /opt/clone/node_modules/.bin/node -e 'require("http").createServer((asked, answer) => { console.log("token " + asked.headers["x-token"]); answer.end(); }).listen(9998)'`,
  );
  const secrets = path.join(machine.root, "etc/picket/secrets");
  mkdirSync(secrets, { mode: 0o700 });
  writeFileSync(path.join(secrets, "api"), "planted-credential\n", { mode: 0o600 });
  writeFileSync(path.join(secrets, "api.hosts"), "http://127.0.0.1:9998\n", { mode: 0o600 });
  writeFileSync(
    path.join(machine.root, "etc/systemd/system/picket.service.d/secrets.conf"),
    credentials,
  );
  await machine.must("systemctl daemon-reload && systemctl restart picket.service");
  await apply(
    "http_monitors:\n  - { name: shop, url: 'http://127.0.0.1:9998', periodicity: 30s, active: true, headers: [{ key: X-Token, value: '{{secret:api}}' }] }\n",
  );
  await settled(
    async () =>
      void (await machine.must("journalctl -u shop -o cat | grep -x 'token planted-credential'")),
  );
  expect(await journal()).not.toContain("planted-credential");
  const environ = `tr '\\0' '\\n' </proc/${await show("MainPID")}/environ`;
  expect(await machine.must(environ)).not.toContain("planted-credential");
  const kept = "grep -rl planted-credential /var/lib/private/picket /var/lib/service; true";
  expect(await machine.must(kept)).toBe("");
});

/** Between two instants that systemd remembers of the unit. */
const secondsBetween = async (from: string, to: string): Promise<number> =>
  (Number(await show(`${to}TimestampMonotonic`)) -
    Number(await show(`${from}TimestampMonotonic`))) /
  1e6;

test("a stop drains for longer than the unit's TimeoutStopSec, and ends with 0", async () => {
  await machine.must(
    `systemd-run --unit=silence /opt/clone/node_modules/.bin/node -e 'require("net").createServer((peer) => peer.once("data", () => console.log("asked"))).listen(9999)'`,
  );
  await apply(
    "http_monitors:\n  - { name: silence, url: 'http://127.0.0.1:9999', timeout: 8000, retry: 1, periodicity: 30s, active: true }\n",
  );
  // The check in flight has to be the one that gets no answer: its server says when it was asked.
  await settled(
    async () => void (await machine.must("journalctl -u silence -o cat | grep -x asked")),
  );
  await machine.must("systemctl stop picket.service");
  expect(await secondsBetween("ActiveExit", "InactiveEnter")).toBeGreaterThan(3.5);
  expect(await show("Result")).toBe("success");
  expect(await show("ExecMainStatus")).toBe("0");
  expect(await journal()).toMatch(/"how":"drained"/);
});

/** A network whose router refuses the way to 10.0.2.9. */
const refusingRouter = [
  "ip netns add r1",
  "ip link add eth0 type veth peer name near netns r1",
  "ip address add 10.0.0.2/24 dev eth0 && ip link set eth0 up",
  "ip -n r1 address add 10.0.0.1/24 dev near && ip -n r1 link set near up",
  "ip netns exec r1 sh -c 'cd /proc/sys/net/ipv4; echo 1 > ip_forward; echo 0 > icmp_ratelimit'",
  "ip -n r1 route add prohibit 10.0.2.0/24",
  "ip route add default via 10.0.0.1",
];
/** Every line of the unit that says who runs it and what it may do. */
const confinement = readFileSync(unit, "utf8")
  .split("[Service]")[1]
  ?.split("[Install]")[0]
  ?.split("\n")
  .filter((line) => /^[A-Z]/.test(line))
  .filter(
    (line) => !/^(Type|Notify|Exec|Restart|Watchdog|Timeout|Kill|Environ|Load|State)/.test(line),
  )
  .map((line) => `--property='${line}'`)
  .join(" ");

test("evidence is had as installed: under the unit's filters a router that refuses and a cable that is out are named", async () => {
  await machine.must(refusingRouter.join(" && "));
  await apply(
    "tcp_monitors:\n  - { name: far, uri: '10.0.2.9:443', periodicity: 30s, retry: 0, active: true }\n",
  );
  await machine.must("systemctl start picket.service");
  const asking = `fetch("http://127.0.0.1:8686/status").then((answer) => answer.text()).then(console.log)`;
  const statusHas = (text: string): Promise<void> =>
    vi.waitFor(
      async () =>
        expect(await machine.must(`/opt/clone/node_modules/.bin/node -e '${asking}'`)).toContain(
          text,
        ),
      { timeout: 100_000, interval: 500 },
    );
  const why = async (): Promise<unknown> => {
    const { stdout, output } = await machine.run(
      `systemd-run --pipe --wait --quiet --collect ${confinement} /usr/local/bin/picket why tcp://10.0.2.9:443 --timeout 5s --json`,
    );
    expect(output).toContain('"place"');
    return JSON.parse(stdout);
  };
  await statusHas("10.0.0.1, a router on the way, refuses 10.0.2.9:443");
  expect(await why()).toMatchObject({
    place: "path",
    because: "10.0.0.1, a router on the way, refuses 10.0.2.9:443",
    result: { evidence: { refused_by: { from: "a router", type: 3, code: 13 } } },
  });
  await machine.must("ip -n r1 link set near down");
  expect(await why()).toMatchObject({
    place: "me",
    because: "eth0 has no carrier: its cable or switch is gone",
  });
  await statusHas('"sentence":"eth0 has no carrier: its cable or switch is gone"');
  await machine.must("systemctl stop picket.service");
});

const onDisk = [
  "/etc/picket",
  "/etc/picket/*",
  "/etc/systemd/system/picket.service",
  "/etc/systemd/system/*.wants/picket.service",
  "/usr/local/bin/picket*",
  "/usr/local/lib/picket*",
  "/var/lib/picket*",
  "/var/lib/private/picket*",
];
/** All that an installation put anywhere, links that lead nowhere included. */
const left = async (): Promise<readonly string[]> => {
  const { stdout } = await machine.run(`ls -d ${onDisk.join(" ")} 2>/dev/null`);
  return stdout.split("\n").filter(Boolean).toSorted();
};

test("an uninstallation leaves nothing but the state, and with --purge not even that", async () => {
  expect(await left()).toContain("/etc/systemd/system/multi-user.target.wants/picket.service");
  await machine.must("/opt/clone/systemd/install.sh uninstall");
  expect(await left()).toEqual([
    "/etc/picket",
    "/etc/picket/picket.env",
    "/etc/picket/secrets",
    "/etc/picket/token",
    "/var/lib/picket",
    "/var/lib/private/picket",
  ]);
  const purged = await machine.run("/opt/clone/systemd/install.sh uninstall --purge");
  expect(purged).toEqual({ code: 0, stdout: "", output: "" });
  expect(await left()).toEqual([]);
});
