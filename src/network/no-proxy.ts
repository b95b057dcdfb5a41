import {
  type Block,
  covers,
  isMapped,
  lowestFour,
  parseBlock,
  writtenAddress,
} from "#network/address-block";
import * as limits from "#limits/probes-limits";
import type { ParseResult } from "#network/parsed";
import { parseDomainName } from "#network/host-port";

/** A target that is dialled without the proxy; a port of null is every port. Plain values, copied to the probe threads. */
export type ProxyException = (
  | { readonly on: "every" }
  | { readonly on: "host"; readonly suffix: string }
  | { readonly on: "address"; readonly block: Block }
) & { readonly port: number | null };

/**
 * Whether a target is dialled without the proxy. It is judged as it is written, as curl does: a name is not looked up
 * for it, so addresses and CIDRs are for targets that are addresses.
 */
export function isException(
  host: string,
  port: number,
  exceptions: readonly ProxyException[],
): boolean {
  const name = host.toLowerCase().replace(/\.+$/, "");
  // The zone says through which interface, not to which address.
  const written = writtenAddress(host.replace(/%.*$/s, ""));
  const address = written !== null && isMapped(written) ? lowestFour(written) : written;
  return exceptions.some((exception) => {
    if (exception.port !== null && exception.port !== port) return false;
    switch (exception.on) {
      case "every":
        return true;
      case "host":
        return address === null && `.${name}`.endsWith(`.${exception.suffix}`);
      case "address":
        return address !== null && covers(exception.block, address);
    }
  });
}

/**
 * Entries between commas or spaces: `*` is every target; a name, with or without a leading dot or `*.`, is itself and
 * all below it; an address is itself, a CIDR its block; each may end in `:port`, IPv6 then in brackets.
 */
export function parseNoProxy(text: string): ParseResult<readonly ProxyException[]> {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== "");
  if (entries.length > limits.targetRulesMax)
    return { ok: false, message: `has more than ${limits.targetRulesMax} entries` };
  const exceptions: ProxyException[] = [];
  for (const entry of entries) {
    const exception = exceptionOf(entry);
    if (exception === null)
      return { ok: false, message: `has an invalid entry (number ${exceptions.length + 1})` };
    exceptions.push(exception);
  }
  return { ok: true, value: exceptions };
}

function exceptionOf(entry: string): ProxyException | null {
  const whole = parseBlock(entry);
  if (whole !== null) return { on: "address", block: whole, port: null };
  const [, address, prefix = "", name = "", digits] =
    /^(?:\[([^\]]+)\](\/\d{1,3})?|([^:[\]]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const port = digits === undefined ? null : Number(digits);
  if (port !== null && (port < 1 || port > 65_535)) return null;
  if (name === "*") return { on: "every", port };
  const block = parseBlock(address === undefined ? name : `${address}${prefix}`);
  if (block !== null) return { on: "address", block, port };
  const suffix = parseDomainName(name.replace(/^\*?\./, ""));
  return suffix.ok ? { on: "host", suffix: suffix.value, port } : null;
}
