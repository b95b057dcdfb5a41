import { shownName } from "#base/text";
import { type Role, roles } from "#service/store/people-store";
import * as limits from "#limits/pages-limits";

/**
 * Who may sign in through the identity provider, by what they may do then. Each rule is one of `*`, `@example.com`, `ann@example.com` and
 * `group:night-shift`, as a person's marks are.
 */
export type PeopleRules = Readonly<Record<Role, readonly string[]>>;

/** A person as the identity provider describes them. */
export interface Person {
  /** For people to recognise. */
  readonly name: string;
  /** What rules are compared with. */
  readonly marks: readonly string[];
  /** Whether there is an e-mail address that does not count, because the provider does not say that it is verified. */
  readonly hasUnverifiedMail: boolean;
}

export type Claims = Readonly<Record<string, unknown>>;

/** E-mail addresses and domains have no case; the name of a group has. */
export const ruleOf = (text: string): string =>
  text.startsWith("group:") ? text : text.toLowerCase();

/** What the claims of one sign-in say of a person: those of the ID token, and those of the userinfo endpoint. */
export function personOf(all: readonly Claims[], groupsClaim: string): Person {
  const words = (claim: string): readonly string[] => all.flatMap((one) => textIn(one, claim));
  const verified = all.filter(isVerified).flatMap((one) => textIn(one, "email"));
  const mails = verified.map(ruleOf).filter((one) => /^[^\s@]+@[^\s@]+$/.test(one));
  const groups = all.flatMap((one) => [one[groupsClaim]].flat()).filter(isText);
  const [name = ""] = ["email", "preferred_username", "name", "sub"].flatMap(words);
  return {
    name: shownName(name, limits.personNameCharsMax),
    marks: [
      "*",
      ...mails,
      ...mails.map((mail) => mail.slice(mail.indexOf("@"))),
      ...groups.map((group) => `group:${group}`),
    ],
    hasUnverifiedMail: mails.length === 0 && words("email").length > 0,
  };
}

const isText = (value: unknown): value is string => typeof value === "string";

const textIn = (claims: Claims, name: string): readonly string[] =>
  [claims[name]].filter(isText).filter((text) => text !== "");

/** Whoever may write any address into their account must not be let in by it. Some providers send the word as text. */
const isVerified = ({ email_verified: verified }: Claims): boolean =>
  verified === true || verified === "true";

/** The rule by which a person may do the most; null if none lets them in. */
export const ruleFor = ({ marks }: Person, rules: PeopleRules): string | null =>
  fromTheTop.flatMap((role) => rules[role]).find((rule) => marks.includes(rule)) ?? null;

/** What a rule lets people do now; null if it has been removed since. */
export const roleBy = (rule: string, rules: PeopleRules): Role | null =>
  fromTheTop.find((role) => rules[role].includes(rule)) ?? null;

/** The role that may do the most comes first. */
const fromTheTop: readonly Role[] = roles.toReversed();
