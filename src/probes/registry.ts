import type { Deadline } from "#deadline";
import type { Kind, Target } from "#check/monitor";
import type { Outcome } from "#check/outcome";
import { probeDns } from "#probes/dns/dns";
import { probeHttp } from "#probes/http/http";
import type { Probe, ProbeContext } from "#probes/probe";
import { probeTcp } from "#probes/tcp";

/** Every kind of check has its probe; a kind without one does not compile. */
const probes: { readonly [K in Kind]: Probe<K> } = {
  http: probeHttp,
  tcp: probeTcp,
  dns: probeDns,
};

/** One attempt against a target of any kind. */
export function probe(target: Target, deadline: Deadline, context: ProbeContext): Promise<Outcome> {
  switch (target.kind) {
    case "http":
      return probes.http(target, deadline, context);
    case "tcp":
      return probes.tcp(target, deadline, context);
    case "dns":
      return probes.dns(target, deadline, context);
  }
}
