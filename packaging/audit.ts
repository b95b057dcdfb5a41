/** What npm's advisory database said of the packages that ship, or that it said nothing. */
export interface Audit {
  readonly verdict: "clean" | "vulnerable" | "unreachable";
  /** For whoever reads the log; plain sentences. */
  readonly message: string;
}

/** Reads the output of `npm audit --json`. What is below `moderate` is shown and does not count. */
export function judgeAudit(output: string): Audit {
  const report = parse(output);
  const counts = report.metadata?.vulnerabilities;
  if (counts === undefined) {
    const why = report.message ?? "it gave no answer that npm understands";
    return {
      verdict: "unreachable",
      message: `Nothing is known of vulnerabilities: the registry's advisories could not be asked (${why}).`,
    };
  }
  const { low = 0, moderate = 0, high = 0, critical = 0 } = counts;
  const serious = moderate + high + critical;
  const names = Object.keys(report.vulnerabilities ?? {}).join(", ");
  if (serious === 0)
    return {
      verdict: "clean",
      message: `No package that ships has a known vulnerability from moderate on; ${low} are lower.`,
    };
  return {
    verdict: "vulnerable",
    message: `${serious} known vulnerabilities from moderate on, in ${names}: npm audit --omit=dev says which, and which versions are without.`,
  };
}

interface Report {
  readonly message?: string;
  readonly vulnerabilities?: Readonly<Record<string, unknown>>;
  readonly metadata?: { readonly vulnerabilities?: Readonly<Record<string, number>> };
}

function parse(output: string): Report {
  try {
    const report: Report | null = JSON.parse(output);
    return report ?? {};
  } catch {
    return {};
  }
}
