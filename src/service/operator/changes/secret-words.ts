import type { FieldChange } from "#service/store/audit/field-change";

/** What became of a secret, as people say it: a second factor is turned on, and a password is set. */
export function newSecretWords({
  field,
  before,
  after,
}: Exclude<FieldChange, { is: "set" }>): string {
  const { set, changed, removed } = secretDeeds.get(field) ?? anySecret;
  return after === null ? removed : before === null ? set : changed;
}

interface SecretDeeds {
  readonly set: string;
  readonly changed: string;
  readonly removed: string;
}

const anySecret: SecretDeeds = { set: "set", changed: "changed", removed: "removed" };
const secretDeeds: ReadonlyMap<string, SecretDeeds> = new Map([
  ["second factor", { set: "turned on", changed: "set up anew", removed: "turned off" }],
  ["link", { set: "a new one", changed: "a new one", removed: "used or withdrawn" }],
  ["token", { set: "a new one", changed: "a new one", removed: "removed" }],
]);

/** Nothing of a secret is known here but its digest. */
export const secretWords = (digest: string | null): string =>
  digest === null ? "–" : `a secret (digest ${digest})`;
