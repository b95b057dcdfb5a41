import { describe, expect, test } from "vitest";
import type { WantedChannel } from "#cli/apply/written-channels";
import { providers } from "#service/notify/channel";
import { neutralWords } from "#service/notify/provider-words";
import { readTexts } from "../../support/configuration-text.ts";

function channelsIn(text: string, env: Record<string, string> = {}): readonly WantedChannel[] {
  const reading = readTexts({ file: text }, env);
  if (reading.ok) return reading.configuration.channels;
  throw new Error(JSON.stringify([...reading.mistakes.values()]));
}
const mistakesIn = (text: string): readonly string[] => {
  const reading = readTexts({ file: text });
  return reading.ok
    ? []
    : [...reading.mistakes.values()]
        .flat()
        .map(({ line, path, message }) => `${line} ${path}: ${message}`);
};

const url = { webhook_url: "https://hooks.test/planted" };
const given: { readonly [P in (typeof providers)[number]]: Readonly<Record<string, unknown>> } = {
  discord: url,
  email: { email: "ops@shop.test" },
  google_chat: url,
  grafana_oncall: url,
  ntfy: { topic: "shop" },
  pagerduty: { integration_key: "a".repeat(32) },
  opsgenie: { api_key: "a".repeat(32), region: "eu" },
  slack: url,
  sms: { phone_number: "+4915112345678" },
  telegram: { chat_id: "-100123" },
  webhook: { endpoint: "https://hooks.test/", headers: [{ key: "X-A", value: "planted" }] },
  whatsapp: { phone_number: "+4915112345678" },
  ms_teams: url,
};

describe("notifications in a file", () => {
  test.each(providers)("%s is taken under each of its words", (provider) => {
    const words = [provider, neutralWords[provider] ?? provider];
    for (const word of words) {
      const text = { notifications: [{ provider_type: word, [word]: given[provider] }] };
      expect(channelsIn(JSON.stringify(text))).toMatchObject([
        { name: provider, provider, given: given[provider], monitors: [] },
      ]);
    }
  });

  test("names monitors from either side, all of them, or those with labels; secrets stand elsewhere", () => {
    const text = `
http_monitors:
  - { name: shop, url: https://shop.test/, periodicity: 30s, labels: { team: shop } }
  - { name: blog, url: https://blog.test/, periodicity: 30s, notifications: [mail] }
notifications:
  - { name: all, provider_type: slack, slack: { webhook_url: { env: HOOK } }, monitors: all, reminder: 4h, delay: 2m }
  - { name: mail, provider_type: email, email: { email: a@b.test }, monitors: [shop] }
  - { name: team, provider_type: ntfy, ntfy: { topic: shop }, monitors: { labels: { team: "" } }, quiet_hours: [{ days: [sun, mon], from: "22:00", to: "07:00" }] }
`;
    const channels = channelsIn(text, { HOOK: "https://hooks.test/planted" });
    expect(channels.map(({ monitors }) => monitors.map(({ name }) => name))).toEqual([
      ["shop", "blog"],
      ["shop", "blog"],
      ["shop"],
    ]);
    expect(channels[0]).toMatchObject({
      given: { webhook_url: "https://hooks.test/planted" },
      rules: { delay: 120_000, reminder: 14_400_000, events: [] },
    });
    expect(channels[2]?.rules.quietHours).toEqual([{ days: [1, 7], from: "22:00", to: "07:00" }]);
  });

  test("each mistake is a message, and none quotes a secret", () => {
    const text = `
http_monitors: [{ name: shop, url: https://shop.test/, periodicity: 30s, notifications: [opps] }]
notifications:
  - { name: a, provider_type: slck, slack: { webhook_url: https://planted.test/ } }
  - { name: b, provider_type: slack }
  - { name: c, provider_type: slack, slack: { webhook_url: planted } }
  - { name: ops, provider_type: slack, slack: { webhook_url: https://a.test/ }, email: { email: a@b.test } }
  - { name: ops, provider_type: slack, chat_b: { webhook_url: https://a.test/ }, monitors: [shp] }
  - { name: d, provider_type: slack, slack: { webhook_url: https://a.test/ }, events: [eror], reminder: 1s, delay: soon, time_zone: Mars/Sea, quiet_hours: [{ days: [1st], from: "24:00", to: "7" }] }
  - { name: e, provider_type: slack, slack: { webhook_url: https://a.test/ }, monitors: everything }
`;
    const found = mistakesIn(text);
    expect(found.join("\n")).not.toContain("planted");
    expect(found.map((one) => one.replace(/: .*/, "")).toSorted()).toEqual(
      [
        "2 http_monitors[0].notifications[0]",
        "4 notifications[0].provider_type",
        "5 notifications[1]",
        "6 notifications[2].slack.webhook_url",
        "7 notifications[3].email",
        "8 notifications[4].monitors[0]",
        "8 notifications[4].name",
        "9 notifications[5].delay",
        "9 notifications[5].events[0]",
        "9 notifications[5].quiet_hours[0].days[0]",
        "9 notifications[5].quiet_hours[0].from",
        "9 notifications[5].quiet_hours[0].to",
        "9 notifications[5].reminder",
        "9 notifications[5].time_zone",
        "10 notifications[6].monitors",
      ].toSorted(),
    );
    expect(found.find((one) => one.startsWith("2 "))).toContain("did you mean ops?");
    expect(found.find((one) => one.startsWith("4 "))).toContain("did you mean slack?");
  });
});
