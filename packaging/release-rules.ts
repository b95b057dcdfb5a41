/** What says which version this is. */
export interface VersionedFiles {
  readonly version: string;
  readonly dockerfile: string;
  readonly charts: readonly string[];
  readonly changelog: string;
}

/** Why a tag cannot be released, each as a sentence with the next step; empty if it can. */
export function releaseFaults(tag: string, files: VersionedFiles): readonly string[] {
  const { version, dockerfile, charts, changelog } = files;
  if (!/^v\d+\.\d+\.\d+$/.test(tag))
    return [`"${tag}" is not a tag of a release: give one such as v${version}`];
  const wanted = tag.slice(1);
  const faults: string[] = [];
  if (version !== wanted)
    faults.push(`package.json has the version ${version}: set it to ${wanted}`);
  if (!dockerfile.includes(`ARG VERSION=${wanted}\n`))
    faults.push(`Dockerfile has another VERSION: set it to ${wanted}`);
  for (const chart of charts) {
    const [, name = ""] = /^name: (.*)$/m.exec(chart) ?? [];
    if (!chart.includes(`\nversion: ${wanted}\n`))
      faults.push(`the chart ${name} has another version: set it to ${wanted}`);
  }
  if (
    !new RegExp(`^## ${wanted.replaceAll(".", "\\.")} \\(\\d{4}-\\d\\d-\\d\\d\\)$`, "m").test(
      changelog,
    )
  )
    faults.push(
      `CHANGELOG.md has no heading "## ${wanted} (YYYY-MM-DD)": give its section that day`,
    );
  return faults;
}
