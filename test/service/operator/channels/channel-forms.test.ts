import { describe, expect, test } from "vitest";
import { type Channel, type Provider, providers } from "#service/notify/channel";
import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import { delivered, stopped } from "#service/notify/outcomes";
import { httpDefaults } from "#check/definition";
import { providerFields } from "#service/operator/channels/provider-fields";
import { providerArguments } from "#service/resources/channel-arguments";
import { rulesDefault } from "#service/alerting/channel-rules";
import { rulesIn, rulesMessage } from "#service/channels/rules-message";
import { applyFile } from "../../../support/applied-file.ts";
import { accounts } from "../../../support/notices.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { byKey } from "../../../support/signed-in.ts";

const textOf = async (answer: Promise<Response>): Promise<string> => (await answer).text();
const wordsIn = (page: string): string =>
  page
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ([.,:;])/g, "$1");
const ledTo = (answer: Response): string => answer.headers.get("location") ?? "";

/** What a person types for each provider; every secret in it says "planted". */
const typed: { readonly [P in Provider]: Readonly<Record<string, string>> } = {
  discord: { webhook_url: "https://discord.test/api/webhooks/planted" },
  email: { email: "ops@example.com" },
  google_chat: { webhook_url: "https://chat.test/v1/spaces?key=planted" },
  grafana_oncall: { webhook_url: "https://oncall.test/planted/" },
  ntfy: { topic: "shop", server_url: "https://ntfy.test/", token: "tk_planted" },
  pagerduty: { integration_key: "planted0123456789planted01234567" },
  opsgenie: { api_key: "planted-0123-4567", region: "eu" },
  slack: { webhook_url: "https://slack.test/planted" },
  sms: { phone_number: "+49 170 1234567" },
  telegram: { chat_id: "-1001" },
  webhook: {
    endpoint: "https://hook.test/planted",
    "headers[0].key": "authorization",
    "headers[0].value": "Bearer planted",
  },
  whatsapp: { phone_number: "+49 170 1234567" },
  ms_teams: { webhook_url: "https://teams.test/planted" },
};
/** What a browser sends for secrets that are left alone. */
const savedMarksIn = (page: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...page.matchAll(/name="([^"]+\.saved)" value="([^"]*)"/g)].map(
      ([, name = "", value = ""]) => [name, value],
    ),
  );
/** What a person wrote of a channel: not the secret by which a webhook signs. */
const configured = ({ configuration }: Channel): object => ({
  ...configuration,
  signingSecrets: [],
});
const rules = { all_monitors: "yes", events: "error", time_zone: "UTC" };

test.each(providers)("the form of %s has a field for each of its arguments", (provider) => {
  expect(Object.keys(providerFields[provider])).toEqual(Object.keys(providerArguments[provider]));
});

