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
  ])
    expect(fields(text), text).toEqual([expect.stringMatching(/^shop\.example\.?$/), "TXT"]);
});

test("a question to one name server keeps it", () => {
  const asked = ["dns:shop.example?server=10.0.0.53", "MX"];
  expect(fields("dns:shop.example?type=MX&server=10.0.0.53")).toEqual(asked);
  expect(fields("dns://10.0.0.53/shop.example?type=MX")).toEqual(asked);
});

test("a question for addresses has no rule for its type, and asks for that type alone", () => {
  expect(fields("shop.example A")).toEqual(["dns:shop.example?type=A"]);
  expect(fields("dns:shop.example?type=AAAA&server=127.0.0.1:25104")).toEqual([
    "dns:shop.example?type=AAAA&server=127.0.0.1:25104",
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
