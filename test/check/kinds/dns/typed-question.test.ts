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
  const asked = ["dns:shop.example?server=127.0.0.1:23253", "TXT"];
  for (const text of [
    "dig @127.0.0.1 -p 23253 shop.example TXT",
    "dig -p 23253 @127.0.0.1 shop.example TXT",
    "dig @127.0.0.1 shop.example TXT -p 23253",
    "dig @127.0.0.1 -p23253 shop.example TXT",
  ])
    expect(fields(text), text).toEqual(asked);
  expect(fields("dig @fd00::53 -p 5353 shop.example TXT")).toEqual([
    "dns:shop.example?server=[fd00::53]:5353",
    "TXT",
  ]);
  expect(fields("dig -p 23253 shop.example TXT")).toBeNull();
});

test("a question for addresses has no rule for its type, which is asked for without one", () => {
  expect(fields("dig shop.example A")).toEqual(["shop.example"]);
  expect(fields("dig @127.0.0.1 -p 25104 shop.example AAAA")).toEqual([
    "dns:shop.example?server=127.0.0.1:25104",
  ]);
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
