import { serverOf } from "#check/kinds/kind-table";
import { isIP } from "node:net";
import { runCheck as runOneCheck } from "#agent/prober/checks/run-check";
import { type PlaceSources, placeSources } from "#agent/looks/place-sources";
import { endBehindProxy } from "#agent/looks/direct-way";
import { sightsOf } from "#agent/looks/name-questions";
import { withNarrow } from "#agent/looks/narrow-way";
import { withPath } from "#agent/looks/path-looks";
import type { Result } from "#check/result";
import { readCheckArguments } from "#cli/check/check-arguments";
import type { PlaceEvidence } from "#check/place-evidence";
import type { CheckedMonitor } from "#cli/check/checked-monitor";
import { resultJson } from "#cli/check/report/check-json";
import { exitCodes } from "#cli/edge/exit-code";
import { readWords } from "#cli/grammar/read-words";
import type { Io } from "#cli/edge/io";
import { terminalOf } from "#cli/edge/terminal";
import { whyGrammar } from "#cli/why/why-grammar";
import { pathSteps } from "#cli/why/path-steps";
import { isGatewayPassed } from "#cli/why/gateway-passage";
import { isHeard, type ReferenceLook, type Step, stepsOf } from "#cli/why/why-steps";
import { whyStory } from "#cli/why/why-story";
import { systemClock } from "#base/clock";
import { silentLogger } from "#base/log";
import { startInlineProber } from "#agent/prober/inline-prober";
import type { ProberOptions } from "#agent/prober/prober";
import { epochMillis, millis, nanosToMillis } from "#base/units";
import { UsageError } from "#cli/edge/usage-error";
import { evidenceOnWay } from "#agent/vantage/local-evidence";
import { type MachineSight, type Way, wayTo } from "#agent/vantage/machine-sight";
import { dependency } from "#agent/vantage/dependency";
import { observationOfReference } from "#agent/looks/reference-questions";
import { observationOf } from "#agent/vantage/read-observation";
import type { Cause } from "#check/cause";
import type { Observation } from "#agent/vantage/observation";
import { Vantage } from "#agent/vantage/vantage";
import type { Blame } from "#agent/vantage/blame";
import { datedRefusal } from "#agent/vantage/dated-refusal";
import { whoseFault } from "#agent/vantage/whose-fault";
import { connectionTook } from "#check/outcome";
import { shownTarget } from "#check/shown-target";

