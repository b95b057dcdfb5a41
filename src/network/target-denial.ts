import { covers } from "#network/address-block";
import { dialledAddress, everyForm, neverDialled } from "#network/dialled-address";
import {
  type Destination,
  globMatches,
  hostKey,
  isAbout,
  type TargetRule,
  type TargetRules,
} from "#network/target-rules";

/** The rule that denies a name before it is looked up; null lets its addresses decide, and is said of every address. */
export function namedDenial(
  destination: Destination,
  { allow, deny }: TargetRules,
): TargetRule | null {
  if (dialledAddress(destination.host) !== null) return null;
  return firstOn(destination, allow) === null ? firstOn(destination, deny) : null;
}

/** The end of "… is denied" of one address of a destination; null lets it be dialled. */
export function addressDenial(
  destination: Destination,
  text: string,
  { allow, deny }: TargetRules,
): string | null {
  const address = dialledAddress(text);
  // The runtime would look up by itself what is no address, and dial what was not screened.
  if (address === null) return "because it is not an address";
  const { dialled } = address;
  const every = everyForm(address);
  const allowing = allow.filter(
    (rule) =>
      isAbout(rule, destination) &&
      (rule.on === "host" ? matches(rule.pattern, destination) : covers(rule, dialled)),
  );
  const byDefault = neverDialled(address);
  if (byDefault !== null && !allowing.some(isOneAddress)) return byDefault;
  if (allowing.length > 0) return null;
  const rule = deny.find(
    (one) =>
      isAbout(one, destination) &&
      (one.on === "host"
        ? matches(one.pattern, destination)
        : every.some((form) => covers(one, form))),
  );
  return rule === undefined ? null : `by ${rule.name}`;
}

/** What can be said of a destination before anything is looked up. */
type Foreseen =
  | { readonly is: "open" }
  /** Why it will not be dialled, as the end of "… is denied". */
  | { readonly is: "denied"; readonly why: string }
  /** Only if its name resolves to one of these. */
  | { readonly is: "depends"; readonly on: readonly string[] };

/** What an agent with these rules will do, as far as the target says it as it is written. */
export function foreseen(destination: Destination, rules: TargetRules): Foreseen {
  const { host } = destination;
  if (dialledAddress(host) !== null) {
    const why = addressDenial(destination, host, rules);
    return why === null ? { is: "open" } : { is: "denied", why };
  }
  const named = namedDenial(destination, rules);
  if (named !== null) return { is: "denied", why: `by ${named.name}` };
  if (firstOn(destination, rules.allow) !== null) return { is: "open" };
  const everything = [32, 128].map((width) =>
    rules.deny.find(
      (rule) =>
        rule.on === "address" &&
        rule.width === width &&
        rule.prefix === 0 &&
        isAbout(rule, destination),
    ),
  );
  if (everything.includes(undefined)) return { is: "open" };
  const on = rules.allow.filter((rule) => rule.on === "address" && isAbout(rule, destination));
  if (on.length > 0) return { is: "depends", on: on.map(({ name }) => name) };
  const by = everything.flatMap((rule) => (rule === undefined ? [] : [rule.name]));
  return { is: "denied", why: `by ${by.join(" and ")}` };
}

function firstOn(destination: Destination, rules: readonly TargetRule[]): TargetRule | null {
  return (
    rules.find(
      (rule) =>
        rule.on === "host" && isAbout(rule, destination) && matches(rule.pattern, destination),
    ) ?? null
  );
}

const matches = (pattern: string, { host }: Destination): boolean =>
  globMatches(pattern, hostKey(host));

const isOneAddress = (rule: TargetRule): boolean =>
  rule.on === "address" && rule.prefix === rule.width;
