import type { Chart } from "#browser/chart-columns";

/** Null if the service does not answer: what is shown stays. */
export async function readChart(address: string): Promise<Chart | null> {
  try {
    const answer = await fetch(address, { redirect: "error" });
    if (!answer.ok) return null;
    const chart: Chart = await answer.json();
    return chart;
  } catch {
    return null;
  }
}
