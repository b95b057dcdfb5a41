import type { ExchangeWatch } from "#probes/resolve/exchange-watch";
import dgram from "node:dgram";
import { once } from "node:events";
import packet from "dns-packet";
import { describe, expect, test } from "vitest";
import { systemClock } from "#base/clock";
import { type Deadline, startDeadline } from "#base/deadline";
import type { QueryEnd } from "#probes/resolve/ask-server";
import { type AskPolicy, askServers, policyOf } from "#probes/resolve/dns-exchange";
import { loopMarker } from "#probes/socket/marker";
import type { Sockets } from "#probes/socket/sockets";
import { ServerOrder } from "#probes/resolve/server-order";
import { millis } from "#base/units";
import { FakeClock } from "../../support/fake-clock.ts";
import { contextWith, patience } from "../../support/probing.ts";
import { turnClock } from "../../support/turn-clock.ts";
import {
  deliveries,
  type Delivery,
  type DnsScript,
  dnsServer,
  misbehaviours,
  reply,
  zone,
} from "../../servers/dns-server.ts";

const records = zone([{ type: "A", name: "a.test", data: "10.0.0.1" }]);
const question = { name: "a.test", type: "A" } as const;

/** No test knows what another met. */
const tools = {
  ...contextWith(),
  get serverOrder() {
    return new ServerOrder(systemClock);
  },
};
/** For a server beside which another is silent: an answer over loopback comes sooner, also on a busy machine. */
const patient = millis(1_000);

function ask(policy: AskPolicy, deadline?: Deadline, watch?: ExchangeWatch): Promise<QueryEnd> {
  if (deadline !== undefined) return askServers(question, policy, deadline, tools, watch);
  return within(patience, (own) => askServers(question, policy, own, tools, watch));
}

async function within<T>(timeout: number, work: (deadline: Deadline) => Promise<T>): Promise<T> {
  using deadline = startDeadline(turnClock, millis(timeout));
  return await work(deadline);
}

const valuesOf = (asked: QueryEnd): readonly string[] =>
  asked.ok ? asked.answer.records.map(({ value }) => value) : [asked.message];

/** Says over UDP that the answer does not fit, and over TCP what `script` says. */
const onlyOverTcp =
  (script: DnsScript = records): DnsScript =>
  (query, over) =>
    over === "udp" ? [reply(query, { truncated: true })] : script(query, over);

