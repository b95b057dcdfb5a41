import { html, type Html } from "#web/page/html";

/** The mark of a form that its page is for, to fill it in and save it: no letter is a page key there. */
export const filledIn: Html = html` data-filled-in`;
