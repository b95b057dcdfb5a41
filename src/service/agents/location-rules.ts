import * as limits from "#limits/check-limits";
import type { Mistake } from "#check/findings";
import type { LocationDefinition } from "#service/resources/location-definition";
import { lineFault } from "#base/text";

/** What is wrong with the name and the labels of a private location, each by its field. */
export function locationViolations({ name, metadata }: LocationDefinition): readonly Mistake[] {
  const violations: Mistake[] = [];
  const violate = (field: string, message: string): void =>
    void violations.push({ field, message });
  if (name === "") violate("name", "is required");
  if (name.length > limits.nameCharsMax)
    violate("name", `is longer than ${limits.nameCharsMax} characters`);
  const labels = Object.entries(metadata);
  for (const [field, text] of [
    ["name", name],
    ["metadata", labels.flat().join("")],
  ] as const) {
    const fault = lineFault(text);
    if (fault !== null) violate(field, fault);
  }
  if (labels.length > limits.locationLabelsMax)
    violate("metadata", `has ${labels.length} labels, more than ${limits.locationLabelsMax}`);
  if (labels.some(([label]) => label === "" || label.length > limits.locationLabelCharsMax))
    violate(
      "metadata",
      `has a label whose name does not have 1 to ${limits.locationLabelCharsMax} characters`,
    );
  if (labels.some(([, value]) => value.length > limits.locationValueCharsMax))
    violate(
      "metadata",
      `has a value that is longer than ${limits.locationValueCharsMax} characters`,
    );
  return violations;
}
