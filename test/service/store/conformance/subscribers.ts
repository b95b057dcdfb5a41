import { afterAll, beforeAll, expect, test } from "vitest";
import * as limits from "#limits/status-limits";
import type { NewUpdate } from "#service/store/page-store";
import type { Store } from "#service/store/store";
import type { SubscriberState } from "#service/store/news/subscriber-state";
import type { LoggedSubscriber } from "#service/store/audit/subscriber-event";
import type {
  AddedSubscriber,
  Letter,
  NewSubscription,
  SubscriberWay,
  SubscriptionAsk,
} from "#service/store/subscriber-store";
import { actingAs } from "#service/store/audit/actor";
import { pageDefaults } from "#service/status-page/page-definition";
import { after, type EpochMillis, epochMillis, hours, minutes, millis } from "#base/units";
import { noon, type OpenFresh } from "./scene.ts";

const soon = after(noon, minutes(1));
const first = { limit: 50, offset: 0 };
let made = 0;

const update = (message: string): NewUpdate => ({
  status: "investigating",
  at: noon,
  message,
  impacts: [],
  createdAt: noon,
});

/** What every engine says of readers who get a page's news. */
export function subscribersConform(open: OpenFresh): void {
  let store: Store;
  let all: Store["pages"];
  beforeAll(async () => {
    store = await open();
    all = store.pages;
  });
  afterAll(() => store[Symbol.asyncDispose]());

  const newPage = async (): Promise<number> => {
    made += 1;
    const definition = { ...pageDefaults, title: "Acme", slug: `news-${made}` };
    const rest = { sealed: "", owner: "", labels: {}, at: noon };
    return Number(await all.pages.create({ uid: `news ${made}`, definition, ...rest }));
  };
  const newComponent = async (page: number): Promise<number> => {
    const rest = { monitor: null, name: "c", description: "", order: null, group: null, at: noon };
    return Number(await all.components.create({ page, ...rest }));
  };
  const asking = (page: number, changes: Partial<SubscriptionAsk> = {}): SubscriptionAsk => {
    made += 1;
    const mark = `mark ${made}`;
    const rest = { sealed: `to ${mark}`, mayGet: true, reader: `from ${made}`, components: null };
    return { page, mark, locale: "de", ...rest, at: noon, ...changes };
  };
  const known = async (page: number, mark: string) => {
    const row = await store.readers.subscribers.ofMark(page, "email", mark);
    if (row === null) throw new Error(`there is no ${mark}`);
    return row;
  };
  const logged = (page: number): LoggedSubscriber => ({
    page,
    way: "email",
    name: "a•••@reader.test",
  });
  const addedBy = async (made: NewSubscription): Promise<AddedSubscriber> => {
    const added = await store.readers.subscribers.add(made, logged(made.page));
    if (typeof added === "string") throw new Error("there is no room");
    return added;
  };
  /** One who has confirmed. */
  const reader = async (page: number, components: readonly number[] | null = null) => {
    const asked = asking(page, { components });
    expect(await store.readers.subscribers.ask(asked)).toBe("taken");
    const { id } = await known(page, asked.mark);
    expect(await store.readers.subscribers.confirm(id, noon, soon, logged(page))).toBe(true);
    return id;
  };
  /** What waits now, which is sent with that. */
  const sent = async (way: SubscriberWay = "email"): Promise<readonly Letter[]> => {
    const letters: Letter[] = [];
    for (;;) {
      const batch = await store.readers.letters.claim("me", way, after(noon, hours(48)));
      if (batch.length === 0) return letters;
      letters.push(...batch);
      for (const { id } of batch)
        await store.readers.letters.settle("me", id, { is: "sent" }, soon);
    }
  };
  const summaries = (letters: readonly Letter[]) =>
    letters.map((one) => [one.of, "subscriber" in one ? one.subscriber.id : 0]);

  test("one who asks is subscribed by the newest mail's link alone, and leaves for good", async () => {
    const [page, other] = [await newPage(), await newPage()];
    const component = await newComponent(page);
    const strange = await newComponent(other);
    const asked = asking(page, { components: [component, strange, 999_999] });
    const heard: string[] = [];
    using _ = store.onChange((change) => void heard.push(change));
    expect(await store.readers.subscribers.ask(asked)).toBe("taken");
    const row = await known(page, asked.mark);
    expect(row).toMatchObject({
      page,
      way: "email",
      sealed: asked.sealed,
      source: "self_signup",
      locale: "de",
      components: [component],
      askedAt: noon,
      acceptedAt: null,
      unsubscribedAt: null,
    });
    expect(await store.readers.letters.due("email", noon)).toBe(true);
    expect(summaries(await sent())).toEqual([["confirmation", row.id]]);
    const again = after(noon, limits.asksApart);
    await store.readers.subscribers.ask({ ...asked, at: again, components: null });
    expect(await store.readers.subscribers.confirm(row.id, noon, again, logged(page))).toBe(false);
    expect(await store.readers.subscribers.confirm(row.id, again, again, logged(page))).toBe(true);
    expect(await store.readers.subscribers.confirm(row.id, again, again, logged(page))).toBe(false);
    expect(await known(page, asked.mark)).toMatchObject({ acceptedAt: again, components: null });
    expect(await store.readers.subscribers.choose(row.id, [component, strange], again)).toBe(true);
    expect(await store.readers.subscribers.get(row.id)).toMatchObject({ components: [component] });
    expect(await store.readers.subscribers.leave(row.id, again, "reader", logged(page))).toBe(true);
    expect(await store.readers.subscribers.leave(row.id, again, "reader", logged(page))).toBe(
      false,
    );
    expect(await store.readers.subscribers.choose(row.id, null, again)).toBe(false);
    expect((await known(page, asked.mark)).unsubscribedAt).toBe(again);
    expect(await sent()).toEqual([]);
    await expect.poll(() => heard).toContain("letters");
  });

  test("one address, one reader and one page have only so many mails sent", async () => {
    const page = await newPage();
    const asked = asking(page);
    const ask = async (changes: Partial<SubscriptionAsk>) => {
      const answer = await store.readers.subscribers.ask({ ...asked, ...changes });
      return [answer, (await sent()).length];
    };
    expect(await ask({})).toEqual(["taken", 1]);
    expect(await ask({ at: soon, reader: "another" })).toEqual(["taken", 0]);
    // On another page too: it is the same mailbox.
    expect(await ask({ at: soon, page: await newPage(), reader: "third" })).toEqual(["taken", 0]);
    for (let more = 1; more < limits.asksOfAddressMax; more += 1) {
      const at = after(noon, millis(more * limits.asksApart));
      expect(await ask({ at, reader: `r ${more}` })).toEqual(["taken", 1]);
    }
    const at = after(noon, hours(20));
    expect(await ask({ at, reader: "last" })).toEqual(["taken", 0]);
    const nextDay = after(noon, hours(25));
    expect(await ask({ at: nextDay, reader: "last" })).toEqual(["taken", 1]);
    const many = { reader: "busy", at: noon };
    for (let tried = 0; tried < limits.asksOfReaderMax; tried += 1)
      expect(await store.readers.subscribers.ask(asking(await newPage(), many))).toBe("taken");
    expect(await store.readers.subscribers.ask(asking(await newPage(), many))).toBe("too often");
    expect(await store.readers.subscribers.askEntry(asking(await newPage(), many))).toBe(
      "too often",
    );
    const crowded = await newPage();
    for (let tried = 0; tried < limits.asksOfPageMax; tried += 1)
      await store.readers.subscribers.ask(asking(crowded));
    expect(await store.readers.subscribers.ask(asking(crowded))).toBe("too often");
    expect(
      await store.readers.subscribers.ask(asking(crowded, { at: after(noon, hours(2)) })),
    ).toBe("taken");
    await all.pages.delete(crowded);
    await sent();
  });

  test("a reader who left is asked before a key adds it, keeps its choice, and is not asked too often", async () => {
    const page = await newPage();
    const [shop, desk] = [await newComponent(page), await newComponent(page)];
    const asked = asking(page, { components: [shop] });
    await store.readers.subscribers.ask(asked);
    const { id } = await known(page, asked.mark);
    await store.readers.subscribers.confirm(id, noon, noon, logged(page));
    await store.readers.subscribers.leave(id, soon, "reader", logged(page));
    await sent();
    const at = after(noon, minutes(2));
    const vendor = { way: "email", sealed: "s", name: "", source: "vendor", locale: "en" } as const;
    const add = { page, ...vendor, mark: asked.mark, components: [desk], at } as const;
    expect(await addedBy(add)).toEqual({ id, isNew: false, isAsked: true });
    expect(summaries(await sent())).toEqual([["confirmation", id]]);
    const left = { unsubscribedAt: soon, hasLeftItself: true, components: [shop], locale: "de" };
    expect(await known(page, asked.mark)).toMatchObject({ ...left, askedAt: at });
    expect(await store.readers.subscribers.concerned({ page, components: [] })).toBe(0);
    expect(await store.readers.subscribers.add(add, logged(page))).toBe("too often");
    expect(await sent()).toEqual([]);
    expect(await store.readers.subscribers.confirm(id, at, at, logged(page))).toBe(true);
    const back = { unsubscribedAt: null, hasLeftItself: false, components: [shop] };
    expect(await known(page, asked.mark)).toMatchObject(back);
    // A reader who leaves after an operator removed it has left, too.
    const removed = await reader(page);
    await store.readers.subscribers.remove(removed, soon, logged(page));
    expect(await store.readers.subscribers.get(removed)).toMatchObject({ hasLeftItself: false });
    await store.readers.subscribers.leave(removed, soon, "reader", logged(page));
    expect(await store.readers.subscribers.get(removed)).toMatchObject({ hasLeftItself: true });
    await sent();
  });

  test("a reader who is added by a key needs no confirmation, and is taken up again", async () => {
    const page = await newPage();
    const vendor = { way: "email", sealed: "s", name: "Ops", source: "vendor" } as const;
    const add = { page, ...vendor, mark: "v", locale: "en", components: null, at: noon } as const;
    const { id } = await addedBy(add);
    await store.readers.subscribers.leave(id, soon, "operator", logged(page));
    expect(await addedBy({ ...add, name: "New", at: soon })).toEqual({
      id,
      isNew: true,
      isAsked: false,
    });
    expect(await addedBy({ ...add, name: "New", at: soon })).toEqual({
      id,
      isNew: false,
      isAsked: false,
    });
    const asked = { before: null, after: 0, id: `${page}.${id}`, who: "", name: "", limit: 9 };
    const entries = await store.audit.list({
      ...asked,
      kind: "subscriber",
      since: epochMillis(0),
      until: null,
    });
    expect(entries.map(({ deed, name }) => [deed, name])).toEqual([
      ["changed", "a•••@reader.test"],
      ["made", "a•••@reader.test"],
      ["deleted", "a•••@reader.test"],
      ["made", "a•••@reader.test"],
    ]);
    expect(await store.readers.subscribers.get(id)).toMatchObject({
      name: "New",
      acceptedAt: soon,
      unsubscribedAt: null,
      source: "vendor",
    });
    const gone = await reader(page);
    await store.readers.subscribers.leave(gone, soon, "reader", logged(page));
    const list = (withUnsubscribed: boolean) =>
      store.readers.subscribers.list({ page, withUnsubscribed, ...first });
    expect((await list(false)).subscribers.map((one) => one.id)).toEqual([id]);
    expect((await list(true)).total).toBe(2);
    await store.readers.subscribers.ask(asking(page));
    const counted = async (withUnconfirmed: boolean): Promise<number> => {
      const asked = { page, withUnsubscribed: false, withUnconfirmed, ...first };
      return (await store.readers.subscribers.list(asked)).total;
    };
    expect([await counted(true), await counted(false)]).toEqual([2, 1]);
    await sent();
  });

  test("news are a letter to each whom they concern, and to no one else", async () => {
    const page = await newPage();
    const [web, desk] = [await newComponent(page), await newComponent(page)];
    const [whole, ofWeb, ofDesk] = [
      await reader(page),
      await reader(page, [web]),
      await reader(page, [desk]),
    ];
    await store.readers.subscribers.ask(asking(page));
    await reader(await newPage());
    await sent();
    const concerned = (...components: readonly number[]) =>
      store.readers.subscribers.concerned({ page, components });
    expect([await concerned(), await concerned(web), await concerned(web, desk)]).toEqual([
      3, 2, 3,
    ]);
    const report = { page, title: "Cards" };
    const id = await all.reports.create({
      ...report,
      components: [web],
      update: update("one"),
      announces: true,
    });
    const letters = await sent();
    expect(summaries(letters)).toEqual([
      ["report", whole],
      ["report", ofWeb],
    ]);
    expect(letters[0]).toMatchObject({
      report: { id, title: "Cards", components: [web] },
      update: expect.any(Number),
    });
    await all.reports.addUpdate(id, update("quiet"), false, []);
    expect(await sent()).toEqual([]);
    const plan = {
      title: "Upgrade",
      message: "m",
      from: noon,
      to: soon,
      recurrence: "",
      timeZone: "UTC",
      page: String(page),
      components: [],
      monitors: [],
      locations: [],
      owner: "",
      notify: true,
      at: noon,
    };
    await store.alerts.maintenances.create(plan, false);
    const planned = await store.alerts.maintenances.create(plan, true);
    const announced = await sent();
    expect(summaries(announced)).toEqual([
      ["maintenance", whole],
      ["maintenance", ofWeb],
      ["maintenance", ofDesk],
    ]);
    expect(announced[0]).toMatchObject({ maintenance: { id: planned, title: "Upgrade" } });
    // A component that joins with an update is concerned by it, whatever the update says of it.
    await all.reports.addUpdate(id, update("joins"), true, [desk]);
    expect(summaries(await sent())).toEqual([
      ["report", whole],
      ["report", ofWeb],
      ["report", ofDesk],
    ]);
    // A component that goes leaves its reader with nothing chosen, which is not the whole page.
    await all.components.delete(desk);
    await all.reports.addUpdate(id, update("two"), true, []);
    expect(summaries(await sent())).toEqual([
      ["report", whole],
      ["report", ofWeb],
    ]);
  });

  test("a letter that was sent while what it is about was in the trash is not sent again; one that was not is", async () => {
    const page = await newPage();
    const [one, two] = [await reader(page), await reader(page)];
    await sent();
    const report = await all.reports.create({
      page,
      title: "t",
      components: [],
      update: update("one"),
      announces: true,
    });
    const batch = await store.readers.letters.claim("courier", "email", noon);
    expect(summaries(batch)).toEqual([
      ["report", one],
      ["report", two],
    ]);
    const since = epochMillis(noon - 1);
    const ann = { kind: "person", name: "ann", from: "", at: noon } as const;
    await actingAs(ann, () => all.reports.delete(report));
    const [first, second] = batch.map(({ id }) => id);
    await store.readers.letters.settle("courier", first ?? 0, { is: "sent" }, noon);
    // It is not another's to settle.
    await store.readers.letters.settle("other", second ?? 0, { is: "sent" }, noon);
    expect(await store.trash.restore("report", report, since)).toBe("restored");
    await store.readers.letters.release("courier");
    const again = await store.readers.letters.claim("me", "email", noon);
    expect(again.map(({ id }) => id)).toEqual([second]);
    await store.readers.letters.settle("me", second ?? 0, { is: "sent" }, noon);
  });

  /** One who is removed at noon by an operator, and how it is put back. */
  const removed = async (page: number) => {
    const component = await newComponent(page);
    const asked = asking(page, { components: [component] });
    await store.readers.subscribers.ask(asked);
    const { id } = await known(page, asked.mark);
    await store.readers.subscribers.confirm(id, noon, soon, logged(page));
    await sent();
    const news = { title: "t", components: [], update: update("one"), announces: true };
    await all.reports.create({ page, ...news, components: [component] });
    const before = await store.readers.subscribers.get(id);
    const ann = { kind: "person", name: "ann", from: "", at: noon } as const;
    const remove = () => store.readers.subscribers.remove(id, noon, logged(page));
    expect(await actingAs(ann, remove)).toBe(true);
    expect(await actingAs(ann, remove)).toBe(false);
    const restore = (since = epochMillis(noon - 1)) =>
      store.readers.subscribers.restore(id, since, logged(page));
    return { id, asked, before, restore };
  };
  const kept = (id: number) => store.trash.get("subscriber", id, epochMillis(0));

  test("a subscriber who was removed is put back as it was, with what waited for it", async () => {
    const page = await newPage();
    const { id, before, restore } = await removed(page);
    expect(await kept(id)).toMatchObject({ name: "a•••@reader.test", by: "person ann", owner: "" });
    expect(await sent()).toEqual([]);
    expect(await restore(noon)).toBe("gone");
    expect(await restore()).toBe("restored");
    expect(await store.readers.subscribers.get(id)).toEqual(before);
    expect(summaries(await sent())).toEqual([["report", id]]);
    expect(await kept(id)).toBeNull();
    expect(await restore()).toBe("there");
  });

  test("a subscriber who unsubscribed is never put back, and one who subscribed again stays as that", async () => {
    const page = await newPage();
    const { id: left, restore } = await removed(page);
    // Its mails still have the link.
    await store.readers.subscribers.leave(left, noon, "reader", logged(page));
    expect([await kept(left), await restore()]).toEqual([null, "gone"]);
    const again = await removed(page);
    const later = after(noon, limits.asksApart);
    await store.readers.subscribers.ask({ ...again.asked, at: later, components: null });
    await store.readers.subscribers.confirm(again.id, later, later, logged(page));
    expect(await again.restore()).toBe("again");
    expect(await store.readers.subscribers.get(again.id)).toMatchObject({ components: null });
    const waiting = await removed(page);
    await store.readers.subscribers.ask({ ...waiting.asked, at: later, components: null });
    expect(await waiting.restore()).toBe("restored");
    expect(await store.readers.subscribers.get(waiting.id)).toEqual({
      ...waiting.before,
      askedAt: later,
    });
    const gone = await removed(page);
    await all.pages.delete(page);
    expect(await gone.restore()).toBe("gone");
  });

  test("a subscriber is changed by whoever saw how it was saved last, and not once it left", async () => {
    const { subscribers } = store.readers;
    const page = await newPage();
    const [some, other] = [await newComponent(page), await newComponent(page)];
    const id = await reader(page, [some]);
    const seen = (await subscribers.get(id))?.updatedAt ?? noon;
    const change = (name: string, components: readonly number[] | null, saw: EpochMillis) =>
      subscribers.change(id, { name, components, seen: saw }, seen, logged(page));
    expect(await change("Wall", [other], seen)).toBe("changed");
    expect(await change("Screen", null, seen)).toBe("overtaken");
    const now = await subscribers.get(id);
    expect(now).toMatchObject({ name: "Wall", components: [other] });
    expect(now?.updatedAt).toBeGreaterThan(seen);
    await subscribers.leave(id, soon, "reader", logged(page));
    expect(await change("Screen", null, soon)).toBe("gone");
  });

  test("a letter is one replica's at a time, comes in its turn, and goes with what it is about", async () => {
    const page = await newPage();
    const id = await reader(page);
    await sent();
    const report = await all.reports.create({
      page,
      title: "t",
      components: [],
      update: update("one"),
      announces: true,
    });
    expect(await all.reports.wasAnnounced(report)).toBe(true);
    await all.reports.addUpdate(report, update("two"), true, []);
    const [one, ...more] = await store.readers.letters.claim("me", "email", noon);
    expect(more).toEqual([]);
    expect(await store.readers.letters.claim("you", "email", noon)).toEqual([]);
    const number = one?.id ?? 0;
    const later = { is: "later", dueAt: soon, trouble: "it is slow" } as const;
    // Whoever does not hold it has no say.
    await store.readers.letters.settle("you", number, { is: "sent" }, noon);
    await store.readers.letters.settle("me", number, later, noon);
    expect(await store.readers.letters.due("email", noon)).toBe(false);
    expect(await store.readers.letters.claim("you", "email", soon)).toMatchObject([
      { id: number, attempts: 1, subscriber: { trouble: "it is slow", failingSince: noon } },
    ]);
    await store.readers.letters.release("you");
    expect(await store.readers.letters.claim("me", "email", soon)).toMatchObject([{ id: number }]);
    await store.readers.letters.release("me");
    expect(await store.readers.letters.waiting()).toEqual({ count: 2, oldest: noon });
    await all.reports.delete(report);
    const none = { count: 0, oldest: null };
    expect(await store.readers.letters.waiting()).toEqual(none);
    await store.readers.subscribers.ask(asking(page));
    await all.pages.delete(page);
    expect(await store.readers.letters.waiting()).toEqual(none);
    expect(await store.readers.subscribers.get(id)).toBeNull();
  });

  test("an address that is refused three times in a row is not a subscriber any more", async () => {
    const page = await newPage();
    const [id, other] = [await reader(page), await reader(page)];
    await sent();
    const refuse = async (fate: "refused" | "sent"): Promise<void> => {
      await all.reports.create({
        page,
        title: "t",
        components: [],
        update: update("m"),
        announces: true,
      });
      for (const letter of await store.readers.letters.claim("me", "email", soon)) {
        const isIts = "subscriber" in letter && letter.subscriber.id === id;
        const wanted = isIts ? fate : "sent";
        const settled = wanted === "sent" ? { is: wanted } : { is: wanted, trouble: "no" };
        await store.readers.letters.settle("me", letter.id, settled, soon);
      }
    };
    for (const fate of ["refused", "refused", "sent", "refused", "refused"] as const)
      await refuse(fate);
    expect(await store.readers.subscribers.get(id)).toMatchObject({
      refusals: 2,
      trouble: "no",
      unsubscribedAt: null,
    });
    await refuse("refused");
    expect(await store.readers.subscribers.get(id)).toMatchObject({ unsubscribedAt: soon });
    expect(await store.readers.subscribers.get(other)).toMatchObject({ unsubscribedAt: null });
    const asked = asking(page);
    await store.readers.subscribers.ask(asked);
    const [letter] = await store.readers.letters.claim("me", "email", noon);
    await store.readers.letters.settle(
      "me",
      letter?.id ?? 0,
      { is: "refused", trouble: "no" },
      soon,
    );
    expect(await store.readers.subscribers.ofMark(page, "email", asked.mark)).toBeNull();
  });

  test("a webhook's letters are claimed apart from mails, and one that is gone is not a subscriber", async () => {
    const page = await newPage();
    await reader(page);
    await sent();
    const rest = { name: "", source: "vendor", locale: "en", components: null, at: noon } as const;
    const to = { page, way: "webhook", mark: "m", sealed: "s" } as const;
    const { id } = await addedBy({ ...to, ...rest });
    const report = { page, title: "t", components: [], update: update("m"), announces: true };
    await all.reports.create(report);
    const [letter, ...more] = await store.readers.letters.claim("me", "webhook", noon);
    expect([letter, more]).toMatchObject([{ of: "report", subscriber: { id } }, []]);
    expect(summaries(await sent())).toHaveLength(1);
    const gone = { is: "ended", trouble: "it is gone" } as const;
    expect(await store.readers.letters.settle("me", letter?.id ?? 0, gone, soon)).toEqual({
      id,
      page,
      way: "webhook",
    });
    const ended = { unsubscribedAt: soon, trouble: "it is gone", failingSince: soon };
    expect(await store.readers.subscribers.get(id)).toMatchObject(ended);
    // It is among those that people see as long as it is kept, and is taken up again.
    const onPage = { page, withUnsubscribed: false, ...first };
    const { subscribers } = store.readers;
    const seen = async (withEnded: boolean) => {
      const list = await subscribers.list({ ...onPage, withEnded });
      return [list.total, list.ended, list.subscribers.map((one) => one.isEndedByReceiver)];
    };
    expect([await seen(false), await seen(true)]).toEqual([
      [1, 0, [false]],
      [2, 1, [false, true]],
    ]);
    const by = { ...logged(page), way: "webhook" } as const;
    expect(await subscribers.resume(id, soon, by)).toBe("resumed");
    expect(await subscribers.resume(id, soon, by)).toBe("gone");
    expect([await seen(false), await seen(true)]).toEqual([
      [2, 0, [false, false]],
      [2, 0, [false, false]],
    ]);
    const back = { unsubscribedAt: null, trouble: "", failingSince: null, refusals: 0 };
    expect(await subscribers.get(id)).toMatchObject(back);
    // Whoever leaves is not seen, and no one takes that up.
    await subscribers.leave(id, soon, "reader", by);
    expect([await seen(true), await subscribers.resume(id, soon, by)]).toEqual([
      [1, 0, [false]],
      "gone",
    ]);
    await addedBy({ ...to, ...rest });
    const anew = { unsubscribedAt: null, trouble: "", failingSince: null, refusals: 0 };
    expect(await store.readers.subscribers.get(id)).toMatchObject(anew);
  });

  test("a page's subscribers are listed by state and way, with how many are in each state", async () => {
    const page = await newPage();
    const confirmed = await reader(page);
    const waiting = asking(page);
    await store.readers.subscribers.ask(waiting);
    const { id: unconfirmed } = await known(page, waiting.mark);
    const unsubscribed = await reader(page);
    await store.readers.subscribers.leave(unsubscribed, soon, "reader", logged(page));
    const hook = { page, way: "webhook", mark: `hook ${page}`, sealed: "s", name: "" } as const;
    const rest = { source: "vendor", locale: "en", components: null, at: noon } as const;
    const { id: webhook } = await addedBy({ ...hook, ...rest });
    await sent();
    const listed = async (asked: { state?: SubscriberState; way?: SubscriberWay }) => {
      const query = { page, withUnsubscribed: false, withEnded: true, ...first, ...asked };
      return (await store.readers.subscribers.list(query)).subscribers.map(({ id }) => id);
    };
    expect(await listed({ state: "confirmed" })).toEqual([confirmed, webhook]);
    expect(await listed({ state: "unconfirmed" })).toEqual([unconfirmed]);
    expect(await listed({ state: "unsubscribed" })).toEqual([unsubscribed]);
    expect(await listed({ state: "ended" })).toEqual([]);
    expect(await listed({ way: "webhook" })).toEqual([webhook]);
    expect(await listed({ way: "email", state: "confirmed" })).toEqual([confirmed]);
    const everyone = { page, withUnsubscribed: true, ...first };
    const counts = { total: 4, unconfirmed: 1, ended: 0, unsubscribed: 1 };
    expect(await store.readers.subscribers.list(everyone)).toMatchObject(counts);
  });

  test("a subscriber has when news was last sent to it and why it was not received, a confirmation apart", async () => {
    const page = await newPage();
    const id = await reader(page);
    await sent();
    const { subscribers, letters } = store.readers;
    const lastSent = async () => (await subscribers.get(id))?.lastSent;
    expect(await lastSent()).toBeNull();
    const news = { page, title: "t", components: [], update: update("m"), announces: true };
    await all.reports.create(news);
    const [letter] = await letters.claim("me", "email", noon);
    const number = letter?.id ?? 0;
    // The way to all of them is no trouble of one.
    await letters.settle("me", number, { is: "later", dueAt: noon, trouble: null }, noon);
    expect(await lastSent()).toBeNull();
    await letters.claim("me", "email", noon);
    await letters.settle("me", number, { is: "later", dueAt: soon, trouble: "it is slow" }, noon);
    expect(await lastSent()).toEqual({ at: noon, trouble: "it is slow" });
    await letters.claim("me", "email", soon);
    await letters.settle("me", number, { is: "sent" }, soon);
    expect(await lastSent()).toEqual({ at: soon, trouble: "" });
    // It is known by now, whatever was kept of it.
    await all.reports.create(news);
    const [again] = await letters.claim("me", "email", soon);
    const by = logged(page);
    expect(await subscribers.remove(id, soon, by)).toBe(true);
    await letters.settle("me", again?.id ?? 0, { is: "refused", trouble: "no" }, soon);
    expect(await subscribers.restore(id, noon, by)).toBe("restored");
    expect(await lastSent()).toEqual({ at: soon, trouble: "no" });
  });

  test("what became of news is counted by the time of its announcement, and forgotten in time", async () => {
    const page = await newPage();
    const readers = [
      await reader(page),
      await reader(page),
      await reader(page),
      await reader(page),
    ];
    await sent();
    const { letters } = store.readers;
    const plan = { title: "Upgrade", message: "m", from: noon, to: soon, recurrence: "" };
    const rest = {
      timeZone: "UTC",
      monitors: [],
      locations: [],
      owner: "",
      notify: true,
      at: noon,
    };
    const about = await store.alerts.maintenances.create(
      { ...plan, ...rest, page: String(page), components: [] },
      true,
    );
    const tallies = () => letters.tallies({ kind: "maintenance", about: [about] });
    const none = { sent: 0, failed: 0, waiting: 0, retried: 0 };
    expect(await tallies()).toMatchObject([{ ...none, about, at: noon, waiting: 4 }]);
    const fates = [
      { is: "sent" },
      { is: "refused", trouble: "it answered 410" },
      { is: "later", dueAt: soon, trouble: "it answered 503" },
      { is: "dropped" },
    ] as const;
    const claimed = await letters.claim("me", "email", noon);
    expect(claimed).toHaveLength(readers.length);
    for (const [index, fate] of fates.entries())
      await letters.settle("me", claimed[index]?.id ?? 0, fate, soon);
    const counted = { ...none, sent: 1, failed: 1, retried: 1, sentAt: soon, troubleAt: soon };
    const trouble = "it answered 503";
    expect(await tallies()).toEqual([
      { about, at: noon, ...counted, trouble, said: "announced", ways: { email: 4, webhook: 0 } },
    ]);
    // One that failed until it was too late has failed; the reason is the last one that was given.
    const [late] = await letters.claim("me", "email", soon);
    await letters.settle("me", late?.id ?? 0, { is: "dropped" }, after(soon, hours(48)));
    expect(await tallies()).toMatchObject([{ ...none, sent: 1, failed: 2, troubleAt: soon }]);
    const kept = { unconfirmed: noon, unsubscribed: noon, asks: noon };
    await store.readers.subscribers.forget({ ...kept, tallies: noon });
    expect(await tallies()).toHaveLength(1);
    await store.readers.subscribers.forget({ ...kept, tallies: soon });
    expect(await tallies()).toEqual([]);
  });

  test("a moment of planned work is written once to each reader whom it concerns, whoever looks and however often", async () => {
    const page = await newPage();
    const [shop, desk] = [await newComponent(page), await newComponent(page)];
    const ofShop = await reader(page, [shop]);
    await reader(page, [desk]);
    await sent();
    const { letters } = store.readers;
    const [from, to] = [after(noon, hours(3)), after(noon, hours(4))];
    const plan = { title: "Upgrade", message: "m", from, to, recurrence: "", timeZone: "UTC" };
    const rest = { monitors: [], locations: [], owner: "", notify: true, at: noon };
    const made = { ...plan, ...rest, page: String(page), components: [String(shop)] };
    await store.alerts.maintenances.create(made, false);
    const says = { reminder: true, times: true };
    const work = await store.alerts.maintenances.create({ ...made, says }, false);
    expect(await store.alerts.maintenances.get(work)).toMatchObject({ says });
    expect(await letters.workDue(noon)).toEqual([]);
    const moments = [after(noon, hours(2)), from, to];
    for (const now of moments) {
      expect(await letters.workDue(now)).toEqual([work]);
      const said = [letters.sayMoments(work, now), letters.sayMoments(work, now)];
      expect((await Promise.all(said)).toSorted((a, b) => a - b)).toEqual([0, 1]);
      expect(await letters.workDue(now)).toEqual([]);
      expect(summaries(await sent())).toEqual([["maintenance", ofShop]]);
    }
    const tallies = await letters.tallies({ kind: "maintenance", about: [work] });
    expect(tallies.map(({ said, at }) => [said, at])).toEqual([
      ["ended", to],
      ["begun", from],
      ["reminder", moments[0]],
    ]);
    // A change that does not say it leaves what is sent as it was.
    await store.alerts.maintenances.update(work, { ...made, title: "Move" }, false);
    expect(await store.alerts.maintenances.get(work)).toMatchObject({ title: "Move", says });
  });

  test("a link that signs in works once and on its page, and asks and strangers are forgotten", async () => {
    const page = await newPage();
    await store.readers.subscribers.askEntry(asking(page, { sealed: "sealed recipient" }));
    const [letter] = await sent();
    expect(letter).toMatchObject({ of: "entry", sealed: "sealed recipient" });
    const ask = letter?.of === "entry" ? letter.ask : 0;
    const enter = (on: number, since: number) =>
      store.readers.subscribers.enter(on, ask, epochMillis(since), soon);
    expect(await enter(page + 1, noon)).toBe(false);
    expect(await enter(page, noon + 1)).toBe(false);
    expect(await enter(page, noon)).toBe(true);
    expect(await enter(page, noon)).toBe(false);
    const [pending, gone, active] = [asking(page), await reader(page), await reader(page)];
    await store.readers.subscribers.ask(pending);
    await store.readers.subscribers.leave(gone, soon, "reader", logged(page));
    const before = after(noon, hours(1));
    const until = (at: EpochMillis): Parameters<typeof store.readers.subscribers.forget>[0] => ({
      unconfirmed: at,
      unsubscribed: at,
      asks: at,
      tallies: at,
    });
    await store.readers.subscribers.forget(until(noon));
    expect(await known(page, pending.mark)).toMatchObject({ acceptedAt: null });
    await store.readers.subscribers.forget(until(before));
    expect(await store.readers.subscribers.ofMark(page, "email", pending.mark)).toBeNull();
    expect(await store.readers.subscribers.get(gone)).toBeNull();
    expect(await store.readers.subscribers.get(active)).not.toBeNull();
  });
}
