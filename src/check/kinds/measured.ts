import type { Detail } from "#check/fact";

/** Whose measure a figure is, for a person who looks at one check. */
export const measured = (by: string | null, detail: Detail): string =>
  by === null || detail === "brief" ? "" : `, measured by the ${by}`;
