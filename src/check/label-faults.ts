import { holdsReference } from "#check/secret-placeholder";
import * as limits from "#limits/check-limits";
import { lineFault } from "#base/text";

/** What the labels of a monitor must not be, as sentences without a subject; none if they are as they may be. */
export function labelFaults(labels: Readonly<Record<string, string>>): readonly string[] {
  const faults: string[] = [];
  const pairs = Object.entries(labels);
  if (pairs.length > limits.locationLabelsMax)
    faults.push(`has ${pairs.length}, more than ${limits.locationLabelsMax}`);
  if (pairs.some(([name]) => name === "" || name.length > limits.locationLabelCharsMax))
    faults.push(`has a name that is not 1 to ${limits.locationLabelCharsMax} characters long`);
  if (pairs.flat().some(holdsReference))
    faults.push("name a secret: labels are shown to people, so a secret is put into none of them");
  const fault = lineFault(pairs.flat().join(""));
  if (fault !== null) faults.push(fault);
  if (pairs.some(([, value]) => value.length > limits.locationValueCharsMax))
    faults.push(`has a value that is longer than ${limits.locationValueCharsMax} characters`);
  return faults;
}
