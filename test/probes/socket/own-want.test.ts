import { describe, expect, test } from "vitest";
import { classify } from "#probes/socket/classify";
import { canMakeNetwork, inOwnNetwork } from "../../support/own-network.ts";

/** What the agent lacks itself is never a target's downtime: it is the agent's failure, with what to do about it. */

test.each(["EADDRNOTAVAIL", "EADDRINUSE", "EAGAIN", "EMFILE", "ENFILE", "ENOBUFS", "ENOMEM"])(
  "%s is the agent's, and says what to do",
  (code) => {
    const said = classify(Object.assign(new Error(code), { code }), "connect", "a.test:80");
    expect(said).toMatchObject({ code: "agent_error", phase: "agent" });
    expect(said.message).toMatch(/: (widen|raise) .* \(a\.test:80\)$/);
  },
);

/** A server of each kind on loopback, and one check of each kind, direct and through a proxy. */
const scene = `
  import { once } from "node:events";
  import { createServer } from "node:net";
  import { createSocket } from "node:dgram";
  import { openSync } from "node:fs";
  import { startDeadline } from "#base/deadline";
  import { systemClock } from "#base/clock";
  import { proberContext } from "#agent/prober/probe-context";
  import { probe } from "#probes/registry";
  const held = [];
  const server = createServer((socket) => void held.push(socket.on("error", () => {})));
  server.listen(1000, "127.0.0.1");
  await once(server, "listening");
  const names = createServer((socket) => void held.push(socket.on("error", () => {})));
  names.listen(53, "127.0.0.1");
  await once(names, "listening");
  const options = {
    trust: { authorities: null, identity: null }, nameServers: [], ipFamily: "any", resolver: "stub",
    targetRules: { allow: [], deny: [] }, proxying: { proxy: null, exceptions: [] }, http2: true,
    kernelClock: true, bodyBytesMax: 1000, userAgent: "picket/test",
    overrides: { redirectsMax: 10, acceptsAnyCertificate: false, fixedAddresses: [] },
  };
  const direct = proberContext(options);
  const proxy = { host: "127.0.0.1", port: 1000, secure: false, authorization: null };
  const tunnelled = proberContext({ ...options, proxying: { proxy, exceptions: [] } });
  const overTcp = { ...direct, systemNames: {
    hosts: () => [],
    resolvConf: () => ({ ...direct.systemNames.resolvConf(), servers: [{ host: "127.0.0.1", port: 53 }], overTcp: true }),
  } };
  const http = { kind: "http", method: "GET", headers: [], body: "", followRedirects: false };
  const dns = { kind: "dns", name: "a.test", types: ["A"], recordsNeeded: true, server: { host: "127.0.0.1", port: 1001 } };
  const checks = {
    tcp: [{ kind: "tcp", host: "127.0.0.1", port: 1000 }, direct],
    http: [{ ...http, url: "http://127.0.0.1:1000/" }, direct],
    https: [{ ...http, url: "https://127.0.0.1:1000/" }, direct],
    proxied: [{ ...http, url: "http://target.test/" }, tunnelled],
    "dns over udp": [dns, direct],
    "dns over tcp": [{ ...dns, server: null }, overTcp],
  };
  const results = async (timeout = 2000) => {
    const found = {};
    for (const [name, [target, context]] of Object.entries(checks)) {
      using deadline = startDeadline(systemClock, timeout);
      const { failure } = await probe(target, deadline, context);
      found[name] = failure === null ? "ok" : failure.code + " in " + failure.phase + ": " + failure.message;
    }
    return found;
  };`;

describe.skipIf(!canMakeNetwork())("in a network with eight local ports", () => {
  const eightPorts = ['echo "40000 40007" > /proc/sys/net/ipv4/ip_local_port_range'];
  test("a check for which none is left is the agent's failure, whatever its kind", async () => {
    const { stdout, output } = await inOwnNetwork(
      eightPorts,
      `${scene}
      import { connect } from "node:net";
      for (const port of [1000, 53])
        for (let one = 0; one < 8; one += 1) {
          const socket = connect(port, "127.0.0.1");
          held.push(socket);
          await once(socket, "connect");
        }
      for (let one = 0; one < 8; one += 1) {
        const socket = createSocket("udp4");
        socket.bind(0);
        await once(socket, "listening");
      }
      console.log(JSON.stringify(await results()));
      process.exit(0);`,
    );
    expect(output).toContain("{");
    const ours = expect.stringMatching(
      /^agent_error in agent: this machine has no free local port: widen net\.ipv4\.ip_local_port_range/,
    );
    expect(JSON.parse(stdout)).toEqual({
      tcp: ours,
      http: ours,
      https: ours,
      proxied: ours,
      "dns over udp": ours,
      "dns over tcp": ours,
    });
  });

  test("without IPv6, an address of it is unusable, which no port would change", async () => {
    const { output } = await inOwnNetwork(
      ["echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6"],
      `${scene}
      using deadline = startDeadline(systemClock, 2000);
      const target = { kind: "tcp", host: "2001:db8::1", port: 80 };
      console.log((await probe(target, deadline, direct)).failure.code);
      process.exit(0);`,
    );
    expect(output).toMatch(/^address_unusable$/m);
  });

  test("a check for which no descriptor is left is the agent's failure, whatever its kind", async () => {
    const { stdout, output } = await inOwnNetwork(
      ["ulimit -n 64"],
      `${scene}
      // Once before, so that nothing is left to load when no file can be opened.
      await results(100);
      try {
        for (;;) held.push(openSync("/dev/null"));
      } catch {}
      const found = await results();
      console.log(JSON.stringify(found));
      process.exit(0);`,
    );
    expect(output).toContain("{");
    const ours = expect.stringMatching(
      /^agent_error in agent: the agent has no file descriptor left: raise LimitNOFILE=/,
    );
    expect(JSON.parse(stdout)).toEqual({
      tcp: ours,
      http: ours,
      https: ours,
      proxied: ours,
      "dns over udp": ours,
      "dns over tcp": ours,
    });
  });
});
