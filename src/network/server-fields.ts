import type { LogFields } from "#base/log";
import { hostPortOf } from "#network/host-port";

/** A server in a line of the log: user-info, path and query of its URL may be secrets. */
export function serverFields(url: string): LogFields {
  const { host, port } = hostPortOf(new URL(url));
  return { "server.address": host, "server.port": port };
}