/** `picket why`: one check now, and whose fault it is that it fails. */
export async function runWhy(args: readonly string[], io: Io): Promise<number> {
  const typed = readWords(whyGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  const { values, words } = typed;
  const [word] = words;
  if (word === undefined || words.length > 1)
    throw new UsageError("why needs one target, e.g. https://example.com");
  const reading = await readCheckArguments(["--timeout", values.timeout ?? "10s", word], io);
  if (!reading.ok) return reading.code;
  const [monitor] = reading.arguments.monitors;
  if (monitor === undefined) return exitCodes.failed;
  const probing = { ...reading.arguments.surroundings.probing, evidence: "full" } as const;
  const found = await lookAt(monitor, probing, io.signal);
  if (found === null) return exitCodes.failed;
  const { whose, result } = found;
  const steps = [...found.steps, ...(await pathSteps(result, io.env, io.signal))];
  const target = shownTarget(monitor);
  if (values.json) {
    const json = resultJson({ name: null, target }, result);
    io.stdout.write(
      `${JSON.stringify({ target, works: whose === null, ...(whose ?? blameless), steps, result: json })}\n`,
    );
  } else io.stdout.write(whyStory({ target, whose, result, steps }, terminalOf(io).colour));
  return whose === null ? exitCodes.fine : exitCodes.failed;
}

const blameless = { place: null, suspects: [], certainty: null, because: null, next: null };

interface Diagnosis {
  /** Null if the target works. */
  readonly whose: Blame | null;
  readonly result: Result;
  readonly steps: readonly Step[];
}

async function lookAt(
  monitor: CheckedMonitor,
  probing: ProberOptions,
  signal: AbortSignal,
): Promise<Diagnosis | null> {
  const sources = placeSources(probing, systemClock);
  if (sources === null) return null;
  // Throttling is a share of the time between two looks.
  const before = sources.look(now());
  await using prober = await startInlineProber({ ...probing, threads: 1 });
  const tools = { prober, clock: systemClock, log: silentLogger, chance: Math.random };
  const slot = { monitor, at: systemClock.wall(), until: never };
  const checked = await runOneCheck(slot, tools, signal);
  if (checked === null) return null;
  const look = await placeLook(checked, monitor, sources, signal);
  return await diagnosisOf({ ...look, before }, monitor, sources, signal);
}

const now = (): number => nanosToMillis(systemClock.monotonic());

/** A check, and what this machine saw right behind it. */
interface PlaceLook {
  readonly result: Result;
  /** Before the check, and after it. */
  readonly before: MachineSight;
  readonly sight: MachineSight;
  readonly place: PlaceEvidence;
}

/** All that can be asked for one failure: the path, a narrower way, the name servers and the way past a proxy. */
async function placeLook(
  checked: Result,
  monitor: CheckedMonitor,
  sources: PlaceSources,
  signal: AbortSignal,
): Promise<Omit<PlaceLook, "before">> {
  const decidedAt = now();
  const traced = await withPath(checked, sources.look(now()), signal, (end, hopsMax) =>
    sources.tracePath(end, hopsMax, signal),
  );
  const tried = await withNarrow(traced, monitor.target, sources.narrowCheck, signal);
  const isNamed = tried.outcome !== null && needsNames(monitor);
  const answers = isNamed ? await sources.askResolvers(signal) : [];
  const sight = { ...sources.look(now()), resolvers: sightsOf(answers) };
  const asked = isNamed ? (sources.resolvers()[0] ?? null) : null;
  const end =
    tried.failure === null ? null : endBehindProxy(monitor.target, tried.failure, sources.proxying);
  const place = {
    resolvers: answers,
    local: evidenceOnWay(tried.outcome, asked, sight),
    took: millis(Math.round(now() - decidedAt)),
    direct: end === null ? null : ((await sources.directCheck?.(end, signal)) ?? null),
    pathChange: null,
    leftOut: 0,
  };
  return { result: tried.failure === null ? tried : { ...tried, place }, sight, place };
}

/** Whose fault it is, and the steps on the way. */
async function diagnosisOf(
  look: PlaceLook,
  monitor: CheckedMonitor,
  sources: PlaceSources,
  signal: AbortSignal,
): Promise<Diagnosis> {
  const { result, sight, place } = look;
  const references = result.failure === null ? [] : await askReferences(sources, signal);
  const address =
    result.outcome?.evidence?.address ?? result.outcome?.addresses.at(-1)?.address ?? null;
  const way = address === null ? null : wayTo(address, sight.routes);
  const { cause, seen } = inferred(look, { monitor, sources, references, way });
  const asked = { result, way, sight, seen, sources, answers: place.resolvers };
  const passed = await isGatewayPassed(asked, signal);
  const steps = stepsOf({ result, sight, address, way, isGatewayPassed: passed, references });
  const { failure, outcome } = result;
  if (failure === null) return { whose: null, result, steps };
  const certificate = outcome?.tls?.certificate ?? null;
  const current = systemClock.wall();
  const isDated = datedRefusal(failure, certificate, current) !== null;
  const whose = whoseFault({
    failure,
    certificate,
    evidence: outcome?.evidence ?? null,
    took: outcome === null ? millis(0) : connectionTook(outcome),
    cause,
    way,
    isGatewayPassed: passed,
    resolvers: sight.resolvers,
    isProxied: endBehindProxy(monitor.target, failure, sources.proxying) !== null,
    isDirectOpen: place.direct?.outcome === "connected",
    now: current,
    clockAhead: isDated ? await sources.clockLook(monitor.target, signal) : null,
  });
  return { whose, result, steps };
}

interface Inference {
  readonly monitor: CheckedMonitor;
  readonly sources: PlaceSources;
  readonly references: readonly ReferenceLook[];
  readonly way: Way | null;
}

/** What a running agent would conclude from this one check and the references. */
function inferred(
  { result, before, sight }: PlaceLook,
  { monitor, sources, references, way }: Inference,
): { readonly cause: Cause | null; readonly seen: readonly Observation[] } {
  const resolvers = sources.resolvers();
  const around = { proxying: sources.proxying, resolvers, sight, routersTo: () => [] };
  const vantage = new Vantage({ newId: () => "why", wallAt: (instant) => instant });
  vantage.look(before, now());
  const seen = observationOf(result, monitor, around, now());
  if (seen !== null) vantage.note(seen);
  const beside = references.flatMap(
    ({ reference, outcome }) => observationOfReference(reference, outcome, around, now()) ?? [],
  );
  for (const one of beside) vantage.noteReference(one);
  if (way?.is === "out" && way.gateway !== null && isHeard(result)) {
    vantage.answered(dependency("gateway", way.gateway), now());
    vantage.answered(dependency("link", way.device), now());
  }
  vantage.look(sight, now());
  const cause = seen === null || result.failure === null ? null : vantage.judge(seen);
  return { cause, seen: [...(seen === null ? [] : [seen]), ...beside] };
}

/** At once: a person waits. */
const askReferences = (
  sources: PlaceSources,
  signal: AbortSignal,
): Promise<readonly ReferenceLook[]> =>
  Promise.all(
    sources.references.map(async (reference) => ({
      reference,
      outcome: await sources.askReference(reference, signal),
    })),
  );

const never = epochMillis(Number.MAX_SAFE_INTEGER);

/** A server that a DNS monitor names is asked by its address, or looked up as the check does it. */
function needsNames({ target }: CheckedMonitor): boolean {
  const server = serverOf(target.kind, target);
  if (server === null || target.kind === "dns") return server === null;
  return isIP(server.host) === 0;
}
