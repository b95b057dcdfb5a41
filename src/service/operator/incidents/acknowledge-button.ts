import type { KnownReader } from "#service/operator/page-request";
import { html, type Html } from "#web/page/html";

interface OneIncident {
  readonly number: number;
  /** What it is about. */
  readonly name: string;
  readonly reader: KnownReader;
  /** The page that it leads back to. */
  readonly back: string;
}

/** Acknowledges one incident of a list. */
export const acknowledgeButton = ({ number, name, reader, back }: OneIncident): Html =>
  html`<form class="next" method="post" action="/incidents/${number}/acknowledge">
    <input type="hidden" name="form" value="${reader.formToken}" />
    <input type="hidden" name="back" value="${back}" />
    <button type="submit" class="small" aria-label="Acknowledge: ${name}">Acknowledge</button>
  </form>`;
