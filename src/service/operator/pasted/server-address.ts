import { showHostPort } from "#network/host-port";

/** The ports of servers whose addresses programs have in their settings, by the scheme there. */
const ports: ReadonlyMap<string, number> = new Map([
  ["mysql", 3306],
  ["mariadb", 3306],
  ["postgres", 5432],
  ["postgresql", 5432],
  ["redis", 6379],
  ["rediss", 6379],
  ["amqp", 5672],
  ["amqps", 5671],
  ["mongodb", 27_017],
]);

/** `host:port` of an address such as `postgres://user@host/shop`; null if it is none. Of several servers it is the first. */
export function serverAddress(text: string): string | null {
  const [, scheme = "", authority = ""] = /^([a-z]+):\/\/([^/?#\s]+)\S*$/i.exec(text) ?? [];
  const usual = ports.get(scheme.toLowerCase());
  if (usual === undefined) return null;
  const [first = ""] = authority.slice(authority.lastIndexOf("@") + 1).split(",");
  const [, bracketed, plain, port = String(usual)] =
    /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i.exec(first) ?? [];
  const host = bracketed ?? plain;
  return host === undefined ? null : showHostPort(host, Number(port));
}
