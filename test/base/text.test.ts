import { expect, test } from "vitest";
import { capital, nameAsRead } from "#base/text";

test.each([
  ["the gateway is silent", "The gateway is silent"],
  ["packets may be lost", "Packets may be lost"],
  ["eth0 has no carrier", "eth0 has no carrier"],
  ["br-lan is switched off", "br-lan is switched off"],
  ["slow: 612 ms", "Slow: 612 ms"],
  ["db:5432 is silent", "db:5432 is silent"],
  ["shop.test fails", "shop.test fails"],
  ["", ""],
])("a sentence begins with a capital, and a name with its own letters: %s", (text, begins) => {
  expect(capital(text)).toBe(begins);
});

test.each([
  ["ann", "ANN"],
  ["Ann B.", " Ann\u00a0 B. "],
  ["Ann", "\uff21\uff4e\uff4e"],
  ["Ann", "A\u200bn\u00adn"],
  ["Stra\u00dfe", "STRASSE"],
])("two names that read alike are one: %j and %j", (one, other) => {
  expect(nameAsRead(one)).toBe(nameAsRead(other));
  expect(nameAsRead(one)).not.toBe(nameAsRead(`${one}s`));
});