describe("over UDP", () => {
  const elsewhere = {
    "another port of the same address": { address: "127.0.0.1", samePort: false },
    "the same port of another address": { address: "127.0.0.2", samePort: true },
  };
  test.each(Object.entries(elsewhere))(
    "a forged answer from %s is not heard, though its id and question are right",
    async (_where, { address: from, samePort }) => {
      const server = dgram.createSocket("udp4");
      const forger = dgram.createSocket("udp4");
      server.bind(0, "127.0.0.1");
      await once(server, "listening");
      const { port: serverPort } = server.address();
      forger.bind(samePort ? serverPort : 0, from);
      await once(forger, "listening");
      let forgeries = 0;
      server.on("message", (bytes, { port, address }) => {
        const query = packet.decode(bytes);
        const forged = reply(query, { answers: [{ type: "A", name: "a.test", data: "6.6.6.6" }] });
        forger.send(forged, port, address, () => {
          forgeries += 1;
          const [honest = forged] = records(query, "udp");
          server.send(honest, port, address);
        });
      });
      const asked = await ask(policyOf([{ host: "127.0.0.1", port: serverPort }]));
      server.close();
      forger.close();
      expect(forgeries).toBe(1);
      expect(valuesOf(asked)).toEqual(["10.0.0.1"]);
    },
  );
  test("a hundred guesses at the id before the answer do no harm", async () => {
    await using server = await dnsServer((query) => [
      ...Array.from({ length: 100 }, (_, n) =>
        reply(query, {
          id: ((query.id ?? 0) + 1 + n) & 0xffff,
          answers: [{ type: "A", name: "a.test", data: "6.6.6.6" }],
        }),
      ),
      ...records(query, "udp"),
    ]);
    expect(valuesOf(await ask(policyOf([server])))).toEqual(["10.0.0.1"]);
  });
  test("answers of other queries are passed over, and the right one after them is taken", async () => {
    await using server = await dnsServer((query) => [
      ...misbehaviours.wrongId(query, "udp"),
      ...misbehaviours.wrongQuestion(query, "udp"),
      ...misbehaviours.notAnAnswer(query, "udp"),
      ...misbehaviours.garbage(query, "udp"),
      ...records(query, "udp"),
    ]);
    expect(valuesOf(await ask(policyOf([server])))).toEqual(["10.0.0.1"]);
  });
  test("each query has its own id and its own port", async () => {
    const seen: { id: number | undefined; port: number }[] = [];
    const server = dgram.createSocket("udp4");
    server.on("message", (bytes, { port, address }) => {
      const query = packet.decode(bytes);
      seen.push({ id: query.id, port });
      for (const message of records(query, "udp")) server.send(message, port, address);
    });
    server.bind(0, "127.0.0.1");
    await once(server, "listening");
    const policy = policyOf([{ host: "127.0.0.1", port: server.address().port }]);
    await Promise.all(Array.from({ length: 40 }, () => ask(policy)));
    server.close();
    // Two of forty may share an id by chance; forty that do not differ cannot.
    expect(new Set(seen.map(({ id }) => id)).size).toBeGreaterThan(30);
    expect(new Set(seen.map(({ port }) => port)).size).toBeGreaterThan(30);
  });
  test("an address that this machine cannot reach at all is a value, not an exception", async () => {
    // The broadcast address, which the kernel refuses to a socket that did not ask for the right.
    const asked = await ask(policyOf([{ host: "255.255.255.255", port: 53 }]));
    expect(asked).toMatchObject({
      ok: false,
      code: "dns_unreachable",
      server: "255.255.255.255:53",
    });
  });
  test.each([
    ["FORMERR", 1],
    ["NOTIMP", 4],
  ])(
    "after %s the question is asked again without EDNS, and so it stays over TCP",
    async (_name, rcode) => {
      await using server = await dnsServer((query, over) =>
        (query.additionals ?? []).length > 0
          ? [reply(query, { rcode })]
          : onlyOverTcp()(query, over),
      );
      const asked = await ask(policyOf([server]));
      expect(valuesOf(asked)).toEqual(["10.0.0.1"]);
      expect(server.heard).toEqual(["udp A a.test", "udp A a.test", "tcp A a.test"]);
    },
  );
  test("FORMERR without EDNS too is the answer, and is not asked about again", async () => {
    await using server = await dnsServer((query) => [reply(query, { rcode: 1 })]);
    expect(await ask(policyOf([server]))).toMatchObject({ answer: { rcode: "FORMERR" } });
    expect(server.heard).toEqual(["udp A a.test", "udp A a.test"]);
  });
});

