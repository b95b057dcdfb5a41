import * as statusLimits from "#limits/status-limits";
import { htmlAnswer, type PageAnswer } from "#service/edge/page-answer";
import { html, type Html } from "#web/page/html";
import { fieldId } from "#service/operator/forms/field-id";
import { scriptTag } from "#service/operator/script-tag";
import type { PageDefinition } from "#service/status-page/page-definition";
import { reportMarkup } from "#service/status-site/view/report-markup";

/** The name of the button that shows how a message will look, and sends nothing. */
export const previewButton = "preview";

/** Whether a script asks, while a person types: it puts only the preview in place, so nothing else is made for it. */
export const asksForPreviewAlone = (form: URLSearchParams): boolean =>
  form.get(previewButton) === "part";

/** A message as its form says it so far. */
export interface PreviewedMessage {
  /** What it is called where it is sent; empty as long as it has no title. */
  readonly subject: string;
  /** Single lines before what a person wrote. */
  readonly lines: readonly string[];
  /** What stands in the way of sending it; null: nothing that can be seen here. */
  readonly fault: string | null;
  /** The field at which that is said, too. */
  readonly faultAt?: string;
  /** Markdown. */
  readonly message: string;
  /** What becomes of it. */
  readonly after: Html;
}

/**
 * What readers will see of the message of a form. Where a script may run, it follows what is typed and chosen; without
 * one, a button shows it.
 */
export const messagePreview = (message: PreviewedMessage): Html =>
  previewSection(previewPart(message));

/** The same of anything that is shown as `shownPreview` has it. */
export const previewSection = (part: Html): Html =>
  html`<section class="group preview" aria-labelledby="preview-title">
    <h2 id="preview-title">What readers will see</h2>
    ${part}
    <button type="submit" name="${previewButton}" value="yes" class="small" data-instead="preview">
      Preview
    </button>
    ${scriptTag("preview")}
  </section>`;

/** The answer to a script that asks for nothing else. */
export const previewAnswer = (message: PreviewedMessage): PageAnswer =>
  htmlAnswer(previewPart(message).text);

const previewPart = ({ subject, lines, fault, faultAt, message, after }: PreviewedMessage): Html =>
  shownPreview(
    html`${fault === null ? null : html`<p class="wrong-line" ${faultAt === undefined ? null : html` data-at="${faultAt}" data-note="${fault}"`}>${fault}</p>`}
      <div class="letter">
        ${subject === "" ? null : html`<p class="subject">${subject}</p>`}
        ${lines.map((line) => html`<p class="kind">${line}</p>`)}
        <div class="said">${textOf(message)}</div>
      </div>`,
    after,
  );

/** What readers will see, and what becomes of it. */
export const shownPreview = (seen: Html, after: Html): Html =>
  html`<div id="preview" data-preview aria-live="polite">${seen} ${after}</div>`;

/** How many get it, for the help of the box that sends it: a script puts it there as a person types. */
export const besideBox = (words: string): Html =>
  html`<p hidden data-says="${fieldId("notify", { idPrefix: "" })}-help">${words}</p>`;

const textOf = (message: string): Html =>
  message.trim() === ""
    ? html`<p class="help">Type a message, and it is shown here.</p>`
    : reportMarkup(message.slice(0, statusLimits.reportMessageCharsMax));

/** Who gets it, as the box of the form says; null: no status page shows it. */
export function audienceWords(typed: URLSearchParams, page: PageDefinition | null): string {
  if (page === null) return "No status page shows it, so no reader sees it.";
  if (!page.published) return "The page is a draft: publish it, and its readers see this.";
  return typed.has("notify")
    ? "The page's subscribers get it, too."
    : "No subscriber gets it: only the page shows it.";
}
