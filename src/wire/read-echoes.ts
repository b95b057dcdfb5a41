import * as kindsLimits from "#limits/kinds-limits";
import type { EchoSpread } from "#check/echo-spread";
import type { BatchResult } from "#contract/private_location/v1/private_location_pb";
import { nanos } from "#base/units";

/** What the echoes of a ping came to: exact if the agent sent each, else in the whole milliseconds of the plain call. */
export function echoesIn({
  detail,
  result,
}: Pick<BatchResult, "detail" | "result">): EchoSpread | null {
  if (result.case !== "icmp") return null;
  const each = detail?.echoes ?? [];
  if (each.length > 0) {
    const times = each.flatMap(({ rttNs }) => (rttNs === undefined ? [] : [Number(rttNs)]));
    return spread(each.length, times);
  }
  const { packetsSent, packetsReceived, latencyMin, latencyMax } = result.value;
  const sent = counted(packetsSent);
  if (sent === 0) return null;
  const received = Math.min(sent, counted(packetsReceived));
  const whole = [latencyMin, latencyMax].map((one) => Math.max(0, Number(one)) * 1e6);
  return { ...spread(sent, received === 0 ? [] : whole), received };
}

const spread = (sent: number, times: readonly number[]): EchoSpread => ({
  sent,
  received: times.length,
  least: times.length === 0 ? null : nanos(times.reduce((a, b) => Math.min(a, b))),
  most: times.length === 0 ? null : nanos(times.reduce((a, b) => Math.max(a, b))),
});

/** Another agent may send any number: what no monitor could have sent is cut. */
const counted = (count: bigint): number =>
  Math.min(kindsLimits.icmpPacketsMax, Math.max(0, Number(count)));
