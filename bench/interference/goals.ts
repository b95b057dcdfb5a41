/** How far a figure may move beside something, in microseconds, and how many results may be uncertain. */
export const goals = { median: 5, p99: 50, uncertain: 0.01 };
