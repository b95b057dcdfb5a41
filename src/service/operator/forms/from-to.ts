/** What a form of two days says if the second one is the earlier. */
export const toBeforeFrom = "To is before From: choose the day of From, or a later one.";
