import type { Choice } from "#check/form-field";

/** UTC first, then every zone that the system knows. */
export function zoneChoices(): readonly Choice[] {
  const all = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
  return all.map((zone): Choice => [zone, zone.replaceAll("_", " ")]);
}
