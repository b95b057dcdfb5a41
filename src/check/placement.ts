/**
 * What of its location's monitors an agent runs: its share, so that each monitor runs on one agent, or all of them, so
 * that each agent is its own vantage.
 */
export type Placement = "share" | "everywhere";
