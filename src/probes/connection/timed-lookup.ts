import { isIP } from "node:net";
import type { QueryType } from "#check/assertion";
import type { Mark, Marker } from "#probes/socket/marker";
import type { ExchangeWatch, LookupWatch } from "#probes/resolve/exchange-watch";
import { QueryTimes } from "#probes/resolve/query-times";
import type { Resolution } from "#probes/resolve/resolving";
import type { Run } from "#probes/connection/probe";

/**
 * The addresses of a host. The phase `dns` is from the first question to the answer that ended the look-up; what we do
 * around them is our own work. An address needs no look-up, so its check has no such phase.
 */
export async function lookUpTimed(
  host: string,
  { deadline, stopwatch, context }: Run,
): Promise<Resolution> {
  if (isIP(host) !== 0) return { ok: true, addresses: [host] };
  const { marker, resolver, ipFamily } = context;
  const begun = marker.acted();
  const times = new LookupTimes(marker);
  const resolution = await resolver.resolve(host, ipFamily, deadline, times);
  stopwatch.enter("dns", times.start ?? begun);
  if (resolution.ok) stopwatch.came(times.end ?? marker.observed());
  return resolution;
}

/** The instants of the questions of one look-up. */
class LookupTimes implements LookupWatch {
  readonly #marker: Marker;
  readonly #times = new QueryTimes();
  /** What was asked and not answered. */
  readonly #open = new Set<QueryType>();

  constructor(marker: Marker) {
    this.#marker = marker;
  }

  asking(type: QueryType): ExchangeWatch {
    return {
      marker: this.#marker,
      onSending: (mark) => {
        this.#open.add(type);
        this.#times.leaving(type, mark);
      },
      onSent: () => {},
      onAnswer: (arrived) => {
        this.#open.delete(type);
        this.#times.answeredAt(type, arrived);
      },
    };
  }

  /** When the first question left; null if none did. */
  get start(): Mark | null {
    return this.#times.start;
  }

  /** When the last answer came; null if another was waited for in vain. */
  get end(): Mark | null {
    return this.#open.size > 0 ? null : (this.#times.answered?.mark ?? null);
  }
}
