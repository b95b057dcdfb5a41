import { selectMany } from "#browser/selecting";

/* What the overview does by itself if a script may run: it selects many by one click. */

selectMany();