describe("a channel made by hand", () => {
  test("is not named twice if its name is left empty when it is tried", async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0, accounts });
    const ann = await byKey(scene, "write");
    const tried = { name: "", ...typed.webhook, ...rules, test: "yes" };
    const answer = await ann.send("/channels/new/webhook", tried);
    expect(await answer.text()).toContain("Webhook accepted the test message: check");
  });

  test("is called by where its messages go if its name is left empty, and each row has its kind", async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0, accounts });
    const ann = await byKey(scene, "write");
    await ann.send("/channels/new/webhook", { name: "", ...typed.webhook, ...rules });
    await ann.send("/channels/new/webhook", { name: "", ...typed.webhook, ...rules });
    await ann.send("/channels/new/slack", { name: "", ...typed.slack, ...rules });
    const list = wordsIn(await textOf(ann.get("/channels")));
    const row = (name: string, kind: string): RegExp =>
      new RegExp(`${name} Notified of [^.]*\\. ${kind} No message yet`);
    expect(list).toMatch(row("Webhook to hook\\.test \\(2\\)", "Webhook"));
    expect(list).toMatch(row("Slack", "Slack: slack\\.test"));
  });

  test.each(providers)(
    "is tried before it is saved, saved, changed and tried again at %s, and no page shows its secret",
    async (provider) => {
      const scene = await operatorScene({ pages: "signed in", days: 0, accounts });
      const { clock, sent, sentTo } = scene;
      const ann = await byKey(scene, "write");
      const fields = { name: "mine", ...typed[provider], ...rules };
      const tried = await ann.send(`/channels/new/${provider}`, { ...fields, test: "yes" });
      expect(await tried.text()).toContain("accepted the test message for mine: check");
      expect(wordsIn(await textOf(ann.get("/channels")))).toContain("There is no channel");
      const made = ledTo(await ann.send(`/channels/new/${provider}`, fields));
      expect(made).toMatch(/^\/channels\/1\?/);
      const shown = await textOf(ann.get("/channels/1/edit"));
      expect(shown).not.toContain("planted");
      expect(shown).toContain('value="mine"');
      // The secrets are left alone, as a browser sends them.
      const left = {
        ...Object.fromEntries(
          Object.entries(fields).filter(([, value]) => !value.includes("planted")),
        ),
        ...savedMarksIn(shown),
      };
      clock.suspend(11_000);
      await ann.send("/channels/1/edit", { ...left, test: "yes" });
      expect(sentTo.map(configured)[1]).toEqual(sentTo.map(configured)[0]);
      const saved = await ann.send("/channels/1/edit", { ...left, name: "renamed" });
      expect(ledTo(saved)).toMatch(/^\/channels\/1\?notice=saved&undo=/);
      clock.suspend(11_000);
      await ann.send("/channels/1/test");
      expect(sentTo.map(configured)[2]).toEqual(sentTo.map(configured)[0]);
      expect(sent.map(({ notice }) => notice.type)).toEqual(["test", "test", "test"]);
      for (const path of ["", ".json", "/edit", "/delete"])
        expect(await textOf(ann.get(`/channels/1${path}`))).not.toContain("planted");
      expect(await textOf(ann.get("/channels"))).not.toContain("planted");
    },
  );

  test("says in plain words who is notified of what", async () => {
    const scene = await operatorScene({ pages: "signed in" });
    const ann = await byKey(scene, "write");
    const made = ledTo(
      await ann.send("/channels/new/slack", {
        name: "#ops",
        ...typed.slack,
        ...rules,
        "quiet_hours[0].from": "22:00",
        "quiet_hours[0].to": "07:00",
        time_zone: "Europe/Berlin",
      }),
    );
    const said =
      "Notified of every failure of all monitors, not between 22:00 and 07:00 (Europe/Berlin).";
    expect(wordsIn(await textOf(ann.get(made)))).toContain(said);
    expect(wordsIn(await textOf(ann.get("/channels")))).toContain(said);
  });

  test("is for all monitors unless a person chooses some, and a monitor that is made later is one of them", async () => {
    const scene = await operatorScene({ pages: "signed in" });
    const ann = await byKey(scene, "write");
    const form = await textOf(ann.get("/channels/new/slack"));
    expect(form).toMatch(/name="all_monitors"[^>]*checked/);
    expect(wordsIn(form)).toContain("All monitors, also those made later");
    const made = ledTo(
      await ann.send("/channels/new/slack", { name: "#all", ...typed.slack, ...rules }),
    );
    const known = await textOf(ann.get("/channels.json"));
    const later = { ...httpDefaults, name: "later", url: "https://later.test/" };
    await scene.service.admin.createMonitor({ ...later, periodicity: "1m" }, "management");
    const [before, after] = [known, await textOf(ann.get("/channels.json"))].map((text) =>
      JSON.parse(text).channels.find(({ name }: { name: string }) => name === "#all"),
    );
    expect(before).toMatchObject({ all_monitors: true });
    expect(after.monitors).toHaveLength(before.monitors.length + 1);
    expect(wordsIn(await textOf(ann.get(made)))).toContain("Monitors all, also those made later");
    // Choosing some ends that.
    const id = /\d+/.exec(made)?.[0] ?? "";
    const { all_monitors: _all, ...some } = { ...typed.slack, ...rules, monitor_ids: "1" };
    await ann.send(`/channels/${id}/edit`, { name: "#all", ...some });
    expect(wordsIn(await textOf(ann.get(`/channels/${id}`)))).toContain("every failure of Shop.");
  });

  test("is refused with each field that is wrong, what would be taken, and all that was typed", async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    const ann = await byKey(scene, "write");
    const refused = await ann.send("/channels/new/webhook", {
      name: "two\u0007lines",
      endpoint: "ftp://hook.test/typed",
      "headers[0].key": "content-type",
      "headers[0].value": "typed-value",
      delay: "soon",
      reminder: "1 min",
      "quiet_hours[0].from": "25:00",
      "quiet_hours[0].to": "9:5",
      time_zone: "Berlin",
    });
    expect(refused.status).toBe(422);
    const page = await refused.text();
    for (const said of [
      "Name must be one line of text",
      "URL must be an https or http URL, for example https://host/path",
      "Headers, header 1: Name content-type is set by Picket itself",
      "Events must have at least one",
      "Wait before the first message must be a duration of at most 168 h, for example 30 min",
      "Repeat every must be a duration from 5 min to 168 h, for example 30 min",
      "Quiet hours 1: From must be a time of day",
      "Quiet hours 1: To has one digit for minutes: write 09:05 or 09:50",
      "Time zone must be the name of a time zone, for example Europe/Berlin",
    ])
      expect(wordsIn(page)).toContain(said.replaceAll('"', "&quot;"));
    for (const kept of ["ftp://hook.test/typed", "typed-value", "soon", "25:00"])
      expect(page).toContain(`value="${kept}"`);
    expect(wordsIn(await textOf(ann.get("/channels")))).toContain("There is no channel");
  });

  test("is refused with quiet hours that cover the whole week, as a call is", async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    const ann = await byKey(scene, "write");
    const refused = await ann.send("/channels/new/slack", {
      ...typed.slack,
      ...rules,
      "quiet_hours[0].from": "09:00",
      "quiet_hours[0].to": "09:00",
    });
    expect(refused.status).toBe(422);
    expect(wordsIn(await refused.text())).toContain(
      "Quiet hours cover the whole week, so no message would ever be sent: leave some time free, or choose no monitors",
    );
    const quiet = rulesIn(
      rulesMessage({ ...rulesDefault, quietHours: [{ days: [], from: "00:00", to: "00:00" }] }),
    );
    expect(quiet.mistakes.map(({ field }) => field)).toEqual(["rules.quiet_hours"]);
  });

  test("has the cursor in From of quiet hours that were just added", async () => {
    const ann = await byKey(await operatorScene({ pages: "signed in", days: 0 }), "write");
    const added = { ...typed.slack, row: "add quiet_hours" };
    const page = await textOf(ann.send("/channels/new/slack", added));
    const cursors = [...page.matchAll(/<(?:input|select)[^>]*autofocus/g)];
    expect(cursors.map(([field]) => /name="([^"]*)"/.exec(field)?.[1])).toEqual([
      "quiet_hours[0].from",
    ]);
  });

  test("is not tried twice in ten seconds, keeps what was typed then, and says how long to wait", async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    const ann = await byKey(scene, "write");
    const fields = { ...typed.slack, ...rules, test: "yes" };
    expect(await textOf(ann.send("/channels/new/slack", fields))).toContain('data-wait="10000"');
    scene.clock.suspend(4_000);
    const page = await textOf(ann.send("/channels/new/slack", fields));
    expect(wordsIn(page)).toContain(
      "No test was sent. The same test was sent just now: send it again in 6 s.",
    );
    expect(page).toContain('data-wait="6000" data-waiting="Send again in"');
    expect(page).toContain(`value="${typed.slack["webhook_url"]}"`);
    expect(scene.sent).toHaveLength(1);
    scene.clock.suspend(6_000);
    await ann.send("/channels/new/slack", fields);
    expect(scene.sent).toHaveLength(2);
  });

  test("is tried again at once if the test failed or its data is corrected, ten times in a minute", async () => {
    let isUp = false;
    const outcome = (): DeliveryOutcome =>
      isUp ? delivered(null) : stopped("failing", "key_refused", "the provider answers 403", 403);
    const scene = await operatorScene({ pages: "signed in", days: 0, outcome });
    const ann = await byKey(scene, "write");
    const fields = { ...typed.webhook, ...rules, test: "yes" };
    const sendTest = async (change: Record<string, string>): Promise<string> =>
      wordsIn(await textOf(ann.send("/channels/new/webhook", { ...fields, ...change })));
    expect(await sendTest({})).toContain("The test message failed: the provider answers 403.");
    isUp = true;
    expect(await sendTest({})).toContain("Webhook accepted the test message");
    for (let count = 2; count < 10; count += 1)
      expect(await sendTest({ endpoint: `https://hook.test/${count}` })).toContain("accepted");
    expect(await sendTest({ endpoint: "https://hook.test/10" })).toContain(
      "No test was sent. 10 tests were sent within a minute: send it again in 60 s.",
    );
    expect(scene.sent).toHaveLength(10);
  });

  test.each([
    [
      "https://hooks.slack.com/services/T0/B0/x",
      "Slack",
      "https://hooks.slack.com/services/T0/B0/x",
    ],
    [" https://ntfy.sh/shop-3f9a2c ", "ntfy", "shop-3f9a2c"],
    ["mailto:ops@example.com", "E-mail", "ops@example.com"],
    ["ops@example.test", "E-mail", "ops@example.test"],
    ["Ops <ops@example.test>", "E-mail", "ops@example.test"],
    ["https://hooks.example.com/in", "Webhook", "https://hooks.example.com/in"],
  ])("is begun by pasting %s, which leads to the form of %s", async (url, label, value) => {
    const scene = await operatorScene({ pages: "signed in", days: 0, accounts });
    const ann = await byKey(scene, "write");
    const page = await textOf(ann.send("/channels/new", { url, next: "/start" }));
    expect(wordsIn(page)).toContain(`New channel: ${label}`);
    expect(page).toContain(`value="${value}"`);
    expect(page).toContain('name="next" value="/start"');
    const refused = await ann.send("/channels/new", { url: "#ops" });
    expect([refused.status, wordsIn(await refused.text())]).toEqual([
      422,
      expect.stringContaining(
        "That is neither a URL nor an e-mail address: paste the URL of a webhook",
      ),
    ]);
  });

  test("without the service's account says which setting is missing", async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    const ann = await byKey(scene, "write");
    expect(wordsIn(await textOf(ann.get("/channels/new")))).toContain(
      "Need a setting of the service first Telegram A bot E-mail A mail server SMS",
    );
    const form = await textOf(ann.get("/channels/new/sms"));
    expect(wordsIn(form)).toContain(
      "SMS cannot be used yet. Text messages need an account at Twilio: set PICKET_TWILIO_ACCOUNT_SID, PICKET_TWILIO_AUTH_TOKEN and PICKET_TWILIO_FROM at the service, and restart it.",
    );
    // It can neither be typed in nor sent.
    expect(form).toContain("<fieldset  disabled>");
    expect(form).not.toMatch(/Create channel\s*<\/button>|Send a test message/);
    const refused = await ann.send("/channels/new/sms", { ...typed.sms, ...rules });
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining("Text messages need an account at Twilio"),
    ]);
  });
});

