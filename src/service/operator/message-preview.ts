import * as statusLimits from "#limits/status-limits";
import { html, type Html } from "#web/page/html";
import { htmlAnswer } from "#service/edge/page-answer";
import type { OperatorForm } from "#service/operator/page-request";
import { scriptTag } from "#service/operator/script-tag";
import { reportMarkup } from "#service/status-site/view/report-markup";

/** The name of the button that shows how a message will look, and sends nothing. */
export const previewButton = "preview";

/**
 * How the message of a form will look to readers. Where a script may run, it follows what is typed; without one, a button
 * shows it. `field` is the name of the message.
 */
export const messagePreview = (field: string, typed: URLSearchParams): Html =>
  html`<section class="group preview" aria-labelledby="preview-title">
    <h2 id="preview-title">How it will look</h2>
    <div class="said" id="preview" data-preview="${field}" aria-live="polite">
      ${previewOf(typed.get(field) ?? "")}
    </div>
    <button type="submit" name="${previewButton}" value="yes" class="small" data-instead="preview">
      Preview
    </button>
    ${scriptTag("preview")}
  </section>`;

const previewOf = (message: string): Html =>
  message.trim() === ""
    ? html`<p class="help">Type a message, and it is shown here.</p>`
    : reportMarkup(message.slice(0, statusLimits.reportMessageCharsMax));

/** `/preview`: what a script shows beside the message while it is typed. It changes nothing. */
export const previewForm: OperatorForm = {
  role: "responder",
  path: /^\/preview$/,
  act: async (_context, { form }) => htmlAnswer(previewOf(form.get("message") ?? "").text),
};
