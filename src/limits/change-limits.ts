import { type Millis, minutes } from "#base/units";

/* The page of the audit log: who changed what. */

/** Entries on one page of changes: a few screens. */
export const changesShown = 50;
/** Entries of one act that are counted, and that a page shows of one act alone: as many as one question reads. */
export const actEntriesMax = 1_000;
/** Entries in one file: some 12 MB, which a browser and the service hold at once. */
export const changesDownloaded = 20_000;
/** What is typed into a filter: longer than any name. */
export const changeFilterCharsMax = 256;
/** A value of a field, before and after, in a cell of a table. */
export const shownValueCharsMax = 200;
/** The same in the line of an entry, and how many changed fields it names: a line of a wide screen. */
export const gistCharsMax = 40;
export const changedFieldsNamed = 3;
/** Objects, or parts of a status page, that the line of several changes names. */
export const changedObjectsNamed = 3;
/** Who adds a component after another one is done with the next in less. */
export const partsFoldedWithin: Millis = minutes(1);
/** Earlier deletions of one person that a page offers to undo, behind one button: more are at the addresses of what was deleted. */
export const deletionsOffered = 20;
/** What a form showed when it was opened goes with it, packed: the longest update of a report, which packs badly. */
export const shownFormCharsMax = 32_768;
