import { expect, test } from "vitest";
import { contactTyped, linkTyped } from "#service/status-page/typed-link";

test.each([
  ["acme.test", "https://acme.test"],
  [" www.acme.test/help?of=shop#top ", "https://www.acme.test/help?of=shop#top"],
  ["acme.test:8443", "https://acme.test:8443"],
  ["bücher.example", "https://bücher.example"],
  ["http://acme.test", "http://acme.test"],
  ["ftp://acme.test", "ftp://acme.test"],
  ["javascript:alert(1)", "javascript:alert(1)"],
  ["acme", "acme"],
  ["acme .test", "acme .test"],
  ["", ""],
])("a link typed as %j is %j", (typed, link) => {
  expect(linkTyped(typed)).toBe(link);
});

test.each([
  ["help@acme.test", "mailto:help@acme.test"],
  ["mailto:help@acme.test", "mailto:help@acme.test"],
  ["acme.test/contact", "https://acme.test/contact"],
  ["https://acme.test/@help", "https://acme.test/@help"],
  ["acme.test/@help", "https://acme.test/@help"],
  ["help@acme", "help@acme"],
  ["", ""],
])("a contact typed as %j is %j", (typed, link) => {
  expect(contactTyped(typed)).toBe(link);
});
