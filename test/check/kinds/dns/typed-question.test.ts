import { expect, test } from "vitest";
import { typedQuestion } from "#check/kinds/dns/typed-question";

const fields = (text: string) => {
  const read = typedQuestion(text);
  return read === null ? null : [...read.values()];
};

test("a question for records of one type is read as people write it", () => {
  for (const text of [
    "dns:shop.example?type=TXT",
    "dns://shop.example?type=TXT",
    "dns://shop.example/?type=txt",
    "shop.example TXT",
    "shop.example. IN TXT",
    "dig shop.example TXT",
  ])
    expect(fields(text), text).toEqual([expect.stringMatching(/^shop\.example\.?$/), "TXT"]);
});

test("a question to one name server keeps it", () => {
  const asked = ["dns:shop.example?server=10.0.0.53", "MX"];
  expect(fields("dig @10.0.0.53 shop.example MX")).toEqual(asked);
  expect(fields("dns://10.0.0.53/shop.example?type=MX")).toEqual(asked);
});

test("a question of dig to another port than 53 keeps the port", () => {
  const asked = ["dns:shop.example?server=127.0.0.1:23253", "A"];
  for (const text of [
    "dig @127.0.0.1 -p 23253 shop.example A",
    "dig -p 23253 @127.0.0.1 shop.example A",
    "dig @127.0.0.1 shop.example A -p 23253",
    "dig @127.0.0.1 -p23253 shop.example A",
  ])
    expect(fields(text), text).toEqual(asked);
  expect(fields("dig @fd00::53 -p 5353 shop.example A")).toEqual([
    "dns:shop.example?server=[fd00::53]:5353",
    "A",
  ]);
  expect(fields("dig -p 23253 shop.example A")).toBeNull();
});

test("what names no type, several, or one without a rule is not read as such a question", () => {
  for (const text of [
    "shop.example",
    "dns:shop.example?server=10.0.0.53",
    "dns:shop.example?type=A,TXT",
    "dns:shop.example?type=NS",
    "curl shop.example",
    "https://shop.example/?type=TXT",
    "",
  ])
    expect(fields(text), text).toBeNull();
});
