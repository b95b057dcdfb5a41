import * as limits from "#limits/probes-limits";
import { type Block, parseBlock } from "#network/address-block";
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