describe("over TCP", () => {
  const whole: Record<string, Delivery> = {
    "in one piece": deliveries.inOne,
    "byte by byte": deliveries.byteByByte,
    "with another message behind it": deliveries.withMoreBehind,
  };
  test.each(Object.entries(whole))("an answer that comes %s is whole", async (_how, deliver) => {
    await using server = await dnsServer(onlyOverTcp(misbehaviours.manyRecords), { deliver });
    const asked = await ask(policyOf([server]));
    expect(valuesOf(asked)).toHaveLength(60);
    expect(asked.ok && asked.transport).toBe("tcp");
  });
  const broken: Record<string, Delivery> = {
    "half an answer": deliveries.halfThenClose,
    "a connection closed at once": deliveries.closeAtOnce,
    "a connection reset": deliveries.reset,
  };
  test.each(Object.entries(broken))("%s leaves it truncated", async (_how, deliver) => {
    await using server = await dnsServer(onlyOverTcp(), { deliver });
    expect(await ask(policyOf([server]))).toMatchObject({
      code: "dns_truncated",
      message: expect.stringMatching(
        /^the answer of 127.0.0.1:\d+ for a.test is truncated, and TCP/,
      ),
    });
  });
  const endless: Record<string, Delivery> = {
    "half an answer and then silence": deliveries.halfThenSilence,
    "an answer that drips without an end": deliveries.dripWithoutEnd,
  };
  test.each(Object.entries(endless))("%s ends with the deadline", async (_how, deliver) => {
    await using server = await dnsServer(onlyOverTcp(), { deliver });
    expect(await within(200, (deadline) => ask(policyOf([server]), deadline))).toMatchObject({
      code: "dns_truncated",
      message: expect.stringMatching(/ is truncated, and TCP gave none in time$/),
    });
    const onlyTcp = { ...policyOf([server]), overTcp: true };
    expect(await within(200, (deadline) => ask(onlyTcp, deadline))).toMatchObject({
      code: "dns_timeout",
      message: expect.stringMatching(/^Timeout after 200 ms /),
    });
  });
  const lyingFrames: Record<string, Delivery> = {
    "of no bytes": deliveries.emptyFrame,
    "that is longer than it says": deliveries.shortFrame,
  };
  test.each(Object.entries(lyingFrames))("a message %s is malformed", async (_how, deliver) => {
    await using server = await dnsServer(onlyOverTcp(), { deliver });
    expect(await ask(policyOf([server]))).toMatchObject({ ok: false, code: "dns_malformed" });
  });
  test("an answer to another question is malformed: nothing else was asked there", async () => {
    await using server = await dnsServer(onlyOverTcp(misbehaviours.wrongQuestion));
    expect(await ask(policyOf([server]))).toMatchObject({ ok: false, code: "dns_malformed" });
  });
  test("use-vc passes UDP over", async () => {
    await using server = await dnsServer(records);
    const asked = await ask({ ...policyOf([server]), overTcp: true });
    expect(valuesOf(asked)).toEqual(["10.0.0.1"]);
    expect(server.heard).toEqual(["tcp A a.test"]);
  });
  test("use-vc with nothing behind the port is an unreachable server", async () => {
    await using server = await dnsServer(records, { tcp: false });
    expect(await ask({ ...policyOf([server]), overTcp: true })).toMatchObject({
      ok: false,
      code: "dns_unreachable",
    });
  });
});

