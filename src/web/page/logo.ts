import { Html } from "#web/page/html";

/** The fence of the tab's icon, in the colour of the text next to which it is. */
export const logo: Html = new Html(
  '<svg class="logo" viewBox="0 0 16 16" aria-hidden="true"><path d="M2 5l1.700-3L5.400 5v9H2zM6.300 5 8 2l1.700 3v9H6.300zM10.600 5l1.700-3L14 5v9h-3.400z"/><path d="M1 7h14v1.600H1zM1 11h14v1.600H1z"/></svg>',
);
