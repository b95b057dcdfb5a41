import { afterAll, beforeAll, expect, test } from "vitest";
import { type PersonId, personId } from "#service/store/ids";
import type { AccountChange, NewAccount, PageSession } from "#service/store/people-store";
import type { Store } from "#service/store/store";
import { type OpenFresh, noon, slotAfter } from "./scene.ts";

const ann: NewAccount = {
  name: "Ann",
  email: "ann@example.com",
  role: "owner",
  at: noon,
  hash: "link of ann",
  until: slotAfter(10),
};
const someone = (word: string, name = word): NewAccount => ({
  ...ann,
  name,
  email: `${word}@example.com`,
  hash: `link of ${word}`,
});
const bob = someone("bob", "Bob");

const newKey = ({ keys }: Store["state"], name: string) =>
  keys.create({
    hash: `hash of ${name}`,
    name,
    scope: "read",
    prefix: "p",
    description: "",
    at: noon,
    expiresAt: null,
  });

const asOwner: AccountChange = { name: "Ann", role: "owner", isDisabled: false, at: slotAfter(1) };

const session = (changes: Partial<PageSession> = {}): PageSession => ({
  session: "one",
  who: "account 1",
  name: "Ann",
  address: "192.0.2.7",
  browser: "Firefox on Linux",
  at: noon,
  until: slotAfter(10),
  ...changes,
});

