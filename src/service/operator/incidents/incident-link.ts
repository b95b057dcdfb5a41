import { html, type Html } from "#web/page/html";

/** The page of an open incident, after the sentence that says what is wrong; null if none is open. */
export const incidentLink = (
  incident: { readonly number: number; readonly acknowledged: boolean } | null,
): Html | null =>
  incident === null
    ? null
    : html`(<a href="/incidents/${incident.number}">incident ${incident.number}</a
        >${incident.acknowledged ? ", acknowledged" : null})`;