describe("a list of servers", () => {
  test("is gone through in its order, and as often as there are attempts", async () => {
    await using first = await dnsServer(misbehaviours.servfail);
    await using second = await dnsServer(misbehaviours.refused);
    const marks: string[] = [];
    const asked = await ask({ ...policyOf([first, second]), attempts: 3 }, undefined, {
      marker: loopMarker(systemClock),
      onSending: () => marks.push("sending"),
      onSent: () => marks.push("sent"),
      onAnswer: () => marks.push("answer"),
    });
    expect(asked.ok && asked.answer.rcode).toBe("REFUSED");
    expect([first.heard.length, second.heard.length]).toEqual([3, 3]);
    expect(marks).toEqual(Array.from({ length: 6 }, () => ["sending", "sent", "answer"]).flat());
  });
  test("continues after a silent server, an unreachable one and one that does not implement queries", async () => {
    await using silent = await dnsServer(misbehaviours.silent);
    await using notimp = await dnsServer((query) => [reply(query, { rcode: 4 })]);
    const gone = await dnsServer(records);
    await gone[Symbol.asyncDispose]();
    await using last = await dnsServer(records);
    const asked = await ask({ ...policyOf([silent, notimp, gone, last]), timeout: patient });
    expect(asked).toMatchObject({ ok: true, server: `127.0.0.1:${last.port}` });
  });
  test("continues after a server whose answer does not fit and whose TCP is closed, broken or silent", async () => {
    const script = onlyOverTcp(misbehaviours.truncatedEverywhere);
    const peers = [
      { tcp: false },
      { deliver: deliveries.halfThenClose },
      { deliver: deliveries.halfThenSilence },
      { deliver: deliveries.inOne },
    ];
    for (const peer of peers) {
      await using first = await dnsServer(script, peer);
      await using second = await dnsServer(records);
      const asked = await ask({ ...policyOf([first, second]), timeout: patient });
      expect(asked).toMatchObject({ ok: true, server: `127.0.0.1:${second.port}` });
    }
  });
  test("says in words why no packet can reach a server", async () => {
    const unrouted: Sockets["datagrams"] = (_address, _port, listener) => {
      const refused = Object.assign(new Error("send ENETUNREACH"), { code: "ENETUNREACH" });
      queueMicrotask(() => listener.onFailed(refused));
      return { close: () => undefined };
    };
    const offline = { ...tools, sockets: { ...tools.sockets, datagrams: unrouted } };
    const asked = await within(patience, (own) =>
      askServers(question, policyOf([{ host: "127.0.0.1", port: 53 }]), own, offline),
    );
    expect(valuesOf(asked)).toEqual([
      "cannot resolve a.test: 127.0.0.1:53 cannot be reached (no route to the network)",
    ]);
  });
  test("answers by the second within three seconds if the first is silent, and begins there from then on", async () => {
    await using silent = await dnsServer(misbehaviours.silent);
    await using second = await dnsServer(records);
    const own = { ...tools, serverOrder: new ServerOrder(turnClock) };
    const asked = (): Promise<QueryEnd> =>
      within(3_000, (deadline) => askServers(question, policyOf([silent, second]), deadline, own));
    const server = `127.0.0.1:${second.port}`;
    expect([await asked(), await asked()]).toMatchObject([{ server }, { server }]);
    expect([silent.heard.length, second.heard.length]).toEqual([1, 2]);
  });
  test("comes back to a server that was silent ten seconds after it answers again, and no answer waits for that", async () => {
    const clock = new FakeClock();
    let script: DnsScript = misbehaviours.silent;
    await using first = await dnsServer((query, over) => script(query, over));
    await using second = await dnsServer(records);
    const own = { ...tools, serverOrder: new ServerOrder(clock) };
    const answering = async (): Promise<number> => {
      const asked = await within(patience, (deadline) =>
        askServers(question, policyOf([first, second]), deadline, own),
      );
      return asked.server === `127.0.0.1:${first.port}` ? 1 : 2;
    };
    expect([await answering(), await answering()]).toEqual([2, 2]);
    const isAsked = Promise.withResolvers<void>();
    script = () => (isAsked.resolve(), []);
    await clock.advance(10_000);
    expect(await answering()).toBe(2);
    // It is silent still: the next question for it is ten seconds away.
    await isAsked.promise;
    expect([await answering(), first.heard.length]).toEqual([2, 2]);
    script = records;
    await clock.advance(10_000);
    expect(await answering()).toBe(2);
    while ((await answering()) !== 1);
    expect(first.heard.length).toBe(4);
  });
  test("listens to each server to the end of its time: the first one's late answer counts while the second is asked, too", async () => {
    const isAsked = Promise.withResolvers<void>();
    let late: () => void = () => {};
    const socket = dgram.createSocket("udp4");
    socket.on("message", (bytes, { port, address }) => {
      const [answer = bytes] = records(packet.decode(bytes), "udp");
      late = () => socket.send(answer, port, address);
    });
    socket.bind(0, "127.0.0.1");
    await once(socket, "listening");
    const { port } = socket.address();
    await using silent = await dnsServer(() => (isAsked.resolve(), []));
    const asked = ask(policyOf([{ host: "127.0.0.1", port }, silent]));
    await isAsked.promise;
    late();
    expect(await asked).toMatchObject({ ok: true, server: `127.0.0.1:${port}` });
    socket.close();
  });
  test("shares out a deadline that is shorter than its servers would take", async () => {
    await using silent = await dnsServer(misbehaviours.silent);
    await using other = await dnsServer(misbehaviours.silent);
    await using last = await dnsServer(records);
    const policy = policyOf([silent, other, last]);
    expect(await within(400, (deadline) => ask(policy, deadline))).toMatchObject({ ok: true });
  });
  test("reports an answer that did not fit rather than another's silence", async () => {
    await using first = await dnsServer(misbehaviours.truncatedEverywhere, { tcp: false });
    await using silent = await dnsServer(misbehaviours.silent);
    const policy = { ...policyOf([first, silent]), timeout: patient, attempts: 1 };
    expect(await ask(policy)).toMatchObject({
      code: "dns_truncated",
      server: `127.0.0.1:${first.port}`,
    });
  });
  test("is not gone through further after an answer that is one: NXDOMAIN", async () => {
    await using first = await dnsServer(misbehaviours.nxdomain);
    await using second = await dnsServer(records);
    expect(await ask(policyOf([first, second]))).toMatchObject({ answer: { rcode: "NXDOMAIN" } });
    expect(second.heard).toEqual([]);
  });
  test("reports what a server said rather than another's silence", async () => {
    await using servfail = await dnsServer(misbehaviours.servfail);
    await using silent = await dnsServer(misbehaviours.silent);
    const policy = { ...policyOf([servfail, silent]), timeout: patient, attempts: 1 };
    expect(await ask(policy)).toMatchObject({ ok: true, answer: { rcode: "SERVFAIL" } });
  });
  test("says how long it listened if all are silent", async () => {
    await using silent = await dnsServer(misbehaviours.silent);
    const asked = await ask({ ...policyOf([silent]), timeout: millis(60) });
    expect(asked).toMatchObject({
      code: "dns_timeout",
      message: expect.stringMatching(
        /^Timeout after \d+ ms resolving a.test \(no answer from 127.0.0.1:\d+\)$/,
      ),
    });
    expect(silent.heard).toHaveLength(2);
  });
  test("that is empty is unreachable, and says so", async () => {
    expect(await ask(policyOf([]))).toMatchObject({
      code: "dns_unreachable",
      message: "cannot resolve a.test: no name server is configured",
    });
  });
  test("begins at any of its servers if it rotates", async () => {
    await using one = await dnsServer(records);
    await using two = await dnsServer(records);
    const policy = { ...policyOf([one, two]), rotate: true };
    // That all of forty begin at the same one happens once in 2 ** 39 times.
    await Promise.all(Array.from({ length: 40 }, () => ask(policy)));
    expect(one.heard.length).toBeGreaterThan(0);
    expect(two.heard.length).toBeGreaterThan(0);
    expect(one.heard.length + two.heard.length).toBe(40);
  });
});

