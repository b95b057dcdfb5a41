import type { Mark, Marker } from "#probes/socket/marker";

/** What knows when the bytes of a connection passed the wire. */
export interface WireTimes {
  /** Now, before something is written. */
  acted(): Mark;
  /** When the bytes came that are being read. */
  arrived(): Mark;
  /** When what was written since `begun` left: it is asked when the call returned. */
  left(begun: Mark): Mark;
  /** The same, asked later, where more is known then: the last instant since `begun` at which something left. */
  leftSince(begun: Mark): Mark | null;
  /** A handshake is done: whatever else the peer sends, it waits for our request. */
  owe(): void;
}

/** By the event loop: it notices late what came, and what was written has left when the call returned. */
export const eventTimes = (marker: Marker): WireTimes => ({
  acted: () => marker.acted(),
  arrived: () => marker.observed(),
  left: (begun) => {
    // A short request has left since its writing began; the end of a long one came through the event loop.
    const observed = marker.observed();
    const since = marker.since(begun);
    return since.errorBar < observed.errorBar ? since : observed;
  },
  leftSince: () => null,
  owe: () => {},
});
