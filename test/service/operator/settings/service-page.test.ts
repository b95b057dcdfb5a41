import { expect, test } from "vitest";
import { minutes } from "#base/units";
import { noAccounts } from "#service/notify/accounts";
import { openStore } from "#service/store/open-store";
import { operatorScene, type OperatorScene } from "../../../support/operator-scene.ts";
import {
  byAccount,
  byKey,
  formTokenIn,
  type SignedIn,
  signedIn,
} from "../../../support/signed-in.ts";

const scene = () => operatorScene({ pages: "signed in", days: 0 });
const shop = "https://picket.shop.test";

/** Where the newest message leads that the service sent. */
const linked = ({ sent }: OperatorScene): string | null | undefined => {
  const notice = sent.at(-1)?.notice;
  return notice?.type === "test" ? notice.service.url : undefined;
};

/** Makes a channel and sends a test message to it. */
async function channelOf(owner: SignedIn): Promise<void> {
  await owner.send("/channels/new/webhook", {
    name: "Operations",
    endpoint: "https://hook.test/",
    every_monitor: "yes",
    events: "error",
    time_zone: "UTC",
  });
  await owner.send("/channels/1/test");
}

test("messages have links as soon as an owner has given the public address, and none after it is taken away", async () => {
  const here = await scene();
  const owner = await byKey(here, "write");
  const before = await owner.text("/settings/service");
  expect(before).toContain("Messages have no links yet");
  expect(before).toContain(`value="${here.service.url}"`);
  await channelOf(owner);
  expect(linked(here)).toBe(null);
  const note = "The URLs are an example: service.url, monitor.url and incident.url are null";
  expect(await owner.text("/channels/new/webhook")).toContain(note);
  const given = await owner.send("/settings/service", { address: ` ${shop} ` });
  expect(given.headers.get("location")).toBe("/settings/service?notice=address");
  here.clock.suspend(minutes(1));
  await owner.send("/channels/1/test");
  expect(linked(here)).toBe(`${shop}/`);
  expect(await owner.text("/channels/new/webhook")).not.toContain(note);
  const after = await owner.text("/settings/service");
  expect(after).toContain(`lead to <strong>${shop}/</strong>`);
  const log = (await owner.text("/changes")).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  expect(log).toContain("created setting public address");
  expect(log).toContain(`Value – ${shop}/`);
  await owner.send("/settings/service", { address: "" });
  here.clock.suspend(minutes(1));
  await owner.send("/channels/1/test");
  expect(linked(here)).toBe(null);
});

test.each([
  "shop",
  "ftp://shop.test",
  `${shop}/path`,
  `${shop}?a`,
  "https://a:b@shop.test",
  "https://a$(id).example.com",
  "https://a;id;.com",
  "http://`reboot`/",
  "x".repeat(400),
])("what is no address of a service is refused at its field, and kept: %s", async (address) => {
  const here = await scene();
  const owner = await byKey(here, "write");
  const refused = await owner.send("/settings/service", { address });
  const page = await refused.text();
  expect([refused.status, page.includes(`value="${address}"`)]).toEqual([400, true]);
  expect(page).toContain("It must be a scheme and a host, for example https://picket.example.com.");
});

/** Gives the first person with an account a passkey for each of these hosts, as if a browser had made them. */
async function passkeysFor(here: OperatorScene, hosts: readonly string[]): Promise<void> {
  await using store = await openStore({
    database: here.database,
    use: "command",
    onProgress: () => {},
  });
  const [person] = await store.people.accounts.list();
  if (person === undefined) return expect.fail("no one has an account");
  const at = here.clock.wall();
  for (const [index, host] of hosts.entries()) {
    const one = { name: `${index}`, credential: `c${index}`, challenge: `a${index}`, until: at };
    const made = { ...one, host, at, publicKey: "k", counter: 0, transports: [] };
    expect(await store.people.passkeys.add(person.id, made, [], 9)).toMatch(/^added/);
  }
}

