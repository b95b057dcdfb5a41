import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { acknowledgeLinks } from "#service/alerts/links";
import { noon, queue } from "../alerting/waiting.ts";

const links = acknowledgeLinks("secret");
const { incident } = queue({ number: 4, events: [["opened", 0]] });

test("a link that acknowledges names the incident, its opening and the channel", () => {
  const token = links.tokenOf(incident, 7);
  expect(links.read(token)).toEqual({ number: 4, openedAt: noon, channel: 7 });
  expect(links.read(token.replace(".7.", ".8."))).toBeNull();
  expect(links.read(token.replace(".7.", "."))).toBeNull();
  for (const other of ["", ".", "4", "4.1.7", `${token}.`, token.slice(0, -1)])
    expect(links.read(other)).toBeNull();
});

test("a link of an older version, which names no channel, works on", () => {
  const text = `4.${noon}`;
  const hash = createHmac("sha256", "secret").update(`acknowledge ${text}`).digest("base64url");
  const token = `${text}.${hash.slice(0, 32)}`;
  expect(links.read(token)).toEqual({ number: 4, openedAt: noon, channel: null });
});

test("a link that acknowledges several names them and until when they opened", () => {
  const token = links.tokenOfGroup([4, 5, 6, 9], noon, 7) ?? "";
  expect(token).toMatch(/^4-6_9\.\d+\.7\./);
  expect(links.readGroup(token)).toEqual({ numbers: [4, 5, 6, 9], until: noon, channel: 7 });
  expect(links.read(token)).toBeNull();
  expect(links.readGroup(links.tokenOf(incident, 7))).toBeNull();
  expect(links.readGroup(token.replace("4-6", "4-7"))).toBeNull();
  const apart = Array.from({ length: 500 }, (_, index) => 2 * index);
  expect(links.tokenOfGroup(apart, noon, 7)).toBeNull();
});
