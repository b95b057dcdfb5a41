import type { MachineSight } from "#vantage/machine-sight";
import type { Observation } from "#vantage/observation";

/** What this machine showed while checks came through: no sign of that kind is one of a fault later. */
export class WhileWell {
  /** Name servers that had only errors for us while names resolved by them: e.g. those of one zone alone. */
  readonly #choosy = new Set<string>();
  /** What this machine had held back in all when something last came through. */
  #heldBack: number | null = null;

  /** A check has ended. */
  note({ blamed, cleared }: Observation, { resolvers, heldBack }: MachineSight): void {
    if (blamed.length > 0) return;
    this.#heldBack = heldBack;
    if (!cleared.some(({ scope }) => scope === "resolver")) return;
    for (const { server, is } of resolvers) if (is === "failing") this.#choosy.add(server);
  }

  /** A look without the signs that say nothing. */
  read(sight: MachineSight): MachineSight {
    this.#heldBack ??= sight.heldBack;
    if (this.#choosy.size === 0) return sight;
    const resolvers = sight.resolvers.map((one) =>
      one.is === "failing" && this.#choosy.has(one.server) ? { ...one, is: "well" as const } : one,
    );
    return { ...sight, resolvers };
  }

  /** Whether this machine did not let out what it wanted to send again since then. */
  holdsBackSince({ heldBack }: MachineSight): boolean {
    return heldBack !== null && this.#heldBack !== null && heldBack > this.#heldBack;
  }
}