/** What every engine says of people, where they are signed in, and forms that are kept for them. */
export function peopleConform(open: OpenFresh): void {
  let store: Store;
  let people: Store["people"];
  const added = async (made: NewAccount, { accounts } = people): Promise<PersonId> => {
    const id = await accounts.add(made);
    if (typeof id === "string") throw new Error(`${made.name}: ${id}`);
    return id;
  };
  beforeAll(async () => {
    store = await open();
    ({ people } = store);
  });
  afterAll(() => store[Symbol.asyncDispose]());

  test("an account begins without a time zone, and keeps the one that it is given", async () => {
    const { accounts } = people;
    const id = await added(someone("zone"));
    expect((await accounts.get(id))?.timeZone).toBe("");
    expect(await accounts.setTimeZone(id, "Europe/Berlin")).toBe(true);
    expect((await accounts.get(id))?.timeZone).toBe("Europe/Berlin");
    expect((await accounts.list()).find((one) => one.id === id)?.timeZone).toBe("Europe/Berlin");
    expect(await accounts.setTimeZone(id, "")).toBe(true);
    expect((await accounts.get(id))?.timeZone).toBe("");
    expect(await accounts.setTimeZone(personId(999), "UTC")).toBe(false);
  });

  test("an account keeps the name that its person gives it", async () => {
    const { accounts } = people;
    const id = await added(someone("name"));
    expect(await accounts.rename(id, "Ann B.")).toBe("done");
    expect((await accounts.get(id))?.name).toBe("Ann B.");
    expect(await accounts.rename(personId(999), "Ann C.")).toBe("missing");
  });

  test.each(["Eve", "EVE", "\uff25\uff56\uff45", " e\u200bve ", "E\u00advE"])(
    "no account takes a name that reads like that of another: %j",
    async (name) => {
      await using fresh = await open();
      const { accounts } = fresh.people;
      const eve = await added(someone("eve", "Eve"), fresh.people);
      const other = await added(bob, fresh.people);
      expect(await accounts.add(someone("other", name))).toBe("name taken");
      expect(await accounts.rename(other, name)).toBe("name taken");
      expect(await accounts.change(other, { ...asOwner, name })).toBe("name taken");
      expect((await accounts.list()).map((one) => one.name)).toEqual(["Bob", "Eve"]);
      expect(await accounts.rename(eve, name)).toBe("done");
      expect(await accounts.remove(eve)).toBe("done");
      expect(await accounts.rename(other, name)).toBe("done");
    },
  );

  test("no account takes a name that reads like that of an API key, until that is revoked", async () => {
    await using fresh = await open();
    const { people: there, state } = fresh;
    const key = await newKey(state, "CI");
    const other = await added(bob, there);
    expect(await there.accounts.add(someone("other", "ci"))).toBe("name taken");
    expect(await there.accounts.rename(other, "ci")).toBe("name taken");
    expect(key !== null && (await state.keys.revoke(key, noon))).toBe(true);
    expect(await there.accounts.rename(other, "ci")).toBe("done");
  });

  test("no API key takes a name that reads like that of an account, also at the same instant", async () => {
    await using fresh = await open();
    const { people: there, state } = fresh;
    await added(someone("ann", "Ann Lee"), there);
    expect(await newKey(state, "\uff21nn  lee")).toBeNull();
    expect(await state.keys.list()).toEqual([]);
    const [key, account] = await Promise.all([
      newKey(state, "Deploys"),
      there.accounts.add(someone("bob", "deploys")),
    ]);
    expect((key === null) !== (account === "name taken")).toBe(true);
  });

  test("of two that take one name at the same instant, one gets it", async () => {
    await using fresh = await open();
    const { accounts } = fresh.people;
    const made = await Promise.all(
      ["one", "two"].map((word) => accounts.add(someone(word, "A B"))),
    );
    expect(made.filter((id) => id === "name taken")).toHaveLength(1);
    const both = [await added(ann, fresh.people), await added(bob, fresh.people)];
    const taken = await Promise.all(both.map((id) => accounts.rename(id, "C D")));
    expect(taken.toSorted()).toEqual(["done", "name taken"]);
  });

  test("an account is there once for one e-mail address, and its link sets a password once and in time", async () => {
    const { accounts } = people;
    const id = await added({ ...someone("link", "Ann"), hash: "a link" });
    expect(await accounts.add({ ...bob, email: "link@example.com" })).toBe("email taken");
    expect(await accounts.get(id)).toMatchObject({ name: "Ann", password: "", joinedAt: null });
    expect(await accounts.ofLink("a link", slotAfter(10))).toBe(null);
    expect(await accounts.ofLink("", noon)).toBe(null);
    expect((await accounts.ofLink("a link", noon))?.id).toBe(id);
    expect(await accounts.takeLink("a link", "late", slotAfter(10))).toBe(null);
    const both = [1, 2].map((at) => accounts.takeLink("a link", `p${at}`, slotAfter(at)));
    const taken = await Promise.all(both);
    expect(taken.filter((one) => one !== null)).toEqual([id]);
    // Either of two connections may come first.
    const first = taken.indexOf(id) + 1;
    const account = await accounts.ofEmail("link@example.com");
    expect([account?.password, account?.linkUntil]).toEqual([`p${first}`, null]);
    expect(account?.joinedAt).toBe(slotAfter(first));
    expect(await accounts.setPassword(id, "another", "p3")).toBe(false);
    expect(await accounts.setPassword(id, `p${first}`, "p3")).toBe(true);
    await accounts.offerLink(id, { hash: "a reset", until: slotAfter(5) });
    expect((await accounts.get(id))?.password).toBe("");
  });

  test("a forgotten password stays until the link for another is used, and a changed one ends that link", async () => {
    const { accounts } = people;
    const id = await added({ ...someone("forgot"), role: "reader" });
    const reset = { hash: "of someone who forgot", until: slotAfter(5) };
    expect(await accounts.offerReset(id, reset)).toBe(false);
    expect((await accounts.ofLink("link of forgot", noon))?.id).toBe(id);
    await accounts.takeLink("link of forgot", "p1", noon);
    expect(await accounts.offerReset(id, reset)).toBe(true);
    expect((await accounts.get(id))?.password).toBe("p1");
    expect(await accounts.setPassword(id, "p1", "p2")).toBe(true);
    expect(await accounts.takeLink(reset.hash, "p3", noon)).toBe(null);
    expect(await accounts.offerReset(id, reset)).toBe(true);
    expect(await accounts.takeLink(reset.hash, "p3", noon)).toBe(id);
    expect((await accounts.get(id))?.password).toBe("p3");
    await accounts.change(id, { ...asOwner, name: "Forgot", role: "reader", isDisabled: true });
    expect(await accounts.offerReset(id, reset)).toBe(false);
    expect(await accounts.offerReset(personId(999), reset)).toBe(false);
  });

  test("the last owner who has joined stays one, and is neither disabled nor removed", async () => {
    await using fresh = await open();
    const { accounts } = fresh.people;
    const one = await added(ann, fresh.people);
    const other = await added(bob, fresh.people);
    await accounts.takeLink(ann.hash, "hash", noon);
    const refused = [
      await accounts.change(one, { ...asOwner, role: "editor" }),
      await accounts.change(one, { ...asOwner, isDisabled: true }),
      await accounts.remove(one),
    ];
    expect(refused).toEqual(["last owner", "last owner", "last owner"]);
    expect((await accounts.get(one))?.role).toBe("owner");
    await accounts.takeLink(bob.hash, "hash", noon);
    const removals = await Promise.all([accounts.remove(one), accounts.remove(other)]);
    expect(removals.toSorted()).toEqual(["done", "last owner"]);
    expect(await accounts.change(personId(99), asOwner)).toBe("missing");
  });

  test("an account that is disabled keeps the instant, takes no link, and works again when it is enabled", async () => {
    const { accounts } = people;
    const id = await added(someone("off"));
    const off = { ...asOwner, name: "Off", role: "reader", isDisabled: true } as const;
    expect(await accounts.change(id, off)).toBe("done");
    expect(await accounts.change(id, { ...off, at: slotAfter(3) })).toBe("done");
    expect((await accounts.get(id))?.disabledAt).not.toBe(null);
    expect(await accounts.takeLink("link of off", "hash", noon)).toBe(null);
    expect(await accounts.change(id, { ...off, isDisabled: false })).toBe("done");
    expect((await accounts.get(id))?.disabledAt).toBe(null);
  });

  test("the code of one step of time counts once, and so does a recovery code", async () => {
    const { accounts } = people;
    const id = await added(someone("factor"));
    expect(await accounts.takeStep(id, 99)).toBe(false);
    await accounts.putFactor(id, "sealed", 100, ["a", "b"]);
    expect(await store.state.settings.hasSealed()).toBe(true);
    const taken = await Promise.all([101, 101].map((step) => accounts.takeStep(id, step)));
    expect(taken.filter(Boolean)).toEqual([true]);
    expect(await accounts.takeStep(id, 100)).toBe(false);
    expect(await accounts.takeRecoveryCode(id, "a")).toBe(true);
    expect(await accounts.takeRecoveryCode(id, "a")).toBe(false);
    expect(await accounts.recoveryCodesLeft(id)).toBe(1);
    await accounts.removeFactor(id);
    expect(await accounts.recoveryCodesLeft(id)).toBe(0);
    expect((await accounts.get(id))?.sealed).toBe("");
  });

  test("sessions are listed by whom they belong to, and one that was ended stays so", async () => {
    const { sessions } = people;
    await sessions.note(session());
    await sessions.note(session({ at: slotAfter(2), browser: "Safari on iPhone" }));
    await sessions.note(session({ session: "two", at: slotAfter(1) }));
    await sessions.note(session({ session: "three", who: "key 7" }));
    await sessions.note(session({ session: "over", until: slotAfter(1) }));
    const [first, ...rest] = await sessions.list("account 1", slotAfter(3), 10);
    expect([first?.startedAt, first?.at]).toEqual([noon, slotAfter(2)]);
    expect([first?.browser, rest.length]).toEqual(["Safari on iPhone", 1]);
    expect((await sessions.list(null, slotAfter(3), 10)).length).toBe(3);
    expect(await sessions.end(first?.id ?? 0, true)).toMatchObject({ who: "account 1", count: 1 });
    expect(await sessions.end(first?.id ?? 0, true)).toMatchObject({ who: "", count: 0 });
    await sessions.note(session({ at: slotAfter(4) }));
    expect(await store.state.endedSessions.has("one")).toBe(true);
    await sessions.note(session({ session: "four" }));
    expect((await sessions.endAll("account 1", "four", true)).count).toBe(2);
    const left = await sessions.list("account 1", slotAfter(3), 10);
    expect(left.map((row) => row.session)).toEqual(["four"]);
    await store.state.endedSessions.add(
      "four",
      slotAfter(10),
      { who: "account 1", name: "Ann" },
      true,
    );
    expect(await sessions.list("account 1", slotAfter(3), 10)).toEqual([]);
    await sessions.forget(slotAfter(11));
    expect(await sessions.list(null, noon, 10)).toEqual([]);
  });

  test("kept forms are for one person and a short time, and the newest of each stay", async () => {
    const { keptForms } = people;
    const form = (id: string, who: string, at = 5) =>
      ({ id, who, sealed: `of ${id}`, until: slotAfter(at) }) as const;
    for (const [index, id] of ["a", "b", "c"].entries())
      expect(await keptForms.keep(form(id, "ann", 5 + index), 2, 4)).toBe(true);
    expect(await keptForms.get("a", "ann", noon)).toBe(null);
    expect((await keptForms.get("b", "ann", noon))?.sealed).toBe("of b");
    expect(await keptForms.get("b", "bob", noon)).toBe(null);
    expect(await keptForms.get("b", "ann", slotAfter(6))).toBe(null);
    expect(await keptForms.keep(form("d", "bob"), 2, 3)).toBe(true);
    expect(await keptForms.keep(form("e", "eve"), 2, 3)).toBe(false);
    expect(await keptForms.remove("b", "bob")).toBe(false);
    expect(await keptForms.remove("b", "ann")).toBe(true);
    await keptForms.forget(slotAfter(6));
    expect(await keptForms.get("d", "bob", noon)).toBe(null);
    expect((await keptForms.get("c", "ann", noon))?.who).toBe("ann");
  });

  test("a passkey is added once, and each challenge and each count of its authenticator counts once", async () => {
    const { accounts, passkeys } = people;
    const id = await added(someone("keys"));
    const another = await added(someone("more"));
    const made = { name: "Laptop", credential: "c1", publicKey: "k", host: "example.com" };
    const answered = (challenge: string, at = noon) => ({ challenge, until: slotAfter(9), at });
    const row = { ...made, counter: 0, transports: ["usb"], ...answered("a") };
    expect(await passkeys.add(id, row, ["r1", "r2"], 2)).toBe("added with codes");
    expect(await passkeys.add(another, row, [], 2)).toBe("answered before");
    expect(await passkeys.add(another, { ...row, challenge: "b" }, [], 2)).toBe("known");
    expect(await passkeys.add(id, { ...row, challenge: "c" }, [], 2)).toBe("same name");
    const phone = { ...row, name: "Phone", credential: "c2", counter: 4, challenge: "d" };
    expect(await passkeys.add(id, phone, ["r3"], 2)).toBe("added");
    expect(await passkeys.add(id, { ...row, name: "Key", challenge: "e" }, [], 2)).toBe("too many");
    expect(await accounts.recoveryCodesLeft(id)).toBe(2);
    const [laptop, telephone] = await passkeys.list(id);
    expect([laptop, (await accounts.get(id))?.passkeys]).toMatchObject([
      { ...made, usedAt: null },
      2,
    ]);
    expect((await passkeys.ofCredential("c2"))?.account).toBe(id);
    expect(await passkeys.ofCredential("c3")).toBe(null);
    const other = { ...row, credential: "c4", host: "example.net", challenge: "i" };
    expect(await passkeys.add(another, other, [], 2)).toBe("added with codes");
    const hosts = await passkeys.countByHost();
    expect([hosts.get("example.com"), hosts.get("example.net")]).toEqual([2, 1]);
    const use = (of: number | undefined, challenge: string, counter: number, at = noon) =>
      passkeys.use(of ?? 0, { counter, ...answered(challenge, at) });
    const both = await Promise.all([use(laptop?.id, "f", 0), use(laptop?.id, "f", 0)]);
    expect(both.toSorted()).toEqual([false, true]);
    expect(await use(telephone?.id, "g", 4)).toBe(false);
    expect(await use(telephone?.id, "h", 5, slotAfter(1))).toBe(true);
    expect((await passkeys.list(id))[1]).toMatchObject({ counter: 5, usedAt: slotAfter(1) });
    expect(await passkeys.remove(another, laptop?.id ?? 0)).toBe(false);
    expect(await passkeys.remove(id, laptop?.id ?? 0)).toBe(true);
    expect(await accounts.recoveryCodesLeft(id)).toBe(2);
    await accounts.putFactor(id, "sealed", 1, ["r4"]);
    await passkeys.remove(id, telephone?.id ?? 0);
    expect(await accounts.recoveryCodesLeft(id)).toBe(1);
    await accounts.removeFactor(id);
    expect(await accounts.recoveryCodesLeft(id)).toBe(0);
  });
}
