import { cutText } from "#base/text";

/** The name itself, or the first of `NAME (2)`, `NAME (3)` and so on that is free. */
export function freeName(name: string, taken: ReadonlySet<string>, charsMax: number): string {
  let free = cutText(name, charsMax);
  for (let number = 2; taken.has(free); number += 1) {
    const behind = ` (${number})`;
    free = `${cutText(name, charsMax - behind.length)}${behind}`;
  }
  return free;
}
