import type { ResolverOutcome } from "#check/place-evidence";
import type { Clock } from "#clock";
import { startDeadline } from "#deadline";
import { plainSockets } from "#probes/connection/runtime-sockets";
import { askServers, policyOf } from "#probes/dns/dns-exchange";
import type { NameServer } from "#probes/dns/resolving";
import { ServerOrder } from "#probes/dns/server-order";
import { noTranscript } from "#probes/transcript";
import type { Millis } from "#units";

/** What a name server makes of a question, within `patience`; what it says of a name that cannot exist is no matter. */
export async function askResolver(
  server: NameServer,
  patience: Millis,
  clock: Clock,
  signal?: AbortSignal,
): Promise<ResolverOutcome> {
  using deadline = startDeadline(clock, patience, signal);
  const policy = { ...policyOf([server]), attempts: 1 };
  // RFC 6761 §6.4: no server knows such a name, and none has to ask further for it.
  const question = { name: "picket.invalid", type: "A" } as const;
  const serverOrder = new ServerOrder(clock);
  const tools = { clock, sockets: plainSockets(clock), transcript: noTranscript, serverOrder };
  const asked = await askServers(question, policy, deadline, tools);
  if (asked.ok || (asked.code !== "dns_timeout" && asked.code !== "dns_unreachable"))
    return "answered";
  return asked.code === "dns_timeout" ? "silent" : "unreachable";
}
