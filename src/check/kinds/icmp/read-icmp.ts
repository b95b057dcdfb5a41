import * as kindsLimits from "#limits/kinds-limits";
import type { DefinitionOf } from "#check/definition";
import { type Assertion, type NumberComparator, numberComparators } from "#check/assertion";
import type { Findings } from "#check/findings";
import type { IcmpTarget } from "#check/kinds/icmp/icmp-monitor";
import { readComparator, readInRange, readUri } from "#check/kinds/reading";
import * as limits from "#limits/check-limits";
import { isBroadcast, isMulticast } from "#network/address-block";
import { parseHost } from "#network/host-port";
import { parsed, type ParseResult, refused } from "#network/parsed";
import { millis } from "#base/units";

export function readIcmpTarget(
  definition: DefinitionOf<"icmp">,
  findings: Findings,
): IcmpTarget | null {
  const host = readUri(parsePingHost, definition.uri, findings);
  const packets = readInRange("packets", definition.packets, packetsRange, findings);
  const interval = millis(readInRange("interval", definition.interval, intervalRange, findings));
  return host === null ? null : { kind: "icmp", host, packets, interval };
}

const packetsRange = {
  min: 1,
  max: kindsLimits.icmpPacketsMax,
  usual: kindsLimits.icmpPacketsDefault,
};
const intervalRange = {
  min: kindsLimits.icmpIntervalMin,
  max: kindsLimits.icmpIntervalMax,
  usual: kindsLimits.icmpIntervalDefault,
};

/** A name or an address, also as `ping:HOST`; what only many hosts could answer is refused. */
function parsePingHost(text: string): ParseResult<string> {
  if (text === "") return refused("is required");
  if (text.length > limits.targetCharsMax)
    return refused(`is longer than ${limits.targetCharsMax} characters`);
  const host = parseHost(text.replace(/^(?:ping|icmp):(?:\/\/)?/i, ""));
  if (!host.ok) return host;
  if (isMulticast(host.value))
    return refused("is a multicast address: many hosts would answer, so no answer is the target's");
  if (isBroadcast(host.value))
    return refused(
      "is the broadcast address: many hosts would answer, so no answer is the target's",
    );
  return parsed(host.value);
}

/** In the order in which they judge. */
export const readIcmpAssertions = (
  { lossAssertions, latencyAssertions }: DefinitionOf<"icmp">,
  findings: Findings,
): readonly Assertion[] => [
  ...readNumbers("loss_assertions", lossAssertions, percent, findings).map((one): Assertion => ({
    kind: "loss",
    ...one,
  })),
  ...readNumbers("latency_assertions", latencyAssertions, milliseconds, findings).map(
    ({ comparator, target }): Assertion => ({
      kind: "latency",
      comparator,
      target: millis(target),
    }),
  ),
];

const percent = { most: 100, unit: "percent" };
const milliseconds = { most: limits.timeoutMax, unit: "ms" };

function readNumbers(
  field: string,
  assertions: DefinitionOf<"icmp">["lossAssertions"],
  { most, unit }: { readonly most: number; readonly unit: string },
  findings: Findings,
): readonly { readonly comparator: NumberComparator; readonly target: number }[] {
  findings.checkCount(field, assertions.length, limits.assertionsMax);
  return assertions.flatMap(({ target, comparator }, index) => {
    const at = `${field}[${index}]`;
    if (!(target >= 0 && target <= most))
      findings.violate(`${at}.target`, `must be in 0 to ${most} ${unit}, not ${target}`);
    const known = readComparator(at, comparator, numberComparators, findings);
    return known === null ? [] : [{ comparator: known, target }];
  });
}
