import { expect, test } from "vitest";
import { addressName } from "#browser/address-name";
import * as checkLimits from "#limits/check-limits";
import { slugFromTitle } from "#service/status-page/slug-from-title";

test.each([
  ["Two Words", "two-words"],
  ["Bad Slug!", "bad-slug"],
  ["  --Straße & Łódź--  ", "strasse-lodz"],
  ["Ærø, Đà Nẵng", "aero-da-nang"],
  ["Öffentlicher Dienst München", "oeffentlicher-dienst-muenchen"],
  ["A\u0308nderung ÜBER GRÖẞE", "aenderung-ueber-groesse"],
  ["Café №1", "cafe-no1"],
  ["日本", ""],
  ["x".repeat(300), "x".repeat(checkLimits.nameCharsMax)],
  [`${"x".repeat(checkLimits.nameCharsMax - 1)} y`, "x".repeat(checkLimits.nameCharsMax - 1)],
])("a browser makes the same name in an address of %j as the service", (text, name) => {
  expect([addressName(text), slugFromTitle(text)]).toEqual([name, name]);
});
