import type { PlaceSources } from "#agent/looks/place-sources";
import type { ResolverAnswer } from "#check/place-evidence";
import type { Result } from "#check/result";
import { isPassed } from "#cli/why/why-steps";
import { type MachineSight, type Way, wayTo } from "#agent/vantage/machine-sight";
import type { Observation } from "#agent/vantage/observation";

interface Passage {
  readonly result: Result;
  readonly way: Way | null;
  readonly sight: MachineSight;
  /** What the check and the references say. */
  readonly seen: readonly Observation[];
  readonly sources: Pick<PlaceSources, "resolvers" | "askResolvers">;
  /** Those of the name servers, where they were asked already. */
  readonly answers: readonly ResolverAnswer[];
}

/**
 * Whether anything came back from beyond the gateway on the way to a target: then neither this machine nor its network is
 * to blame for a silence. If neither check nor path says so, a name server behind the same gateway may.
 */
export async function isGatewayPassed(
  { result, way, sight, seen, sources, answers }: Passage,
  signal: AbortSignal,
): Promise<boolean> {
  if (way?.is !== "out" || way.gateway === null) return false;
  const { gateway } = way;
  const isCleared = seen.some(({ cleared }) =>
    cleared.some(({ scope, subject }) => scope === "gateway" && subject === gateway),
  );
  if (isPassed(result) || isCleared) return true;
  if (result.failure?.phase !== "connect") return false;
  const behind = sources.resolvers().map((address) => {
    const to = wayTo(address, sight.routes);
    return to.is === "out" && to.gateway === gateway;
  });
  if (!behind.includes(true)) return false;
  const asked = answers.length > 0 ? answers : await sources.askResolvers(signal);
  return asked.some(
    ({ outcome }, index) =>
      behind[index] === true && (outcome === "answered" || outcome === "failing"),
  );
}
