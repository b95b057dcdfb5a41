import { expect, test } from "vitest";
import { channelFields } from "#service/operator/channels/channel-fields";

test.each([
  ["slack", "#ops"],
  ["email", "Operations"],
  ["webhook", "Operations"],
] as const)("the example of a name for %s is %s", (provider, example) => {
  expect(channelFields(provider)["name"]?.control).toMatchObject({ example });
});
