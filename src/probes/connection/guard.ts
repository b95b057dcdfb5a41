import { isIP } from "node:net";
import { failure, type Failure } from "#check/failure";
import * as limits from "#limits/probes-limits";
import { type Block, covers, parseBlock } from "#network/address-block";
import { dialledAddress, everyForm, neverDialled } from "#network/dialled-address";
import type { ParseResult } from "#network/parsed";

/** What the operator lets targets be; an allow beats a deny. Plain values, which are copied to the probe threads. */
export interface TargetRules {
  readonly allow: readonly TargetRule[];
  readonly deny: readonly TargetRule[];
}

export type TargetRule = AddressRule | HostRule;

interface AddressRule extends Block {
  readonly on: "address";
  /** The entry and where it stands, e.g. PICKET_TARGET_DENY=10.0.0.0/8. */
  readonly name: string;
}

interface HostRule {
  readonly on: "host";
  /** Lower case, without a trailing dot; * is any run of characters, dots included, and ? is one. */
  readonly pattern: string;
  readonly name: string;
}

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
      rule.on === "host" ? matches(rule.pattern, hostKey(host)) : covers(rule, dialled),
    );
    const byDefault = neverDialled(address);
    if (byDefault !== null && !allowing.some(isOneAddress)) return byDefault;
    if (allowing.length > 0) return null;
    const rule = this.#deny.find((rule) =>
      rule.on === "host"
        ? matches(rule.pattern, hostKey(host))
        : every.some((form) => covers(rule, form)),
    );
    return rule === undefined ? null : `by ${rule.name}`;
  }
}

const denied = (message: string): Failure => failure("target_denied", "policy", message);

const hostKey = (host: string): string => host.toLowerCase().replace(/\.+$/, "");

function firstOn(host: string, rules: readonly TargetRule[]): TargetRule | null {
  const key = hostKey(host);
  return rules.find((rule) => rule.on === "host" && matches(rule.pattern, key)) ?? null;
}

const isOneAddress = (rule: TargetRule): boolean =>
  rule.on === "address" && rule.prefix === rule.width;

/** Each entry is a CIDR, an address, or a host glob; `source` says where it stands, as `PICKET_TARGET_DENY=`. */
export function parseTargetRules(
  entries: readonly string[],
  source: string,
): ParseResult<readonly TargetRule[]> {
  if (entries.length > limits.targetRulesMax)
    return { ok: false, message: `has more than ${limits.targetRulesMax} entries` };
  const rules: TargetRule[] = [];
  for (const entry of entries) {
    const rule = addressRule(entry, source) ?? hostRule(entry, source);
    if (rule === null) return { ok: false, message: noRule(entry) };
    rules.push(rule);
  }
  return { ok: true, value: rules };
}

const noRule = (entry: string): string =>
  `has the entry ${JSON.stringify(entry)}, which is not a CIDR, address or host glob, e.g. 10.0.0.0/8, fd00::1 or *.internal`;

function addressRule(entry: string, source: string): AddressRule | null {
  const block = parseBlock(entry);
  return block === null ? null : { on: "address", name: `${source}${entry}`, ...block };
}

/** Names end in no number (WHATWG URL §3.5): a pattern of digits is meant for addresses, and would never match them all. */
function hostRule(entry: string, source: string): HostRule | null {
  const pattern = hostKey(entry);
  const possible =
    pattern.length <= limits.dnsNameCharsMax &&
    /^[a-z0-9_*?-]+(\.[a-z0-9_*?-]+)*$/.test(pattern) &&
    !/^[\d.*?]*\d[\d.*?]*$/.test(pattern) &&
    !/(^|\.)(\d+|0x[\da-f]*)$/.test(pattern);
  return possible ? { on: "host", pattern, name: `${source}${entry}` } : null;
}

/** Glob matching that goes back to the last star only, so that no pattern takes more than pattern × text steps. */
function matches(pattern: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let starAt = 0;
  for (let index = 0; index < text.length;) {
    if (pattern[at] === "*") {
      star = at;
      starAt = index;
      at += 1;
    } else if (pattern[at] === "?" || pattern[at] === text[index]) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      starAt += 1;
      index = starAt;
      at = star + 1;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(at));
}
