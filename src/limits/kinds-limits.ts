import { type Bytes, kibibytes, type Millis, millis, seconds } from "#base/units";

/* Of the kinds of checks that have some of their own. */

/** Echoes of one ICMP check: three tell a loss from an outage, and twenty are a burst that routers still answer. */
export const icmpPacketsMax = 20;
export const icmpPacketsDefault = 3;
/** Between two echoes: faster is a flood, and slower ones could not all leave within a timeout. */
export const icmpIntervalMin: Millis = millis(10);
export const icmpIntervalMax: Millis = seconds(1);
export const icmpIntervalDefault: Millis = millis(100);
/** From the specification: the name of a gRPC service. */
export const grpcServiceCharsMax = 512;
/** An answer of the health service is under 100 bytes; whoever sends more is not one. */
export const grpcAnswerBytesMax: Bytes = kibibytes(64);
/** What an echo request carries, as ping's: with the headers it is shorter than every path's smallest packet. */
export const echoPayloadBytes = 56;
/** Records of a DNS answer that a page shows: a reader sees which ones there are; a name has hundreds at most. */
export const recordsShownMax = 20;
/** A whole piece of a TXT record, with its type. */
export const recordShownCharsMax = 260;
