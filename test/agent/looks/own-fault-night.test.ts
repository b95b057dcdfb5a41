import { beforeAll, describe, expect, test } from "vitest";
import { orderLines, orderModule } from "../../support/network-orders.ts";
import { behindRouters, canRoute } from "../../support/routed-network.ts";

/** Every address of 10.0.4.0/24 is the target's. */
const hosts: readonly string[] = [
  "ip -n target route add local 10.0.4.0/24 dev lo",
  "ip -n r1 route add 10.0.4.0/24 via 10.0.1.2",
  "ip -n r2 route add 10.0.4.0/24 via 10.0.2.9",
  ...orderLines,
];

/** A rule that refuses every target, what became of it until it was gone, and then a machine without free ports. */
const nights = `${orderModule}
  import { createServer } from "node:net";
  import { once } from "node:events";
  import { create, toBinary } from "@bufbuild/protobuf";
  import { HeartbeatRequestSchema } from "#contract/private_location/v1/private_location_pb";
  import { heartbeatRequest } from "#transport/heartbeat-message";
  import { noOverrides } from "#check/overrides";
  import { nightOffice } from "./test/support/night-office.ts";
  const probing = { overrides: noOverrides, trust: { authorities: null, identity: null }, nameServers: [],
    ipFamily: "any", resolver: "stub", targetRules: { allow: [], deny: [] }, proxying: { proxy: null, exceptions: [] },
    http2: true, kernelClock: true, rawSockets: "off", evidence: "local", evidenceDirect: false, paths: false, references: [],
    bodyBytesMax: 1000, userAgent: "picket/test" };
  const uris = Array.from({ length: 30 }, (_, n) => "10.0.4." + (n + 1) + ":80");
  const { agent, sent, beats, log, until, stop } = await nightOffice(uris, probing);
  const instance = { id: "a", version: "1", hostname: "h", node: "", labels: {}, placement: "share" };
  const bytesOf = (beat) => toBinary(HeartbeatRequestSchema, create(HeartbeatRequestSchema, heartbeatRequest(beat, instance))).length;
  // On a busy machine an agent may be paused or late in addition: that is not the fault of this night.
  const isOwn = ({ cause }) => ["firewall", "ports"].includes(cause.subject);
  const own = () => agent.status.conditions.filter(isOwn);
  const lines = () => log.flatMap(({ message, fields }) => {
    const [, how] = /network (is faulty|works again)/.exec(message) ?? [];
    return how === undefined ? [] : [{ how, id: fields.id, cause: fields.cause ?? null }];
  });
  const vantage = () => sent.flatMap(({ notice: { type, trouble, message, incident } }) => trouble === "vantage" ? [{ type, message, incident: incident.id }] : []);
  const messages = () => {
    const busy = new Set(vantage().flatMap(({ message, incident }) => /^The agent was (paused|delayed)/.test(message) ? [incident] : []));
    return vantage().filter(({ incident }) => !busy.has(incident));
  };
  const allAffected = () => until(() => own().reduce((sum, { cause }) => sum + cause.affected, 0) >= uris.length);
  async function night(begin, end) {
    const [from, heartbeats] = [messages().length, beats.length];
    begin();
    await allAffected();
    const conditions = own().map(({ cause: { scope, subject, certainty, sentence, affected }, state }) => ({ scope, subject, certainty, sentence, affected, state }));
    const ids = own().map(({ cause }) => cause.id);
    await until(() => messages().length > from);
    end();
    await until(() => own().length === 0 && messages().length > from + 1);
    return { conditions, messages: messages().slice(from), bytes: Math.max(...beats.slice(heartbeats).filter(({ conditions }) => conditions.every(isOwn)).map(bytesOf)),
      lines: lines().filter(({ id }) => ids.includes(id)).map(({ how, cause }) => ({ how, cause })) };
  }
  const rule = (how) => order("iptables " + how + " OUTPUT -p tcp --dport 80 -d 10.0.4.0/24 -j REJECT");
  await until(() => agent.status.schedule.started >= uris.length);
  const firewall = await night(() => rule("-A"), () => rule("-D"));
  const held = [40000, 40001].map((port) => createServer().listen(port));
  await Promise.all(held.map((server) => once(server, "listening")));
  order("echo 40000 40001 > /proc/sys/net/ipv4/ip_local_port_range");
  await allAffected();
  const ports = own().map(({ cause: { subject, sentence } }) => ({ subject, sentence }));
  console.log(JSON.stringify({ uid: process.getuid(), firewall, ports }));
  await stop();
  process.exit(0);`;

interface Night {
  readonly conditions: readonly Readonly<Record<string, unknown>>[];
  readonly messages: readonly {
    readonly type: string;
    readonly message: string;
    readonly incident: string;
  }[];
  /** Of the largest heartbeat. */
  readonly bytes: number;
  readonly lines: readonly { readonly how: string; readonly cause: string | null }[];
}

describe.skipIf(!canRoute("iptables", "timeout"))(
  "one fault of the agent's own machine, and thirty monitors",
  () => {
    let uid = 0;
    let firewall: Night = { conditions: [], messages: [], bytes: 0, lines: [] };
    let ports: readonly unknown[] = [];
    beforeAll(async () => {
      const target = `createServer((socket) => socket.on("error", () => {}).resume()).listen(80, "::", ready);`;
      const { stdout } = await behindRouters({ target, breakIt: hosts }, nights);
      ({ uid, firewall, ports } = JSON.parse(stdout));
    }, 300_000);
    const refuses = expect.stringMatching(/^this machine's own firewall refuses 10\.0\.4\.\d+:80$/);

    test("a rule of its own firewall is one condition of all of them, and heartbeats stay small", () => {
      expect(uid).toBe(65532);
      expect(firewall.conditions).toEqual([
        {
          scope: "machine",
          subject: "firewall",
          certainty: "proven",
          sentence: refuses,
          affected: 30,
          state: "impaired",
        },
      ]);
      expect(firewall.bytes).toBeGreaterThan(0);
      expect(firewall.bytes).toBeLessThan(500);
    });
    test("it is one incident with one message and one recovery, and two lines of the log", () => {
      const { messages, lines } = firewall;
      expect(messages.map(({ type }) => type)).toEqual(["location.trouble", "location.well"]);
      expect(messages[0]?.message).toMatch(
        /^This machine's own firewall refuses 10\.0\.4\.\d+:80\. So/,
      );
      expect(new Set(messages.map(({ incident }) => incident)).size).toBe(1);
      expect(lines).toEqual([
        { how: "is faulty", cause: refuses },
        { how: "works again", cause: null },
      ]);
    });
    test("local ports that are used up are one condition, too, whichever target each check dials", () => {
      expect(ports).toEqual([
        {
          subject: "ports",
          sentence: expect.stringMatching(
            /^this machine has no free local port: .* \(10\.0\.4\.\d+:80\)$/,
          ),
        },
      ]);
    });
  },
);
