import type { MachineSight } from "#agent/vantage/machine-sight";
import type { Observation } from "#agent/vantage/observation";

/** What this machine showed while checks came through: no sign of that kind is one of a fault later. */
export class WhileWell {
  /** Name servers that had only errors for us while names resolved by them: e.g. those of one zone alone. */
  readonly #choosy = new Set<string>();
  /** The monitors whose names resolved by those: they show that it is so only for as long as their names resolve. */
  readonly #resolving = new Set<string>();
  /** What this machine had held back in all when something last came through. */
  #heldBack: number | null = null;

  /** A check has ended. */
  note({ monitor, blamed, cleared }: Observation, { resolvers, heldBack }: MachineSight): void {
    if (this.#resolving.has(monitor) && blamed.some(({ scope }) => scope === "resolver"))
      this.#forgetChoosy();
    if (blamed.length > 0) return;
    this.#heldBack = heldBack;
    if (!cleared.some(({ scope }) => scope === "resolver")) return;
    // One that is well may be the one that resolved the name.
    if (resolvers.every(({ is }) => is !== "well"))
      for (const { server, is } of resolvers) if (is === "failing") this.#choosy.add(server);
    if (this.#choosy.size > 0) this.#resolving.add(monitor);
  }

  /** A look without the signs that say nothing. A server that is well had an outage, and its next errors are a sign. */
  read(sight: MachineSight): MachineSight {
    this.#heldBack ??= sight.heldBack;
    if (this.#choosy.size === 0) return sight;
    for (const { server, is } of sight.resolvers) if (is === "well") this.#choosy.delete(server);
    const resolvers = sight.resolvers.map((one) =>
      one.is === "failing" && this.#choosy.has(one.server) ? { ...one, is: "well" as const } : one,
    );
    return { ...sight, resolvers };
  }

  /** Monitors that were taken away show nothing any more. */
  forgetOthers(runs: (monitor: string) => boolean): void {
    for (const monitor of this.#resolving) if (!runs(monitor)) this.#resolving.delete(monitor);
    if (this.#resolving.size === 0) this.#choosy.clear();
  }

  /** Whether this machine did not let out what it wanted to send again since then. */
  holdsBackSince({ heldBack }: MachineSight): boolean {
    return heldBack !== null && this.#heldBack !== null && heldBack > this.#heldBack;
  }

  #forgetChoosy(): void {
    this.#choosy.clear();
    this.#resolving.clear();
  }
}
