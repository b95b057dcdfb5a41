import { searchAsTyped } from "#browser/searching";

/* A list shows what its filter finds as it is chosen, if a script may run. */

searchAsTyped();