describe("a deadline", () => {
  test("that has ended before is honoured without a word to any server", async () => {
    await using server = await dnsServer(records);
    using over = startDeadline(systemClock, millis(5_000), AbortSignal.abort());
    expect(await ask(policyOf([server]), over)).toMatchObject({ ok: false, code: "cancelled" });
    expect(server.heard).toEqual([]);
  });
  test("that its caller cancels ends the exchange at once", async () => {
    const parent = new AbortController();
    await using server = await dnsServer(() => {
      parent.abort();
      return [];
    });
    using deadline = startDeadline(systemClock, millis(60_000), parent.signal);
    expect(await ask(policyOf([server]), deadline)).toMatchObject({ code: "cancelled" });
    expect(server.heard).toHaveLength(1);
  });
  test("that its caller cancels leaves open what was not final: a truncated answer, an error of the first server", async () => {
    const parent = new AbortController();
    const cancelling: Delivery = () => parent.abort();
    await using silent = await dnsServer(onlyOverTcp(), { deliver: cancelling });
    using first = startDeadline(systemClock, millis(60_000), parent.signal);
    expect(await ask(policyOf([silent]), first)).toMatchObject({ code: "cancelled" });

    const other = new AbortController();
    await using servfail = await dnsServer(misbehaviours.servfail);
    await using last = await dnsServer(() => {
      other.abort();
      return [];
    });
    using second = startDeadline(systemClock, millis(60_000), other.signal);
    expect(await ask(policyOf([servfail, last]), second)).toMatchObject({ code: "cancelled" });
  });
});
