import type { Cause } from "#check/cause";
import { erringServers, silentServers } from "#agent/vantage/cause-words";
import type { ResolverSight } from "#agent/vantage/machine-sight";
import { epochMillis } from "#base/units";

/** What names and dates a cause. */
export interface CauseTools {
  readonly newId: () => string;
  /** What wall clock an instant was at. */
  readonly wallAt: (instant: number) => number;
}

interface BrokenServer {
  readonly id: string;
  readonly since: number;
  readonly is: ResolverSight["is"];
}

/** Name servers that do not answer, or only with errors, while others do: no check fails by them, and a person is to know before one does. */
export class BrokenServers {
  readonly #tools: CauseTools;
  /** Each with its name as a cause, and since when it was seen to be silent. */
  #silent: ReadonlyMap<string, BrokenServer> = new Map();

  constructor(tools: CauseTools) {
    this.#tools = tools;
  }

  get areNone(): boolean {
    return this.#silent.size === 0;
  }

  get causes(): readonly Cause[] {
    return [...this.#silent].map(([subject, { id, since, is }]) => ({
      scope: "resolver",
      subject,
      certainty: "proven",
      since: epochMillis(Math.round(this.#tools.wallAt(since))),
      id,
      sentence:
        is === "failing"
          ? `${erringServers(subject)}, and the others do not`
          : `${silentServers(subject)}, and the others do`,
      affected: 0,
    }));
  }

  /** Where all of them are silent, checks fail, and it is no warning any more. */
  look(resolvers: readonly ResolverSight[], now: number): void {
    const silent = resolvers.filter(({ is }) => is !== "well");
    const isWarning = silent.length < resolvers.length;
    const before = this.#silent;
    this.#silent = new Map(
      (isWarning ? silent : []).map(({ server, is }) => [
        server,
        { ...(before.get(server) ?? { id: this.#tools.newId(), since: now }), is },
      ]),
    );
  }
}
