/** Whether a version is before another: `0.9.1` is before `0.10.0`. What is no such version is before none. */
export function isOlder(version: string, than: string): boolean {
  const [a, b] = [partsOf(version), partsOf(than)];
  if (a === null || b === null) return false;
  for (const [index, part] of a.entries()) {
    const other = b[index] ?? 0;
    if (part !== other) return part < other;
  }
  // Semantic versioning 2.0.0 §11.3: what comes before a release is older than the release.
  return version.includes("-") && !than.includes("-");
}

/** The newest of some versions; null if none of them is one. */
export const newestOf = (versions: readonly string[]): string | null =>
  versions
    .filter((one) => partsOf(one) !== null)
    .reduce<string | null>(
      (newest, one) => (newest === null || isOlder(newest, one) ? one : newest),
      null,
    );

function partsOf(version: string): readonly number[] | null {
  const [, ...parts] = /^(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/.exec(version) ?? [];
  return parts.length === 3 ? parts.map(Number) : null;
}
