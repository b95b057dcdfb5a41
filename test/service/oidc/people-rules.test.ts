import { expect, test } from "vitest";
import {
  type Claims,
  type PeopleRules,
  personOf,
  ruleFor,
  scopeBy,
} from "#service/oidc/people-rules";

const ann = { email: "Ann@Example.com", email_verified: true, groups: ["night shift", "ops"] };

const scopeOf = (claims: readonly Claims[], rules: Partial<PeopleRules>): string | null => {
  const all = { read: [], write: [], ...rules };
  const rule = ruleFor(personOf(claims, "groups"), all);
  return rule === null ? null : scopeBy(rule, all);
};

test.each<[string, readonly Claims[], Partial<PeopleRules>, string | null]>([
  ["everyone", [{ sub: "1" }], { read: ["*"] }, "read"],
  [
    "the domain of a verified address, whatever its case",
    [ann],
    { read: ["@example.com"] },
    "read",
  ],
  ["an address", [ann], { write: ["ann@example.com"] }, "write"],
  ["a group", [ann], { write: ["group:ops"] }, "write"],
  ["a group that is said alone", [{ groups: "ops" }], { write: ["group:ops"] }, "write"],
  ["the rule that allows more", [ann], { read: ["*"], write: ["group:ops"] }, "write"],
  ["what only the second answer says", [{ sub: "1" }, ann], { write: ["@example.com"] }, "write"],
  [
    "a domain that only ends alike",
    [{ ...ann, email: "a@evil-example.com" }],
    { read: ["@example.com"] },
    null,
  ],
  ["a subdomain", [{ ...ann, email: "a@x.example.com" }], { read: ["@example.com"] }, null],
  [
    "an address with two signs",
    [{ ...ann, email: "a@x.test@example.com" }],
    { read: ["@example.com"] },
    null,
  ],
  [
    "an address that is not verified",
    [{ ...ann, email_verified: false }],
    { read: ["@example.com"] },
    null,
  ],
  [
    "an address of which that is not known",
    [{ email: "a@example.com" }],
    { read: ["@example.com"] },
    null,
  ],
  [
    "an address that another answer verifies",
    [{ email: "a@example.com" }, { email_verified: true }],
    { read: ["@example.com"] },
    null,
  ],
  ["a group that differs in case", [ann], { write: ["group:Ops"] }, null],
  ["a group that is no text", [{ groups: [1, null, {}] }], { write: ["group:1"] }, null],
])("rules and people: %s", (_what, claims, rules, scope) => {
  expect(scopeOf(claims, rules)).toBe(scope);
});

test("a rule that has been removed lets no one in, one that moved does what it says now", () => {
  expect(scopeBy("group:ops", { read: ["group:ops"], write: [] })).toBe("read");
  expect(scopeBy("group:ops", { read: ["*"], write: [] })).toBeNull();
});

test("a person has the name that others know best, short and harmless", () => {
  expect(personOf([{ sub: "7", preferred_username: "ann" }], "groups").name).toBe("ann");
  expect(personOf([{ sub: "7" }, { email: "a@b.test", name: "Ann" }], "groups").name).toBe(
    "a@b.test",
  );
  expect(personOf([{ sub: `x\u202e${"y".repeat(900)}` }], "groups").name).toHaveLength(254);
});
