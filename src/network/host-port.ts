import * as limits from "#limits/probes-limits";
import { parsed, type ParseResult, refused } from "#network/parsed";

/** Where a URL of http or https leads; an IPv6 address without its brackets. */
export const hostPortOf = ({ protocol, hostname, port }: URL): { host: string; port: number } => ({
  host: hostname.replace(/^\[|\]$/g, ""),
  port: Number(port || (protocol === "https:" ? 443 : 80)),
});

/** host:port with brackets where the host needs them. */
export const showHostPort = (host: string, port: number): string =>
  host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;

/** A name server: `host`, `host:port`, `v6`, `[v6]:port`; the port is 53 when none is given. */
export function parseNameServer(text: string): ParseResult<{ host: string; port: number }> {
  if (isIpv6(text)) return parsed({ host: text, port: 53 });
  const bracketed = /^\[([^\]]+)\]$/.exec(text);
  return parseHostPort(
    bracketed !== null || !text.replace(/\[.*\]/, "").includes(":") ? `${text}:53` : text,
  );
}

/** `host:port`, with brackets around an IPv6 address. */
export function parseHostPort(text: string): ParseResult<{ host: string; port: number }> {
  const parts = /^(?:\[([^\]]*)\]|([^:[\]]*)):(\d{1,5})$/.exec(text);
  if (parts === null)
    return refused(
      "must be host:port, for example db.example.com:5432, with an IPv6 address in brackets",
    );
  const port = Number(parts[3]);
  if (port < 1 || port > 65_535) return refused(`has port ${port}, which is not in 1 to 65535`);
  const [, address, name] = parts;
  if (address !== undefined)
    return isIpv6(address)
      ? parsed({ host: address, port })
      : refused(`has an invalid IPv6 address${quoted(address, text)}`);
  const host = parseDomainName(name ?? "");
  if (host.ok && isOddIpv4(host.value))
    return refused(
      `has the host "${host.value}", which is neither a name nor an IPv4 address like 10.0.0.1`,
    );
  return host.ok ? parsed({ host: host.value, port }) : host;
}

/** A name or an address, without a port; an IPv6 address may be in brackets. */
export function parseHost(text: string): ParseResult<string> {
  const address = /^\[([^\]]*)\]$/.exec(text)?.[1] ?? text;
  if (isIpv6(address)) return parsed(address);
  if (/:\d*$/.test(text))
    return refused("must be a host without a port, for example db.example.com");
  const host = parseDomainName(text);
  return host.ok && isOddIpv4(host.value)
    ? refused(`is "${host.value}", which is neither a name nor an IPv4 address like 10.0.0.1`)
    : host;
}

/** A domain name in its ASCII form, without the trailing dot. Also takes what looks like an IPv4 address. */
export function parseDomainName(text: string): ParseResult<string> {
  const ascii = isAscii(text) ? text.toLowerCase() : URL.parse(`http://${text}`)?.hostname;
  const name = (ascii ?? "").replace(/\.$/, "");
  if (name === "") return refused(text === "" ? "has no host name" : "is not a valid domain name");
  if (name.length > limits.dnsNameCharsMax)
    return refused(`has a name longer than ${limits.dnsNameCharsMax} characters`);
  for (const label of name.split(".")) {
    if (label === "") return refused("has an empty label in its name");
    if (label.length > limits.dnsLabelCharsMax)
      return refused(`has a label longer than ${limits.dnsLabelCharsMax} characters`);
    if (!/^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/.test(label))
      return refused(`has an invalid label${quoted(label, text)} in its name`);
  }
  return parsed(name);
}

/** A part of what was written, in quotes; left out if the whole has what stands around a secret in a URL. */
const quoted = (part: string, whole: string): string =>
  /[@?=&/#]/.test(whole) ? "" : ` "${part}"`;

/**
 * No name ends in a number (WHATWG URL §3.5). Short, octal and hexadecimal forms of an address are read differently by
 * different resolvers, and as names by some: what they mean is not guessed.
 */
const isOddIpv4 = (host: string): boolean =>
  /(^|\.)(\d+|0x[\da-f]*)$/.test(host) && URL.parse(`http://${host}`)?.hostname !== host;

const isIpv6 = (text: string): boolean =>
  text.includes(":") && URL.canParse(`http://[${text.replace(/%[\w.-]+$/, "")}]/`);
// eslint-disable-next-line no-control-regex -- ASCII is a range of codes, control characters included.
const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text);
