import { html, type Html } from "#web/page/html";
import type { PagePlace } from "#service/status-site/view/status-frame";
import type { PageWords } from "#service/status-site/view/words";

interface EntryForm {
  /** Where its reader wanted to go. */
  readonly next: string;
  readonly fault: string | null;
}

/** What a reader sees who has not given the password. */
export const passwordView = (
  { texts }: PageWords,
  { base }: PagePlace,
  { next, fault }: EntryForm,
): Html =>
  html`<h1 class="overall">${texts.closed}</h1>
    <form class="enter" method="post" action="${base}/sign-in">
      ${faultLine(fault)}
      <input type="hidden" name="next" value="${next}" />
      <input type="text" name="username" autocomplete="username" value="${base}" hidden />
      <label for="password">${texts.password}</label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="current-password"
        required
        autofocus
      />
      <button type="submit">${texts.open}</button>
    </form>`;

/** The same where a mail lets in. The form keeps the language of its page. */
export const mailView = (
  { texts, locale }: PageWords,
  { base }: PagePlace,
  { next, fault }: EntryForm,
): Html =>
  html`<h1 class="overall">${texts.closedToMail}</h1>
    <p class="advice">${texts.news.entryAbout}</p>
    <form class="enter" method="post" action="${base}/${locale}/sign-in">
      ${faultLine(fault)}
      <input type="hidden" name="next" value="${next}" />
      ${addressField(texts.news.address, true)}
      <button type="submit">${texts.news.sendLink}</button>
    </form>`;

export const faultLine = (fault: string | null): Html | null =>
  fault === null ? null : html`<p class="fault" id="fault" role="alert">${fault}</p>`;

/** The cursor is in it if its page is there for it. */
export const addressField = (label: string, isFirst: boolean): Html =>
  html`<label for="email">${label}</label>
    <input
      id="email"
      name="email"
      type="email"
      autocomplete="email"
      maxlength="320"
      required
      ${isFirst ? html` autofocus` : null}
    />`;

/** What a reader sees who cannot be let in. */
export const closedView = (sentence: string): Html => html`<h1 class="overall">${sentence}</h1>`;
