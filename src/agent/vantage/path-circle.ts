import type { PathHop } from "#check/evidence";

/** Two routers that send packets back and forth, in the order in which a packet comes by. */
interface Circle {
  readonly ttl: number;
  readonly first: string;
  readonly second: string;
}

/**
 * Whether the routers that answered are in a circle: one of them at two hops with another one in between, and that one
 * twice as well, or the first for a third time. "perhaps" is before either.
 */
export function circleSuspect(answers: readonly PathHop[]): Circle | "perhaps" | null {
  const seen = answers.filter(({ ended }) => ended === "hop");
  const ttlsOf = (address: string): readonly number[] =>
    [...new Set(seen.filter((one) => one.address === address).map(({ ttl }) => ttl))].toSorted(
      (a, b) => a - b,
    );
  let suspect: Circle | "perhaps" | null = null;
  for (const { address } of seen.toSorted((a, b) => a.ttl - b.ttl)) {
    const ttls = ttlsOf(address ?? "");
    const [first, again] = ttls;
    if (address === null || first === undefined || again === undefined) continue;
    const between = seen.find(
      ({ ttl, address: who }) => ttl > first && ttl < again && who !== address,
    );
    if (between === undefined || between.address === null) continue;
    if (ttls.length > 2 || ttlsOf(between.address).length > 1)
      return { ttl: first, first: address, second: between.address };
    suspect = "perhaps";
  }
  return suspect;
}
