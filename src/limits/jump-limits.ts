/** Monitors that a dialog finds by a text, and other pages: whoever sees more than these types another letter. */
export const jumpFoundMax = 8;
/** Acts that it offers: a verb that many monitors can do needs one letter more. */
export const jumpActsMax = 12;
/** Reports and planned work whose titles it reads, the newest first: older ones are on the pages of theirs. */
export const jumpTitlesRead = 100;
