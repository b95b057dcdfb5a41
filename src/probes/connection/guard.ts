import { isIP } from "node:net";
import { failure, type Failure } from "#check/failure";
import * as limits from "#limits/probes-limits";
import { covers } from "#network/address-block";
import { dialledAddress, everyForm, neverDialled } from "#network/dialled-address";
import { globMatches, hostKey, type TargetRule, type TargetRules } from "#network/target-rules";

/** The addresses that may be dialled, and those that may not; when none may be, why. */
type ScreenResult =
  | { readonly ok: true; readonly addresses: readonly string[]; readonly denied: readonly string[] }
  | { readonly ok: false; readonly failure: Failure; readonly denied: readonly string[] };

/**
 * Decides which addresses may be dialled for a monitor. Whoever dials resolves once, shows the guard what came of it,
 * and dials exactly what it let through: a name that means something else a moment later gains nothing.
 */
export class TargetGuard {
  readonly #allow: readonly TargetRule[];
  readonly #deny: readonly TargetRule[];
  /** What was said of a host at each address: the rules stay, and most targets are dialled again and again. */
  readonly #said = new Map<string, Map<string, string | null>>();
  #answers = 0;

  constructor({ allow, deny }: TargetRules) {
    this.#allow = allow;
    this.#deny = deny;
  }

  /** Why a name may not even be looked up. Null lets its addresses decide; an address is its own, so for one it is null. */
  hostDenial(host: string): Failure | null {
    if (isIP(host) !== 0 || firstOn(host, this.#allow) !== null) return null;
    const rule = firstOn(host, this.#deny);
    return rule === null ? null : denied(`${host} is denied by ${rule.name}`);
  }

  /** Divides the addresses of a host, or the one address that the host is. */
  screen(host: string, addresses: readonly string[]): ScreenResult {
    if (addresses.every((address) => this.#denialKept(host, address) === null))
      return { ok: true, addresses, denied: [] };
    const judged = addresses.map((address) => ({ address, why: this.#denialKept(host, address) }));
    const allowed = judged.flatMap(({ address, why }) => (why === null ? [address] : []));
    const refused = judged.flatMap(({ address, why }) => (why === null ? [] : [{ address, why }]));
    const refusedAddresses = refused.map(({ address }) => address);
    const [first] = refused;
    if (allowed.length > 0 || first === undefined)
      return { ok: true, addresses: allowed, denied: refusedAddresses };
    const from = first.address === host ? "" : ` (${host})`;
    const more = refused.length > 1 ? `; none of ${refused.length} addresses is allowed` : "";
    return {
      ok: false,
      failure: denied(`${first.address}${from} is denied ${first.why}${more}`),
      denied: refusedAddresses,
    };
  }

  #denialKept(host: string, text: string): string | null {
    const known = this.#said.get(host)?.get(text);
    if (known !== undefined) return known;
    const said = this.#denial(host, text);
    if (this.#answers >= limits.guardAnswersKeptMax) {
      this.#said.clear();
      this.#answers = 0;
    }
    this.#said.getOrInsertComputed(host, () => new Map()).set(text, said);
    this.#answers += 1;
    return said;
  }

  /** The end of "… is denied", or null. */
  #denial(host: string, text: string): string | null {
    const address = dialledAddress(text);
    // The runtime would look up by itself what is no address, and dial what was not screened.
    if (address === null) return "because it is not an address";
    const { dialled } = address;
    const every = everyForm(address);
    const allowing = this.#allow.filter((rule) =>
      rule.on === "host" ? globMatches(rule.pattern, hostKey(host)) : covers(rule, dialled),
    );
    const byDefault = neverDialled(address);
    if (byDefault !== null && !allowing.some(isOneAddress)) return byDefault;
    if (allowing.length > 0) return null;
    const rule = this.#deny.find((rule) =>
      rule.on === "host"
        ? globMatches(rule.pattern, hostKey(host))
        : every.some((form) => covers(rule, form)),
    );
    return rule === undefined ? null : `by ${rule.name}`;
  }
}

const denied = (message: string): Failure => failure("target_denied", "policy", message);

function firstOn(host: string, rules: readonly TargetRule[]): TargetRule | null {
  const key = hostKey(host);
  return rules.find((rule) => rule.on === "host" && globMatches(rule.pattern, key)) ?? null;
}

const isOneAddress = (rule: TargetRule): boolean =>
  rule.on === "address" && rule.prefix === rule.width;
