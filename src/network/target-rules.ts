import * as limits from "#limits/probes-limits";
import { type Block, parseBlock } from "#network/address-block";
import type { ParseResult } from "#network/parsed";

/** What the operator lets targets be; an allow beats a deny. Plain values, which are copied to the probe threads. */
export interface TargetRules {
  readonly allow: readonly TargetRule[];
  readonly deny: readonly TargetRule[];
}

/** Lets everything through that is not denied by default. */
export const noTargetRules: TargetRules = { allow: [], deny: [] };

/** The kinds of checks that a rule may be about. */
export const targetKinds = ["http", "tcp", "dns", "icmp", "grpc"] as const;
export type TargetKind = (typeof targetKinds)[number];

export type TargetRule = (AddressRule | HostRule) & {
  /** The entry and where it is, e.g. PICKET_TARGET_DENY=10.0.0.0/8. */
  readonly name: string;
  /** As the operator wrote it. */
  readonly entry: string;
  /** Null is every kind. */
  readonly kind: TargetKind | null;
  /** Null is every port, and what has none. */
  readonly port: number | null;
};

interface AddressRule extends Block {
  readonly on: "address";
}

interface HostRule {
  readonly on: "host";
  /** Lower case, without a trailing dot; * is any run of characters, dots included, and ? is one. */
  readonly pattern: string;
}

/** What a check is about to ask. */
export interface Destination {
  readonly kind: TargetKind;
  readonly host: string;
  /** Null of what has no ports. */
  readonly port: number | null;
}

/** Whether a rule is about this kind and port. */
export const isAbout = (rule: TargetRule, { kind, port }: Destination): boolean =>
  (rule.kind === null || rule.kind === kind) && (rule.port === null || rule.port === port);

/**
 * Each entry is a CIDR, an address, or a host glob, perhaps after `KIND://` and before `:PORT`; `source` says where it
 * is, e.g. `PICKET_TARGET_DENY=`.
 */
export function parseTargetRules(
  entries: readonly string[],
  source: string,
): ParseResult<readonly TargetRule[]> {
  if (entries.length > limits.targetRulesMax)
    return { ok: false, message: `has more than ${limits.targetRulesMax} entries` };
  const rules: TargetRule[] = [];
  for (const entry of entries) {
    const rule = ruleOf(entry, source);
    if (rule === null) return { ok: false, message: noRule(entry) };
    rules.push(rule);
  }
  return { ok: true, value: rules };
}

const noRule = (entry: string): string =>
  `has the entry ${JSON.stringify(entry)}, which is not a CIDR, address or host glob, e.g. 10.0.0.0/8, fd00::1, *.internal:443 or tcp://db.internal:5432`;

/** An address block or a host glob without kind and port; null for anything else. */
export function parseHostRule(entry: string, source = ""): TargetRule | null {
  const whole = { name: `${source}${entry}`, entry, kind: null, port: null };
  const block = parseBlock(entry);
  if (block !== null) return { on: "address", ...block, ...whole };
  const pattern = hostPattern(entry);
  return pattern === null ? null : { on: "host", pattern, ...whole };
}

function ruleOf(entry: string, source: string): TargetRule | null {
  const [, scheme = null, rest = ""] = /^(?:([a-z]+):\/\/)?(.*)$/s.exec(entry) ?? [];
  const kind = targetKinds.find((one) => one === scheme) ?? null;
  if (scheme !== null && kind === null) return null;
  const name = `${source}${entry}`;
  const whole = parseHostRule(rest);
  if (whole !== null) return { ...whole, name, entry, kind };
  const [, bracketed, prefix = "", plain = "", digits] =
    /^(?:\[([^\]]+)\](\/\d{1,3})?|([^:[\]]+)):(\d{1,5})$/.exec(rest) ?? [];
  const rule = parseHostRule(bracketed === undefined ? plain : `${bracketed}${prefix}`);
  const port = Number(digits);
  // A ping has no port, so such a rule would be about nothing.
  if (rule === null || !(port >= 1 && port <= 65_535) || kind === "icmp") return null;
  return { ...rule, name, entry, kind, port };
}

/** Names end in no number (WHATWG URL §3.5): a pattern of digits is meant for addresses, and would never match them all. */
function hostPattern(entry: string): string | null {
  const pattern = hostKey(entry);
  const possible =
    pattern.length <= limits.dnsNameCharsMax &&
    /^[a-z0-9_*?-]+(\.[a-z0-9_*?-]+)*$/.test(pattern) &&
    !/^[\d.*?]*\d[\d.*?]*$/.test(pattern) &&
    !/(^|\.)(\d+|0x[\da-f]*)$/.test(pattern);
  return possible ? pattern : null;
}

/** A host as rules compare it. */
export const hostKey = (host: string): string => host.toLowerCase().replace(/\.+$/, "");

/** Glob matching that goes back to the last star only, so that no pattern takes more than pattern × text steps. */
export function globMatches(pattern: string, text: string): boolean {
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
