/**
 * The shortest way from one over what it depends on to another, without that; null if there is none. From one to
 * itself it is a ring, in which each would wait for itself.
 */
export function wayTo<T>(end: T, from: T, dependsOn: (of: T) => readonly T[]): readonly T[] | null {
  const cameFrom = new Map<T, T>();
  const reached = [from];
  for (const at of reached)
    for (const next of dependsOn(at)) {
      if (next === end) return stepsTo(at, cameFrom);
      if (cameFrom.has(next) || next === from) continue;
      cameFrom.set(next, at);
      reached.push(next);
    }
  return null;
}

function stepsTo<T>(last: T, cameFrom: ReadonlyMap<T, T>): readonly T[] {
  const way = [last];
  for (let at = cameFrom.get(last); at !== undefined; at = cameFrom.get(at)) way.unshift(at);
  return way;
}

/** The rings that some of all are in; what is in one that was found already is not looked at again. */
export function ringsIn<T>(
  all: Iterable<T>,
  dependsOn: (of: T) => readonly T[],
): readonly (readonly T[])[] {
  const found = new Set<T>();
  const rings: (readonly T[])[] = [];
  for (const one of all) {
    const ring = found.has(one) ? null : wayTo(one, one, dependsOn);
    if (ring === null) continue;
    rings.push(ring);
    for (const member of ring) found.add(member);
  }
  return rings;
}

/** A ring in words: `a cycle: each monitor waits for the next: "edge" → "core" → "edge"`. */
export const ringWords = (names: readonly string[]): string =>
  `a cycle: each monitor waits for the next: ${[...names, ...names.slice(0, 1)].join(" → ")}`;

/** Whom a name in `depends_on` means: others that have it; itself, and so a ring, only if there are none. */
export function othersElseItself<T>(self: T, named: readonly T[]): readonly T[] {
  const others = named.filter((one) => one !== self);
  return others.length > 0 ? others : named;
}
