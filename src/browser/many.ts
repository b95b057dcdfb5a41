import { searchAsTyped } from "#browser/searching";
import { selectMany } from "#browser/selecting";

/* What the overview does by itself if a script may run: it finds as one types, and selects many by one click. */

searchAsTyped();
selectMany();
