import { acknowledgedAtOnce } from "#limits/alerts-limits";

/** Does it with all of them in parts, so that the judge waits for none of them for long. Gives how many it was done with. */
export async function inParts(
  numbers: readonly number[],
  act: (part: readonly number[]) => Promise<number>,
): Promise<number> {
  let count = 0;
  for (let done = 0; done < numbers.length; done += acknowledgedAtOnce)
    count += await act(numbers.slice(done, done + acknowledgedAtOnce));
  return count;
}
