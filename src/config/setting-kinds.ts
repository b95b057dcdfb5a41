import { evidenceScopes } from "#check/evidence";
import { latencyEnds } from "#check/outcome";
import { parseDuration } from "#base/duration";
import { metricsViews, otlpProtocols, rawSocketsSettings } from "#check/agent-words";
import { isThisMachine, parseListenAddress } from "#network/listen-address";
import { parseTargetRules } from "#network/target-rules";
import { parseNoProxy } from "#network/no-proxy";
import { parseProxy } from "#network/proxy";
import * as limits from "#limits/vantage-limits";
import { parseDomainName, parseHostPort, parseNameServer } from "#network/host-port";
import { type Bytes, bytes } from "#base/units";

/** What the value of an environment variable can be. */
export type SettingKind =
  | "text"
  | "url"
  | "duration"
  | "size"
  | "count"
  | "switch"
  | "header"
  | "servers"
  | "targets"
  | "proxy"
  | "exceptions"
  | "labels"
  | "family"
  | "placement"
  | "resolver"
  | "level"
  | "format"
  | "protocol"
  | "views"
  | "latency"
  | "evidence"
  | "references"
  | "raw_sockets"
  | "value"
  | "listen"
  | "hosts"
  | "fetched_url"
  | "smtp"
  | "whatsapp"
  | "issuer"
  | "people";

/** What a value of each kind has to be, as the end of "NAME must be …". */
export const expectations: { readonly [K in SettingKind]: string } = {
  text: "text",
  url: "an http or https URL without query, e.g. https://service.example.com",
  duration: "a duration above zero, e.g. 500ms, 30s, 5m or 1h",
  size: "a size above zero, e.g. 512KiB, 10MiB or 1GiB",
  count: "a whole number from 1 to 10000",
  switch: "on or off",
  header: "a header name",
  servers: "addresses with or without port, separated by commas, e.g. 10.0.0.53,[fd00::53]:5353",
  targets:
    "CIDRs, addresses or host globs, perhaps with a kind and a port, separated by commas, e.g. 10.0.0.0/8,fd00::1,*.internal:443,tcp://*:22",
  proxy: "an http or https URL of a host and port, e.g. http://user:password@10.0.0.8:3128",
  exceptions:
    "hosts, addresses, CIDRs or *, with or without port, separated by commas, e.g. .corp,10.0.0.0/8,[fd00::1]:8443",
  labels: "pairs of name=value, separated by commas",
  family: "any, 4 or 6",
  placement: "share or everywhere",
  resolver: "stub or system",
  level: "debug, info, warn or error",
  format: "json or pretty",
  protocol: "http/protobuf or http/json",
  views: "collector, blackbox and openstatus, or some of them, separated by commas",
  latency: "total or head",
  evidence: "off, local or full",
  references: `${limits.referencesMin} to ${limits.referencesMax} HOST:PORT of different hosts, separated by commas, e.g. 10.0.9.9:443,intra.corp:443`,
  raw_sockets: "auto, on or off",
  value: "text in ASCII, without a line break",
  listen: "HOST:PORT, e.g. 127.0.0.1:8686 or [::1]:8686, or off",
  fetched_url: "an http or https URL, e.g. https://watcher.example.com/ping/4f2a",
  smtp: "an smtp or smtps URL, e.g. smtp://user:password@mail.example.com:587",
  whatsapp: "twilio or meta",
  hosts: "host names separated by commas, e.g. picket.example.com,picket",
  issuer:
    "an https URL without query, e.g. https://id.example.com/realms/staff; plain http only on this machine",
  people:
    "e-mail domains, e-mail addresses, groups or *, separated by commas, e.g. @example.com,ann@example.org,group:night-shift",
};

/** Whether a text is a value of a kind; the parsers below take only what passed here. */
export const accepts: { readonly [K in SettingKind]: (text: string) => boolean } = {
  text: () => true,
  url: (text) => {
    const url = URL.parse(text);
    return url !== null && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "";
  },
  duration: (text) => (parseDuration(text) ?? 0) > 0,
  size: (text) => (sizeOf(text) ?? 0) > 0,
  count: (text) => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 10_000,
  switch: (text) => ["on", "off", "1", "0", "true", "false"].includes(text.toLowerCase()),
  header: (text) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text),
  servers: (text) => listOf(text).every((one) => parseNameServer(one).ok),
  targets: (text) => parseTargetRules(listOf(text), "").ok,
  proxy: (text) => parseProxy(text).ok,
  exceptions: (text) => parseNoProxy(text).ok,
  labels: (text) => listOf(text).every((one) => /^[^=]+=.*$/.test(one)),
  family: (text) => ["any", "4", "6"].includes(text),
  placement: (text) => ["share", "everywhere"].includes(text),
  resolver: (text) => ["stub", "system"].includes(text),
  level: (text) => ["debug", "info", "warn", "error"].includes(text),
  format: (text) => ["json", "pretty"].includes(text),
  protocol: (text) => otlpProtocols.some((one) => one === text),
  latency: (text) => latencyEnds.some((one) => one === text),
  evidence: (text) => evidenceScopes.some((one) => one === text),
  references: areReferences,
  raw_sockets: (text) => rawSocketsSettings.some((one) => one === text),
  value: (text) => /^[\x21-\x7e]([\x20-\x7e]{0,254}[\x21-\x7e])?$/.test(text),
  views: (text) => listOf(text).every((one) => metricsViews.some((view) => view === one)),
  listen: (text) => isOff(text) || parseListenAddress(text) !== null,
  fetched_url: (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""),
  smtp: isSmtpUrl,
  whatsapp: (text) => text === "twilio" || text === "meta",
  hosts: (text) => listOf(text).every((one) => parseDomainName(one).ok),
  issuer: isIssuer,
  people: (text) => listOf(text).every((one) => /^(\*|group:.+|[^\s@]*@[^\s@]+)$/.test(one)),
};

/** Silence of a single one may be its own fault. */
function areReferences(text: string): boolean {
  const all = listOf(text).map(parseHostPort);
  const hosts = new Set(all.flatMap((one) => (one.ok ? [one.value.host] : [])));
  return (
    hosts.size === all.length &&
    hosts.size >= limits.referencesMin &&
    hosts.size <= limits.referencesMax
  );
}

function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.search !== "" || url.hash !== "" || url.username !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isThisMachine(url.hostname));
}

function isSmtpUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === "") return false;
  try {
    decodeURIComponent(url.username + url.password);
    return /^\/?$/.test(url.pathname) && url.search === "";
  } catch {
    return false;
  }
}

/** `10MiB` in bytes; a bare number is bytes; null for what is no size. */
export function sizeOf(text: string): Bytes | null {
  const [, digits, unit = ""] = /^(\d{1,12})(B|KiB|MiB|GiB)?$/.exec(text) ?? [];
  const factor = { "": 1, B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }[unit];
  return digits === undefined || factor === undefined ? null : bytes(Number(digits) * factor);
}

export const isOn = (text: string): boolean => ["on", "1", "true"].includes(text.toLowerCase());

/** Whether a text closes what it could open. */
export const isOff = (text: string): boolean => text.toLowerCase() === "off";

/** Entries between commas, without those that are empty. */
export const listOf = (text: string): readonly string[] =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
