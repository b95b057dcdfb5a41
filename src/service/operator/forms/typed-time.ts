/**
 * A time of day as people type it, as files write it: `21:00` of `9pm`, `9 p.m.`, `21.00`, `2100`, `21h` or `21`. What is
 * none stays as it is, and is refused.
 */
export function typedTime(text: string): string {
  const said = text.trim().toLowerCase().replaceAll(/\./g, ":");
  const named = names.get(said);
  if (named !== undefined) return named;
  const [, hour = "", minute = "0", half = ""] = time.exec(said) ?? [];
  const shift = half.startsWith("p") ? 12 : 0;
  const hours = half === "" ? Number(hour) : (Number(hour) % 12) + shift;
  const isThere =
    hour !== "" &&
    Number(minute) < 60 &&
    (half === "" || (Number(hour) >= 1 && Number(hour) <= 12));
  const isEnd = hours === 24 && Number(minute) === 0;
  if (!isThere || (hours > 23 && !isEnd)) return text.trim();
  return `${String(hours % 24).padStart(2, "0")}:${minute.padStart(2, "0")}`;
}

/** Dots are colons here: `9 p:m:`. */
const time = /^(\d{1,2})(?:\s?[:h]?\s?(\d{2}))?(?::00)?\s?(?:h|uhr)?\s?([ap]:?m:?)?$/;

const names: ReadonlyMap<string, string> = new Map([
  ["noon", "12:00"],
  ["midday", "12:00"],
  ["midnight", "00:00"],
]);