test("an address at which passkeys stop working is saved at the second press for it, which says how many they are", async () => {
  const here = await scene();
  const owner = await byAccount(here, "ann@example.com", "owner");
  await passkeysFor(here, ["here.test", "here.test", "shop.test"]);
  const press = async (fields: Record<string, string>) => {
    const answer = await owner.send("/settings/service", fields);
    return { to: answer.headers.get("location"), page: await answer.text() };
  };
  const first = await press({ address: "https://here.test", next: "/start" });
  expect([first.to, first.page]).toEqual([
    null,
    expect.stringContaining(
      "1 passkey would stop working, because it is for another host than that of https://here.test/.",
    ),
  ]);
  expect(await owner.text("/settings/service")).toContain("Messages have no links yet");
  const hidden = [...first.page.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
  const fields = Object.fromEntries(hidden.map(([, name = "", value = ""]) => [name, value]));
  // Another address than the one that the page named is asked about anew.
  const edited = await press({ ...fields, address: "https://other.test" });
  expect(edited.page).toContain("3 passkeys would stop working");
  const second = await press({ ...fields, address: "https://here.test" });
  expect(second.to).toBe("/start?notice=address");
  // The passkey of shop.test works no more already: only those of the host in use count.
  const third = await press({ address: "https://third.test" });
  expect(third.page).toContain("2 passkeys would stop working");
  expect((await press({ address: "https://here.test:8443" })).to).toMatch(/notice=address$/);
});

test("a service on its own machine says that links lead there until an address is given, and after it is taken away", async () => {
  const here = await operatorScene({ pages: "local", days: 0 });
  const person = signedIn(here, "");
  const { url } = here.service;
  const change = async (address: string): Promise<string> => {
    const form = formTokenIn(await person.text("/settings/service"));
    const saved = await person.send("/settings/service", { form, address });
    return person.text(saved.headers.get("location") ?? "");
  };
  const local = `Links in messages lead to <strong>${url}`;
  const before = await person.text("/settings/service");
  expect(before).toContain(local);
  expect(before).toContain(`Empty: links in messages lead to ${url}`);
  const given = await change(shop);
  expect(given).toContain(`Links in messages lead to <strong>${shop}/</strong>`);
  expect(given).toMatch(
    /PICKET_SERVICE_PUBLIC_URL<\/code><\/td>\s*<td data-label="State">given above/,
  );
  const after = await change("");
  expect(after).toContain("Saved. Links in messages lead to this machine from now on.");
  expect(after).toContain(local);
  expect(`${before}${after}`).not.toContain("Messages have no links");
});

test("the first steps offer an owner the address in use, and say to others who can give it", async () => {
  const here = await scene();
  const owner = await byKey(here, "write");
  expect(await owner.text("/start")).toContain(`>Use ${here.service.url}</button>`);
  const editor = await byAccount(here, "ed@example.com", "editor");
  const words = await editor.text("/start");
  expect(words).toContain("An owner can say it in <em>Settings → Service</em>.");
  expect(words).not.toContain("/settings/service");
  const used = await owner.send("/settings/service", { address: here.service.url, next: "/start" });
  expect(used.headers.get("location")).toBe("/start?notice=address");
  const started = await owner.text("/start?notice=address");
  expect(started).toContain("Links in messages lead there from now on.");
  expect(started).not.toContain("Messages have no links yet");
});

test("the page of the service says which accounts its environment has, and shows nothing of them", async () => {
  const telegram = { token: "planted-token", baseUrl: "https://planted.test" };
  const here = await operatorScene({
    pages: "signed in",
    days: 0,
    accounts: { ...noAccounts, telegram },
  });
  const owner = await byKey(here, "write");
  const page = await owner.text("/settings/service");
  const rows = [...page.matchAll(/<th scope="row">(.*?)<\/tr>/g)].map(([row]) =>
    row
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
  expect(rows).toEqual([
    "Telegram bot PICKET_TELEGRAM_BOT_TOKEN set",
    "SMS by Twilio PICKET_TWILIO_ACCOUNT_SID not set",
    "WhatsApp PICKET_WHATSAPP_PROVIDER not set",
    "Mail server PICKET_SMTP_URL not set",
    "Identity provider PICKET_SERVICE_OIDC_ISSUER not set",
    "Public address PICKET_SERVICE_PUBLIC_URL not set",
  ]);
  expect(page).not.toContain("planted");
});
