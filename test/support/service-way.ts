import { parseNoProxy } from "#network/no-proxy";
import { systemTrust, type TrustMaterial } from "#machine/trust";
import { parseProxy, type Proxying } from "#network/proxy";
import type { ServiceWay } from "#transport/service-dialer";
import { FakeClock } from "./fake-clock.ts";

/** A way to the service: by `proxy`, a URL, but for what `except` names, and with this trust beside the system's. */
export function wayWith({
  proxy = null,
  except = "",
  authorities = null,
  identity = null,
  clock = new FakeClock(),
}: Partial<TrustMaterial> &
  Partial<Pick<ServiceWay, "clock">> & {
    readonly proxy?: string | null;
    readonly except?: string;
  } = {}): ServiceWay {
  const trust = systemTrust({ authorities, identity });
  return {
    proxying: proxyingBy(proxy, except),
    secureContext: () => trust.secureContext(),
    userAgent: "picket/test",
    clock,
  };
}

function proxyingBy(url: string | null, except: string): Proxying {
  const exceptions = parseNoProxy(except);
  const proxy = url === null ? null : parseProxy(url);
  if (!exceptions.ok || proxy?.ok === false) throw new Error("no proxy");
  return { proxy: proxy?.value ?? null, exceptions: exceptions.value };
}
