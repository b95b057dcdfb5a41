import { html, type Html } from "#web/page/html";
import { capital } from "#base/text";
import type { Provider } from "#service/notify/channel";
import { rulesOf } from "#service/notify/provider-table";

/** Why the form of a channel is locked, and what to do; the service reads its settings as it starts. */
export const lackingNote = (provider: Provider, lacking: string | null): Html | null =>
  lacking === null
    ? null
    : html`<div class="trouble degraded" role="status">
        <p class="why">${rulesOf(provider).label} cannot be used yet.</p>
        <p>${capital(lacking)}, and restart it.</p>
      </div>`;
