import { basicAuth } from "#network/basic-auth";
import { isException, type ProxyException } from "#network/no-proxy";
import { hostPortOf } from "#network/host-port";
import type { ParseResult } from "#network/parsed";

/** An HTTP proxy. Plain values, which are copied to the probe threads. */
export interface Proxy {
  readonly host: string;
  readonly port: number;
  /** Whether TLS is spoken with the proxy itself. */
  readonly secure: boolean;
  /** The value of Proxy-Authorization: a secret. */
  readonly authorization: string | null;
}

/** By which way targets are reached: null has no proxy. */
export interface Proxying {
  readonly proxy: Proxy | null;
  readonly exceptions: readonly ProxyException[];
}

interface Target {
  readonly host: string;
  readonly port: number;
}

/** The proxy that a target is reached through; null dials it directly. */
export const proxyFor = ({ host, port }: Target, { proxy, exceptions }: Proxying): Proxy | null =>
  proxy === null || isException(host, port, exceptions) ? null : proxy;

/** `http://host:port` or `https://host:port`, with the user-info that the proxy wants. No message quotes it. */
export function parseProxy(text: string): ParseResult<Proxy> {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    return { ok: false, message: "is not an http or https URL" };
  if (!/^\/?$/.test(url.pathname) || url.search !== "" || url.hash !== "" || url.port === "0")
    return { ok: false, message: "has more than a scheme, user-info, a host and a port" };
  const secure = url.protocol === "https:";
  return { ok: true, value: { ...hostPortOf(url), secure, authorization: basicAuth(url) } };
}
