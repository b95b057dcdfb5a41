import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { hostname } from "node:os";
import type { Clock } from "#base/clock";
import * as limits from "#limits/probes-limits";
import type { AskPolicy } from "#probes/resolve/dns-exchange";
import type { NameServer } from "#probes/resolve/resolving";
import { type Millis, type Nanos, nanosToMillis, nanos, seconds } from "#base/units";

/** What the host says of names: /etc/hosts, and /etc/resolv.conf as resolv.conf(5) reads it. */
export interface SystemNames {
  /** Addresses of a name, in the order of the file; empty when it has none. */
  hosts(name: string): readonly string[];
  resolvConf(): ResolvConf;
}

interface ResolvConf extends AskPolicy {
  readonly search: readonly string[];
  /** A name with at least so many dots is tried as it is first. */
  readonly ndots: number;
}

/** Reads the host's files, again when they change. */
export function systemNames(
  clock: Clock,
  paths: { readonly hosts: string; readonly resolvConf: string } = {
    hosts: "/etc/hosts",
    resolvConf: "/etc/resolv.conf",
  },
): SystemNames {
  const hosts = watched(paths.hosts, clock, parseHosts);
  const resolvConf = watched(paths.resolvConf, clock, (text) => parseResolvConf(text, hostname()));
  return { hosts: (name) => hosts().get(name.toLowerCase()) ?? [], resolvConf };
}

/** The parsed contents of a file; asked for often, looked at every few seconds, read when it changed. */
function watched<T>(path: string, clock: Clock, parse: (text: string) => T): () => T {
  let parsed = parse("");
  let version = "";
  let lookedAt: Nanos | null = null;
  return () => {
    const now = clock.monotonic();
    const age: Millis | null = lookedAt === null ? null : nanosToMillis(nanos(now - lookedAt));
    if (age !== null && age < limits.systemFileLookEvery) return parsed;
    lookedAt = now;
    const current = versionOf(path);
    if (current === version) return parsed;
    version = current;
    parsed = parse(current === "" ? "" : readBeginning(path));
    return parsed;
  };
}

/** Empty for what is no file: to open a pipe would mean to wait for a writer. */
function versionOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : "";
}

function readBeginning(path: string): string {
  try {
    const file = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(Math.min(fstatSync(file).size, limits.systemFileBytesMax));
      return bytes.toString("utf8", 0, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  } catch {
    // Not ours to read: as good as not there.
    return "";
  }
}

/** hosts(5): an address and the names that it has; a name may stand on several lines. */
export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const hosts = new Map<string, string[]>();
  for (const [address = "", ...names] of words(text, /#.*/)) {
    if (isIP(address) === 0) continue;
    for (const name of names.map((one) => one.toLowerCase().replace(/\.$/, ""))) {
      const addresses = hosts.get(name) ?? [];
      if (addresses.length < limits.addressesMax && !addresses.includes(address))
        hosts.set(name, [...addresses, address]);
    }
  }
  return hosts;
}

/**
 * resolv.conf(5); what is not understood is passed over, as the C library does. If no search domain is given, the
 * host's own domain is one. `edns0` is always on here.
 */
export function parseResolvConf(text: string, hostName = ""): ResolvConf {
  const servers: NameServer[] = [];
  const options = new Map<string, string>();
  let search: readonly string[] = [hostName.replace(/^[^.]*\.?/, "")];
  for (const [keyword, ...values] of words(text, /^[#;].*/)) {
    const [value = ""] = values;
    if (keyword === "nameserver" && isIP(value) !== 0) servers.push({ host: value, port: 53 });
    // The last of several search and domain lines counts.
    if (keyword === "search") search = values;
    if (keyword === "domain") search = [value];
    if (keyword === "options")
      for (const option of values)
        options.set(option.split(":")[0] ?? "", option.split(":")[1] ?? "");
  }
  const number = (name: string, low: number, high: number, otherwise: number): number => {
    const value = options.get(name) ?? "";
    return /^\d+$/.test(value) ? Math.min(high, Math.max(low, Number(value))) : otherwise;
  };
  return {
    servers: servers.length === 0 ? [localServer] : servers.slice(0, limits.dnsServersMax),
    search: search
      .map((domain) => domain.replace(/\.$/, ""))
      .filter((domain) => domain !== "")
      .slice(0, limits.dnsSearchDomainsMax),
    ndots: number("ndots", 0, 15, 1),
    timeout: seconds(number("timeout", 1, 30, limits.dnsServerTimeoutDefault / 1000)),
    attempts: number("attempts", 1, 5, limits.dnsAttemptsDefault),
    rotate: options.has("rotate"),
    overTcp: options.has("use-vc"),
  };
}

/** resolv.conf(5): without a nameserver line, the one on this machine is asked. */
const localServer = { host: "127.0.0.1", port: 53 };

function words(text: string, comment: RegExp): readonly (readonly string[])[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(comment, "").trim())
    .filter((line) => line !== "")
    .map((line) => line.split(/\s+/));
}
