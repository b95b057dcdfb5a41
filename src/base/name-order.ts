const collator = new Intl.Collator("en", { numeric: true });

/** Compares names as people count: "web 2" comes before "web 10". */
export const nameOrder = (a: string, b: string): number => collator.compare(a, b);
