import type { QueryType } from "#check/assertion";
import type { Mark, Marker } from "#probes/socket/marker";
import type { MeasuredMark } from "#probes/socket/sockets";

/**
 * The instants of an exchange, for whoever measures it; each may be reported several times for one question. What was
 * done in a call lies between the mark less its error bar, when the call began, and the mark, when it returned.
 */
export interface ExchangeWatch {
  readonly marker: Marker;
  /** The first packet leaves. */
  readonly onSending: (mark: Mark) => void;
  /** The query is on its way. */
  readonly onSent: (mark: Mark) => void;
  /** A message that answers the question came. */
  readonly onAnswer: (arrived: MeasuredMark) => void;
}

/** Who wants to know that of each question of a look-up. */
export interface LookupWatch {
  asking(type: QueryType): ExchangeWatch;
}
