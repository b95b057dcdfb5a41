import { isThisMachine } from "#network/listen-address";
import type { Environment } from "#config/environment";
import { Secret } from "#config/secret";
import { expectations } from "#config/setting-kinds";
import { isException, parseNoProxy, type ProxyException } from "#network/no-proxy";
import { parseProxy, type Proxying } from "#network/proxy";
import { hostPortOf } from "#network/host-port";

export interface ServiceProxyReading {
  /** The URL may hold the proxy's password. Null goes directly. */
  readonly proxy: Secret | null;
  /** The variable that gave it. */
  readonly source: string | null;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * The proxy that the service is reached through: PICKET_SERVICE_PROXY, else the variables that curl has for the
 * service's scheme, by its rules: lower case first, and HTTP_PROXY in upper case never, for a web server sets that from
 * a request's header. They are meant for the world outside: never for a service on this machine. PICKET_NO_PROXY and
 * NO_PROXY make exceptions, both.
 */
export function readServiceProxy(
  env: Environment,
  serviceUrl: string,
  exceptions: readonly ProxyException[],
): ServiceProxyReading {
  const url = new URL(serviceUrl);
  const { host, port } = hostPortOf(url);
  const standard = standardExceptions(env);
  const excepted = isException(host, port, [...exceptions, ...standard.exceptions]);
  const own = env["PICKET_SERVICE_PROXY"];
  if (excepted) return direct;
  const { warnings } = standard;
  if (own !== undefined)
    return { ...direct, proxy: new Secret(own), source: "PICKET_SERVICE_PROXY", warnings };
  if (isThisMachine(host)) return direct;
  const names = url.protocol === "https:" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"];
  const name = names.find((one) => env[one] !== undefined);
  if (name === undefined) return { ...direct, warnings: ignored(env, url) };
  const text = env[name] ?? "";
  const whole = text.includes("://") ? text : `http://${text}`;
  return parseProxy(whole).ok
    ? { ...direct, proxy: new Secret(whole), source: name, warnings }
    : { ...direct, errors: [`${name} must be ${expectations.proxy}, or set PICKET_SERVICE_PROXY`] };
}

export const direct: ServiceProxyReading = {
  proxy: null,
  source: null,
  errors: [],
  warnings: [],
};

/** A person who sets HTTP_PROXY means something by it. */
const ignored = (env: Environment, { protocol }: URL): readonly string[] =>
  protocol === "http:" && env["HTTP_PROXY"] !== undefined
    ? ["HTTP_PROXY has no effect (curl ignores it too): set http_proxy or PICKET_SERVICE_PROXY"]
    : [];

/** Other programs write into NO_PROXY what only they understand: such an entry is ignored, with a warning. */
function standardExceptions(env: Environment): {
  readonly exceptions: readonly ProxyException[];
  readonly warnings: readonly string[];
} {
  const name = env["no_proxy"] === undefined ? "NO_PROXY" : "no_proxy";
  const entries = (env[name] ?? "").split(/[\s,]+/).filter((entry) => entry !== "");
  const parsed = entries.map(parseNoProxy);
  const odd = parsed.filter(({ ok }) => !ok).length;
  return {
    exceptions: parsed.flatMap((one) => (one.ok ? one.value : [])),
    warnings:
      odd === 0
        ? []
        : [
            `${name} has entries that are ignored (${odd}): each must be one of ${expectations.exceptions}`,
          ],
  };
}

/** By which way something is reached. The URL passed the configuration. */
export function proxyingOf(url: Secret | null, exceptions: readonly ProxyException[]): Proxying {
  if (url === null) return { proxy: null, exceptions };
  const proxy = parseProxy(url.reveal());
  // Never without it instead.
  if (!proxy.ok) throw new TypeError(`the proxy's URL ${proxy.message}`);
  return { proxy: proxy.value, exceptions };
}
