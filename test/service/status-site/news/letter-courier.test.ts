import { once } from "node:events";
import { connect, createServer } from "node:net";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "#base/clock";
import { MailPost } from "#service/notify/mail-post";
import { openSecretBox } from "#service/edge/secret-box";
import { LetterCourier } from "#service/status-site/news/letter-courier";
import { LetterWriting } from "#service/status-site/news/letter-writing";
import { MailCarrier } from "#service/status-site/news/mail-carrier";
import { PageReaders } from "#service/status-site/news/page-readers";
import { pageDefaults } from "#service/status-page/page-definition";
import {
  smtpGreylists,
  smtpKnowsNoSuchUser,
  startMailServer,
} from "../../../servers/mail-servers.ts";
import { FakeClock } from "../../../support/fake-clock.ts";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { quickFolder } from "../../../support/running-service.ts";
import { memoryLog } from "../../../support/twins.ts";

/* What waits for readers, sent to real mail servers that do not always take it. */

/** A page with so many readers, and a report that each of them is to get. */
async function scene(port: number, count: number) {
  const clock = new FakeClock(Date.parse("2026-11-22T12:00:00Z"));
  const log = memoryLog();
  const database = path.join(quickFolder(), "service.sqlite");
  const store = await openStoreHere({ database, use: "service", onProgress: () => {} });
  onTestFinished(() => store[Symbol.asyncDispose]());
  const box = openSecretBox(`${database}.key`);
  const readers = new PageReaders({ store, box, clock });
  const definition = { ...pageDefaults, title: "Acme", slug: "acme" };
  const at = clock.wall();
  await store.pages.pages.create({ uid: "u", definition, sealed: "", owner: "", labels: {}, at });
  const plain = { page: 1, name: "", source: "vendor", locale: "en" } as const;
  for (let made = 0; made < count; made += 1) {
    const address = `r${made}@reader.test`;
    await readers.addAddress({ ...plain, components: null }, address);
  }
  const update = { status: "resolved", at, message: "m", impacts: [], createdAt: at } as const;
  await store.pages.reports.create({
    page: 1,
    title: "t",
    components: [],
    update,
    announces: true,
  });
  const from = "status@acme.test";
  const account = {
    host: "127.0.0.1",
    port,
    tls: "if-offered",
    login: null,
    dkim: null,
    isGiven: false,
  } as const;
  // The time that a mail may take is the real one.
  const smtp = { ...account, from };
  const post = new MailPost({ smtp }, { clock: systemClock, secureContext: undefined });
  const writing = new LetterWriting({
    store,
    readers,
    box,
    publicAddress: { url: "https://s.test/" },
    accounts: { smtp },
  });
  const carrier = new MailCarrier({ writing, post, clock, log });
  const courier = new LetterCourier({ store, carrier, readers, clock, log });
  const stop = new AbortController();
  const running = courier.run({ stopping: stop.signal, cutOff: stop.signal });
  onTestFinished(async () => {
    stop.abort();
    await running;
    await post[Symbol.asyncDispose]();
  });
  /** How much waits still, a second later. */
  const waiting = async (): Promise<number> => {
    await clock.advance(1_000);
    return (await store.readers.letters.waiting()).count;
  };
  return { clock, log, store, waiting };
}

test("a mail that its server does not take yet comes later", async () => {
  let tries = 0;
  await using slow = await startMailServer({
    onRcptTo: (address, session, callback) => {
      tries += 1;
      if (tries > 2) callback();
      else smtpGreylists.onRcptTo?.(address, session, callback);
    },
  });
  const here = await scene(slow.port, 1);
  await expect.poll(here.waiting).toBe(0);
  expect([tries, slow.mails.length]).toEqual([3, 1]);
  expect(here.clock.wall() - Date.parse("2026-11-22T12:00:00Z")).toBeGreaterThan(28_000);
});

test("while no mail server is there, all of it waits, which is said once, and then it comes", async () => {
  await using mails = await startMailServer();
  let isThere = false;
  let dialled = 0;
  const gate = createServer((socket) => {
    dialled += 1;
    socket.on("error", () => {});
    if (!isThere) return socket.destroy();
    const behind = connect(mails.port, "127.0.0.1");
    behind.on("error", () => socket.destroy());
    return socket.pipe(behind).pipe(socket);
  });
  gate.listen(0, "127.0.0.1");
  await once(gate, "listening");
  onTestFinished(() => void gate.close());
  const address = gate.address();
  const here = await scene(typeof address === "object" ? (address?.port ?? 0) : 0, 5);
  const isSaid = () => here.log.said.map(({ level, message }) => `${level} ${message}`);
  await expect.poll(isSaid).toEqual(["error mails to readers of status pages wait"]);
  // Two were under way; the others did not try in vain.
  expect(dialled).toBeLessThan(3);
  isThere = true;
  await expect.poll(here.waiting).toBe(0);
  expect(mails.mails.length).toBe(5);
  expect(isSaid()).toEqual([
    "error mails to readers of status pages wait",
    "info mails to readers of status pages get through",
  ]);
});

test("an address that its server does not know costs one try, and no other reader's mail", async () => {
  await using server = await startMailServer({
    onRcptTo: (address, session, callback) => {
      if (address.address !== "r0@reader.test") callback();
      else smtpKnowsNoSuchUser.onRcptTo?.(address, session, callback);
    },
  });
  const here = await scene(server.port, 3);
  await expect.poll(here.waiting).toBe(0);
  expect(server.mails.length).toBe(2);
  expect(await here.store.readers.subscribers.get(1)).toMatchObject({
    refusals: 1,
    trouble: expect.stringContaining("550"),
    failingSince: expect.any(Number),
  });
});
