import { expect, test } from "vitest";
import { holdsForRecords } from "#assertions/record";

const cases = [
  // type, comparator, received, target, held
  ["A", "eq", ["10.0.0.1", "10.0.0.2"], "10.0.0.2", true],
  ["A", "eq", ["10.0.0.1"], "10.0.0.2", false],
  ["A", "neq", ["10.0.0.1", "10.0.0.2"], "10.0.0.2", false],
  ["A", "neq", ["10.0.0.1"], "10.0.0.2", true],
  ["A", "contains", ["10.0.0.1"], "10.0.", true],
  ["A", "not_contains", ["10.0.0.1"], "192.", true],
  ["A", "not_contains", ["10.0.0.1", "192.0.2.1"], "192.", false],
  // The empty list.
  ["A", "eq", [], "10.0.0.1", false],
  ["A", "contains", [], "1", false],
  ["A", "neq", [], "10.0.0.1", true],
  ["A", "not_contains", [], "1", true],
  // Addresses, not their spelling.
  ["AAAA", "eq", ["2001:db8::1"], "2001:0DB8:0:0::1", true],
  ["AAAA", "eq", ["2001:db8::1"], "2001:db8::2", false],
  // Names: case and the trailing dot mean nothing.
  ["CNAME", "eq", ["Www.Example.com."], "www.example.com", true],
  ["CNAME", "eq", ["www.example.com."], "example.com", false],
  ["CNAME", "contains", ["www.example.com."], "EXAMPLE", true],
  ["NS", "eq", ["ns1.example.com."], "NS1.example.com", true],
  ["NS", "neq", ["ns1.example.com.", "ns2.example.com."], "ns2.example.com", false],
  ["NS", "contains", ["ns1.example.com."], "EXAMPLE", true],
  // Every way to write a mail exchange.
  ["MX", "eq", ["mail.example.com.:10"], "mail.example.com", true],
  ["MX", "eq", ["mail.example.com.:10"], "mail.example.com.", true],
  ["MX", "eq", ["mail.example.com.:10"], "mail.example.com.:10", true],
  ["MX", "eq", ["mail.example.com.:10"], "10 mail.example.com", true],
  ["MX", "eq", ["mail.example.com.:10"], "mail.example.com.:20", false],
  ["MX", "eq", ["mail.example.com.:10"], "20 mail.example.com.", false],
  ["MX", "eq", ["mail.example.com.:10"], "other.example.com", false],
  // Text is taken to the letter.
  ["TXT", "eq", ["v=spf1 -all"], "v=spf1 -all", true],
  ["TXT", "eq", ["v=spf1 -all"], "V=SPF1 -ALL", false],
  ["TXT", "contains", ["v=spf1 -all"], "spf1", true],
] as const;

test.each(cases)("%s %s: %j against %j is %s", (type, comparator, received, target, held) => {
  expect(holdsForRecords(comparator, type, received, target)).toBe(held);
});
