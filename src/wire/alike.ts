import type { Assertion } from "#check/assertion";
import type { Header, Monitor, OtelConfig, Target } from "#check/monitor";

/**
 * What many monitors have alike, kept once for all of an assignment: headers, assertions, and where metrics go. Values that
 * cross to another thread together keep that there.
 */
export class Alike {
  readonly #header = new Parts<Header>();
  readonly #headers = new Parts<readonly Header[]>();
  readonly #assertions = new Parts<readonly Assertion[]>();
  readonly #otel = new Parts<OtelConfig>();

  /** The same monitor, with the parts that another one brought before it. */
  monitor(monitor: Monitor): Monitor {
    if (monitor.rejection !== null) return monitor;
    const { target, assertions, otel } = monitor;
    return {
      ...monitor,
      target: this.#target(target),
      assertions: this.#assertions.known(assertions),
      otel: otel === null ? null : this.#otel.known(otel),
    };
  }

  #target(target: Target): Target {
    if (target.kind !== "http") return target;
    const headers = target.headers.map((header) => this.#header.known(header));
    return { ...target, headers: this.#headers.known(headers) };
  }
}

/** Plain values, made with their fields in one order. */
class Parts<T> {
  readonly #known = new Map<string, T>();

  known(part: T): T {
    return this.#known.getOrInsert(JSON.stringify(part), part);
  }
}
