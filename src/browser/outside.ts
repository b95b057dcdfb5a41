import { holdForms } from "#browser/holding";

/* What a page does for whoever is not signed in: what they typed waits for the service, too. */

holdForms();
