import { systemClock } from "#base/clock";
import { startDeadline } from "#base/deadline";
import { failure } from "#check/failure";
import type { HttpTarget, Target, TargetOf } from "#check/monitor";
import type { OutcomeOf, Phases } from "#check/outcome";
import { BodyMemory } from "#probes/socket/body-memory";
import { TargetGuard } from "#probes/connection/guard";
import { type KernelClock, openKernelClock } from "#probes/socket/kernel-clock";
import { openSocketEvidence } from "#probes/socket/socket-evidence";
import { DescriptorList } from "#probes/raw/descriptor-list";
import { onlyRuntime, openSockets } from "#probes/raw/open-sockets";
import type { Probe, ProbeContext } from "#probes/connection/probe";
import { ServerOrder } from "#probes/resolve/server-order";
import { systemNames } from "#probes/resolve/system-names";
import { noOverrides } from "#check/overrides";
import { noTranscript } from "#probes/resolve/transcript";
import { onlyTrust, systemTrust } from "#machine/trust";
import { mebibytes, millis } from "#base/units";
import { turnClock } from "./turn-clock.ts";

/** The same suite holds for both kinds of sockets: vitest.config.ts runs it once for each. */
export const areRaw: boolean = process.env["PROBE_SOCKETS"] === "raw";
const raw = areRaw
  ? await openSockets(systemClock, openKernelClock(), openSocketEvidence(), new DescriptorList())
  : null;
if (raw?.inUse.kind === "runtime")
  throw new Error(`raw sockets cannot be used here: ${raw.inUse.why}`);

/** A context whose names are those of a table, so that a test says what resolves to what. */
export function contextWith({
  names = { localhost: ["127.0.0.1"] },
  ca = null,
  kernelClock,
  ...rest
}: Partial<ProbeContext> & {
  names?: Readonly<Record<string, readonly string[]>>;
  ca?: string | null;
  kernelClock?: KernelClock;
} = {}): ProbeContext {
  const { sockets, marker } =
    raw !== null && kernelClock === undefined
      ? raw
      : onlyRuntime(systemClock, kernelClock ?? openKernelClock(), openSocketEvidence());
  return {
    clock: turnClock,
    marker,
    sockets,
    resolver: {
      resolve: async (host) => {
        const addresses = names[host];
        return addresses === undefined
          ? { ok: false, failure: failure("dns_nxdomain", "dns", `name does not exist: ${host}`) }
          : { ok: true, addresses };
      },
    },
    systemNames: systemNames(systemClock),
    serverOrder: new ServerOrder(systemClock),
    nameServers: [],
    ipFamily: "any",
    guard: new TargetGuard({ allow: [], deny: [] }),
    proxying: { proxy: null, exceptions: [] },
    trust: ca === null ? systemTrust({ authorities: null, identity: null }) : onlyTrust(ca),
    http2: true,
    bodyBytesMax: mebibytes(1),
    bodyMemory: new BodyMemory(mebibytes(64)),
    userAgent: "picket/test",
    overrides: noOverrides,
    transcript: noTranscript,
    ...rest,
  };
}

/** For a check that is to end by itself: a machine that runs tests is busy. */
export const patience = 30_000;

/** One attempt; its time is up after `timeout` milliseconds of a clock that gives each peer its turns, or when that settles. */
export async function attempt<K extends Target["kind"]>(
  probe: Probe<K>,
  target: TargetOf<K>,
  context: ProbeContext = contextWith(),
  timeout: number | Promise<unknown> = patience,
): Promise<OutcomeOf<K>> {
  using deadline =
    typeof timeout === "number"
      ? startDeadline(turnClock, millis(timeout))
      : startDeadline(
          { ...systemClock, sleep: async () => void (await timeout) },
          millis(patience),
        );
  return await probe(target, deadline, context);
}

export const httpTarget = (url: string, more: Partial<HttpTarget> = {}): HttpTarget => ({
  kind: "http",
  url,
  method: "GET",
  headers: [],
  body: "",
  followRedirects: true,
  ...more,
});

/** The sum of what happened, for holding it against the total. */
export const sumOf = (phases: Phases): number =>
  Object.values(phases).reduce<number>((sum, phase) => sum + (phase ?? 0), 0);

/** The names of the phases that happened, in order. */
export const happened = (phases: Phases): readonly string[] =>
  Object.entries(phases).flatMap(([name, phase]) => (phase === null ? [] : [name]));
