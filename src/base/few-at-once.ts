/**
 * Does work on each item, on no more than `most` of them at a time, and gives the results in the items' order. After a
 * failure, what is under way ends and nothing more begins.
 */
export async function fewAtOnce<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  for (let first = 0; first < items.length; first += most)
    results.push(...(await Promise.all(items.slice(first, first + most).map(work))));
  return results;
}