test("a webhook's signing secret is shown to its maker once, and a new one to who asks for it", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const ann = await byKey(scene, "write");
  const ben = await byKey(scene, "write");
  const secretIn = async (path: string, person = ann): Promise<string> =>
    /whsec_[\w+/=]+/.exec(await textOf(person.get(path)))?.[0] ?? "";
  const path = ledTo(await ann.send("/channels/new/webhook", { ...typed.webhook, ...rules }));
  const secret = await secretIn(path);
  expect(secret).not.toBe("");
  expect([await secretIn(path, ben), await secretIn("/channels/1")]).toEqual(["", ""]);
  // The page begins with whether messages arrive; as long as it shows a secret, with that.
  const headings = async (of: string): Promise<readonly string[]> =>
    [...(await textOf(ann.get(of))).matchAll(/<h2 id="(\w+)"/g)].map(([, id = ""]) => id);
  expect(await headings("/channels/1")).toEqual(["messages", "selects", "signing"]);
  expect(await headings(path)).toEqual(["signing", "messages", "selects"]);
  scene.clock.suspend(1_000);
  const fresh = await secretIn(ledTo(await ann.send("/channels/1/secret")));
  expect(fresh).not.toBe("");
  expect(fresh).not.toBe(secret);
  expect(await secretIn(path)).toBe("");
});

