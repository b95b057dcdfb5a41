import type { DnsTarget, Monitor, Target } from "#check/monitor";
import { showHostPort } from "#network/host-port";
import { showUrl } from "#check/target";
import { cutText } from "#base/text";

/** The target of a monitor as everyone may read it: without query and user-info, whatever was written. */
export function shownTarget({ kind, uri, ...monitor }: Monitor): string {
  if (monitor.rejection === null) return parsedTarget(monitor.target);
  // What could not be read as a target may hold a password all the same.
  return kind === "http"
    ? showUrl(uri)
    : cutText(uri.replace(/[?#].*$/s, "").replace(/^.*@/s, ""), rejectedCharsMax);
}

const rejectedCharsMax = 256;

function parsedTarget(target: Target): string {
  switch (target.kind) {
    case "http":
      return showUrl(target.url);
    case "tcp":
      return showHostPort(target.host, target.port);
    case "dns":
      return dnsTarget(target);
  }
}

function dnsTarget({ name, types, server }: DnsTarget): string {
  const asked = types.length === 0 ? "" : ` ${types.join(" ")}`;
  const at = server === null ? "" : ` at ${showHostPort(server.host, server.port)}`;
  return `${name}${asked}${at}`;
}
