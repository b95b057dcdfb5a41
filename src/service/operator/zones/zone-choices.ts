import type { Choice } from "#check/form-field";

/** Names that the system's list has, and what they are called today. Both are taken, and mean the same zone. */
const namesToday: ReadonlyMap<string, string> = new Map([
  ["Africa/Asmera", "Africa/Asmara"],
  ["America/Buenos_Aires", "America/Argentina/Buenos_Aires"],
  ["America/Godthab", "America/Nuuk"],
  ["Asia/Calcutta", "Asia/Kolkata"],
  ["Asia/Katmandu", "Asia/Kathmandu"],
  ["Asia/Rangoon", "Asia/Yangon"],
  ["Asia/Saigon", "Asia/Ho_Chi_Minh"],
  ["Atlantic/Faeroe", "Atlantic/Faroe"],
  ["Europe/Kiev", "Europe/Kyiv"],
  ["Pacific/Enderbury", "Pacific/Kanton"],
  ["Pacific/Ponape", "Pacific/Pohnpei"],
  ["Pacific/Truk", "Pacific/Chuuk"],
]);

/** UTC first, then every zone that the system knows, by the name that it has today. */
export function zoneChoices(): readonly Choice[] {
  const named = Intl.supportedValuesOf("timeZone").map((zone) => namesToday.get(zone) ?? zone);
  const zones = [...new Set(named)].filter((zone) => zone !== "UTC").toSorted();
  return ["UTC", ...zones].map((zone): Choice => [zone, zone.replaceAll("_", " ")]);
}
