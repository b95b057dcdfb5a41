import { expect, test } from "vitest";
import { savedArguments } from "#service/operator/channels/channel-draft";
import { destinationOf } from "#service/operator/channels/destination";
import { channelWith } from "#service/channels/channel-message";
import { type Provider, providers } from "#service/notify/channel";
import { accounts, configurations } from "../../../support/notices.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { byKey } from "../../../support/signed-in.ts";

const destinations: { readonly [P in Provider]: string } = {
  discord: "discord.test",
  email: "ops@example.test",
  google_chat: "chat.test",
  grafana_oncall: "oncall.test",
  ntfy: "ntfy.test",
  pagerduty: "",
  opsgenie: "EU",
  slack: "slack.test",
  sms: "…4567",
  telegram: "chat -1001",
  webhook: "hook.test",
  whatsapp: "…4567",
  ms_teams: "teams.test",
};

test("a channel's destination says where its messages go without what is secret", () => {
  const said = providers.map((provider) => {
    const channel = channelWith("1", "ops", provider, configurations[provider]);
    return [provider, destinationOf(provider, savedArguments(channel))];
  });
  expect(Object.fromEntries(said)).toEqual(destinations);
});

test("a part of a host that is made by chance, a path and a query are in no destination", () => {
  const endpoint = "https://ann:pass@en7f3k2q9x.m.pipedream.net:8443/hook?token=planted";
  expect(destinationOf("webhook", { endpoint })).toBe("m.pipedream.net:8443");
  expect(destinationOf("email", {})).toBe("");
});

test("the topic of ntfy is in no destination: whoever knows it reads each message", () => {
  const saved = { topic: "planted", server_url: "https://ntfy.sh/" };
  expect(destinationOf("ntfy", saved)).toBe("ntfy.sh");
});

test("the list of channels and a channel's page say where its messages go, once if its name says it", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0, accounts });
  const ann = await byKey(scene, "write");
  const rules = { all_monitors: "yes", events: "error", time_zone: "UTC", email: "ops@a.test" };
  await ann.send("/channels/new/email", { ...rules, name: "Night shift" });
  await ann.send("/channels/new/email", { ...rules, email: "dev@a.test" });
  const said = async (path: string): Promise<string> =>
    (await ann.text(path)).replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
  expect(await said("/channels")).toContain("E-mail: ops@a.test No message yet");
  expect(await said("/channels/1")).toContain("E-mail: ops@a.test No message yet");
  expect(await said("/channels")).not.toContain("E-mail: dev@a.test");
  expect(JSON.parse(await ann.text("/channels/1.json"))).toMatchObject({ sent_to: "ops@a.test" });
});
