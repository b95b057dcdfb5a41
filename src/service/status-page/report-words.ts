/** The words of reports, in the order of the contract's numbers. */
export const reportStatuses = ["investigating", "identified", "monitoring", "resolved"] as const;
export type ReportStatus = (typeof reportStatuses)[number];

/** What an update says of a component; one that says nothing leaves what was said before. */
export const impacts = [
  "operational",
  "degraded_performance",
  "partial_outage",
  "major_outage",
] as const;
export type Impact = (typeof impacts)[number];

export interface ComponentImpact {
  readonly component: number;
  readonly impact: Impact;
}
