import { holdForms } from "#browser/holding";
import { showOwnTimes } from "#browser/own-times";

/* What a page does for whoever is not signed in: what they typed waits for the service, and times are in their zone, too. */

holdForms();
showOwnTimes();
