import { monitorsMadeAtOnce } from "#limits/lines-limits";
import type { SaveRemarks } from "#service/operator/monitors/before-saving";
import { html, type Html } from "#web/page/html";

/** The hidden field that says how many addresses a person saw in the form, so that its button makes as many monitors. */
export const severalField = "several";

/** What the button of a monitor's form says, and whatever names it. */
export function submitWords({ monitor, remarks, several }: SavedForm): string {
  if (several > 0 && several <= monitorsMadeAtOnce) return severalButton(several);
  return remarks.known === "" ? (monitor === null ? "Create monitor" : "Save") : "Save anyway";
}

interface SavedForm {
  /** Null: a new one is made. */
  readonly monitor: object | null;
  readonly remarks: SaveRemarks;
  /** How many addresses it has, if each is to become a monitor; 0: it is for one. */
  readonly several: number;
}

const severalButton = (count: number): string => `Create ${count} monitors`;

/** What may be done with several addresses in the field of one; null: it has one. A script renews it as the field changes. */
export function severalOffer(count: number): Html | null {
  if (count === 0) return null;
  return html`<span data-follows="several">
    <input type="hidden" name="${severalField}" value="${count}" />${offerOf(count)}
  </span>`;
}

function offerOf(count: number): Html {
  return count > monitorsMadeAtOnce
    ? html`These are ${count} addresses, and one form creates ${monitorsMadeAtOnce} monitors at
        most. Leave ${monitorsMadeAtOnce} of them, or describe the monitors in a file for
        <code>picket apply</code>.`
    : html`These are ${count} addresses. Each becomes a monitor with the settings of this form,
        named after its address.
        <button type="submit" class="small">${severalButton(count)}</button>`;
}
