import { offerCopies } from "#browser/copying";
import { watchEdits } from "#browser/edits";
import { narrowBoxes } from "#browser/narrowing";
import { keepRenewing } from "#browser/renewal";
import { findBySlash } from "#browser/search-key";
import { showOwnTimes } from "#browser/own-times";

/*
 * What every page does by itself if a script may run: it shows what is new without a reload, and `/` leads to the search
 * field. Without it everything works.
 */

watchEdits();
keepRenewing();
findBySlash();
offerCopies();
narrowBoxes();
showOwnTimes();
