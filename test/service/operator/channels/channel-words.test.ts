import { expect, test } from "vitest";
import { channelFields } from "#service/operator/channels/channel-fields";
import { accounts } from "../../../support/notices.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { byKey } from "../../../support/signed-in.ts";

test.each([
  ["slack", "#ops"],
  ["email", "Operations"],
  ["webhook", "Operations"],
] as const)("the example of a name for %s is %s", (provider, example) => {
  expect(channelFields(provider)["name"]?.control).toMatchObject({ example });
});

test("the address of a mail channel is kept alone, as it was typed, with mailto: or with a name", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0, accounts });
  const ann = await byKey(scene, "write");
  const rules = { all_monitors: "yes", events: "error", time_zone: "UTC" };
  const typed = ["ops@example.test", "mailto:ops@example.test", "Ops <ops@example.test>"];
  for (const [index, email] of typed.entries()) {
    const made = await ann.send("/channels/new/email", { ...rules, email });
    expect([email, made.status]).toEqual([email, 303]);
    expect(await ann.text(`/channels/${index + 1}/edit`)).toContain('value="ops@example.test"');
  }
  const two = await ann.send("/channels/new/email", { ...rules, email: "ops@a.test, dev@a.test" });
  expect([two.status, await two.text()]).toEqual([
    422,
    expect.stringContaining("ust be one address, for example ops@example.com"),
  ]);
});
