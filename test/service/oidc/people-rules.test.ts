import { expect, test } from "vitest";
import {
  type Claims,
  type PeopleRules,
  personOf,
  ruleFor,
  roleBy,
} from "#service/oidc/people-rules";

const ann = { email: "Ann@Example.com", email_verified: true, groups: ["night shift", "ops"] };

const noRules: PeopleRules = { reader: [], responder: [], editor: [], owner: [] };

const roleOf = (claims: readonly Claims[], rules: Partial<PeopleRules>): string | null => {
  const all = { ...noRules, ...rules };
  const rule = ruleFor(personOf(claims, "groups"), all);
  return rule === null ? null : roleBy(rule, all);
};

test.each<[string, readonly Claims[], Partial<PeopleRules>, string | null]>([
  ["everyone", [{ sub: "1" }], { reader: ["*"] }, "reader"],
  [
    "the domain of a verified address, whatever its case",
    [ann],
    { reader: ["@example.com"] },
    "reader",
  ],
  ["an address", [ann], { editor: ["ann@example.com"] }, "editor"],
  ["a group", [ann], { editor: ["group:ops"] }, "editor"],
  ["a group that is said alone", [{ groups: "ops" }], { editor: ["group:ops"] }, "editor"],
  ["the rule that allows more", [ann], { reader: ["*"], editor: ["group:ops"] }, "editor"],
  [
    "the highest of four roles",
    [ann],
    { reader: ["*"], responder: ["group:ops"], owner: ["@example.com"] },
    "owner",
  ],
  ["what only the second answer says", [{ sub: "1" }, ann], { editor: ["@example.com"] }, "editor"],
  [
    "a domain that only ends alike",
    [{ ...ann, email: "a@evil-example.com" }],
    { reader: ["@example.com"] },
    null,
  ],
  ["a subdomain", [{ ...ann, email: "a@x.example.com" }], { reader: ["@example.com"] }, null],
  [
    "an address with two signs",
    [{ ...ann, email: "a@x.test@example.com" }],
    { reader: ["@example.com"] },
    null,
  ],
  [
    "an address that is not verified",
    [{ ...ann, email_verified: false }],
    { reader: ["@example.com"] },
    null,
  ],
  [
    "an address of which that is not known",
    [{ email: "a@example.com" }],
    { reader: ["@example.com"] },
    null,
  ],
  [
    "an address that another answer verifies",
    [{ email: "a@example.com" }, { email_verified: true }],
    { reader: ["@example.com"] },
    null,
  ],
  ["a group that differs in case", [ann], { editor: ["group:Ops"] }, null],
  ["a group that is no text", [{ groups: [1, null, {}] }], { editor: ["group:1"] }, null],
])("rules and people: %s", (_what, claims, rules, role) => {
  expect(roleOf(claims, rules)).toBe(role);
});

test("a rule that has been removed lets no one in, one that moved does what it says now", () => {
  expect(roleBy("group:ops", { ...noRules, reader: ["group:ops"] })).toBe("reader");
  expect(roleBy("group:ops", { ...noRules, reader: ["*"] })).toBeNull();
});

test("a person has the name that others know best, short and harmless", () => {
  expect(personOf([{ sub: "7", preferred_username: "ann" }], "groups").name).toBe("ann");
  expect(personOf([{ sub: "7" }, { email: "a@b.test", name: "Ann" }], "groups").name).toBe(
    "a@b.test",
  );
  expect(personOf([{ sub: `x\u202e${"y".repeat(900)}` }], "groups").name).toHaveLength(254);
});