test("a channel of a file says whose it is, and no form changes, deletes or signs it anew", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const ann = await byKey(scene, "write");
  await applyFile(scene.service, {
    owner: "team-net",
    channels: [
      {
        name: "ops",
        provider: "NOTIFICATION_PROVIDER_WEBHOOK",
        data: { webhook: { endpoint: "https://hook.test/x" } },
      },
    ],
  });
  for (const path of ["/channels/1", "/channels/1/edit", "/channels/1/delete"])
    expect(await textOf(ann.get(path))).toContain(
      "Managed by the files of team-net: change it there.",
    );
  expect(await textOf(ann.get("/channels/1/edit"))).toContain("<fieldset  disabled");
  expect((await ann.send("/channels/1/edit", { ...typed.webhook, ...rules })).status).toBe(422);
  expect((await ann.send("/channels/1/delete")).status).toBe(400);
  expect((await ann.send("/channels/1/secret")).status).toBe(400);
  expect(wordsIn(await textOf(ann.get("/channels")))).toContain("ops");
});

test("a delete asks once, and says which monitors notify no one then", async () => {
  const scene = await operatorScene({ pages: "signed in" });
  const ann = await byKey(scene, "write");
  await ann.send("/channels/1/delete");
  const asked = wordsIn(await textOf(ann.get("/channels/2/delete")));
  expect(asked).toContain("1 message that waits will not be sent.");
  expect(asked).toContain(
    "12 monitors have no other channel: from then on no one is notified of them (Shop, Billing API, Intranet, Wiki, Registry and 7 more).",
  );
  const led = ledTo(await ann.send("/channels/2/delete"));
  expect((await ann.get("/channels/2")).status).toBe(404);
  expect(wordsIn(await textOf(ann.get(led)))).toContain("The channel Tickets is deleted.");
  await ann.send("/undo", { kind: "channel", ids: "2" });
  expect(wordsIn(await textOf(ann.get("/channels/2")))).toContain("of 12 monitors");
});

test("a second person who changes a channel is shown what the first one changed, and keeps what they typed", async () => {
  const scene = await operatorScene({ pages: "signed in" });
  const ann = await byKey(scene, "write");
  const ben = await byKey(scene, "write", "ben");
  const basisIn = (page: string): string => /name="basis" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const basis = basisIn(await textOf(ann.get("/channels/1/edit")));
  const fields = { ...typed.slack, ...rules, basis };
  expect((await ben.send("/channels/1/edit", { ...fields, name: "by Ben" })).status).toBe(303);
  const second = await ann.send("/channels/1/edit", { ...fields, name: "by Ann" });
  expect(second.status).toBe(409);
  const page = await second.text();
  expect(wordsIn(page)).toContain("This channel was changed meanwhile");
  expect(wordsIn(page)).toContain("by Ben");
  expect(page).toContain('value="by Ann"');
});
