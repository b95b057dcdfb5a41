import { html, type Html } from "#web/page/html";
import { addressField, faultLine } from "#service/status-site/view/enter-views";
import { localePath, type PagePlace } from "#service/status-site/view/status-frame";
import type { PageWords } from "#service/status-site/view/words";
import { componentsOf, type PageModel, type ShownComponent } from "#service/status-page/page-model";

interface SubscribeForm {
  readonly fault: string | null;
  /** Whoever edits the page looks at it: nothing is sent. */
  readonly isPreview: boolean;
}

/** The form by which a reader subscribes. */
export const subscribeView = (
  model: PageModel,
  words: PageWords,
  place: PagePlace,
  { fault, isPreview }: SubscribeForm,
): Html => {
  const { news } = words.texts;
  const action = localePath(place, words.locale, model.definition, "/subscribe");
  return html`<h1 class="overall">${news.subscribe}</h1>
    <p class="advice">${news.about}</p>
    <form class="enter news" method="post" action="${action}">
      ${faultLine(fault)} ${addressField(news.address, !isPreview)} ${choice(model, words, [])}
      <button type="submit" ${isPreview ? html` disabled` : null}>${news.send}</button>
    </form>`;
};

/** Components to choose among, if there is more than one. */
function choice(model: PageModel, { texts }: PageWords, chosen: readonly number[]): Html | null {
  if (componentsOf(model).length < 2) return null;
  const pick = ({ facts: { id, name } }: ShownComponent): Html =>
    html`<label class="pick">${box(id, chosen.includes(id))}<span>${name}</span></label>`;
  return html`<fieldset>
    <legend>${texts.news.choice}</legend>
    ${model.sections.map((section) =>
      section.kind === "component"
        ? pick(section.component)
        : html`<fieldset>
            <legend>${section.name}</legend>
            ${section.components.map(pick)}
          </fieldset>`,
    )}
  </fieldset>`;
}

const box = (id: number, isChosen: boolean): Html =>
  isChosen
    ? html`<input type="checkbox" name="component" value="${id}" checked />`
    : html`<input type="checkbox" name="component" value="${id}" />`;

/** One sentence, and what is to be done then. */
export const askedView = (
  { texts }: PageWords,
  sentence: string | null,
  title: string = texts.news.asked,
): Html =>
  html`<h1 class="overall">${title}</h1>
    ${sentence === null ? null : html`<p class="advice">${sentence}</p>`}`;

/** Who gets news, and of what. */
interface ShownSubscription {
  /** Null: the key that sealed it is not there. */
  readonly address: string | null;
  /** Null: all of the page. */
  readonly chosen: readonly number[] | null;
}

/** Who gets news of what from now on, where that is changed and ended, and the way back to the page. */
export const confirmedView = (
  model: PageModel,
  words: PageWords,
  place: PagePlace,
  { token, ...subscription }: ShownSubscription & { readonly token: string },
): Html => {
  const { news } = words.texts;
  const hrefOf = (path: string): string => localePath(place, words.locale, model.definition, path);
  return html`<h1 class="overall">${news.confirmed}</h1>
    ${subscriptionFacts(model, words, subscription)}
    <p class="advice">${news.confirmedAbout}</p>
    <p><a href="${hrefOf(`/manage/${token}`)}">${news.manage}</a></p>
    <p><a href="${hrefOf(`/unsubscribe/${token}`)}">${news.leave}</a></p>
    <p><a href="${hrefOf("")}">${news.openPage}</a></p>`;
};

/** Components that are gone are left out; if all are, nothing is said of them. */
function subscriptionFacts(
  model: PageModel,
  { texts }: PageWords,
  { address, chosen }: ShownSubscription,
): Html {
  const { news, colon } = texts;
  const all = componentsOf(model).map(({ facts }) => facts);
  const names = all.filter(({ id }) => chosen?.includes(id) === true).map(({ name }) => name);
  const said = chosen === null ? texts.whole : names.join(", ");
  return html`${address === null ? null : html`<p>${news.address}${colon}<strong>${address}</strong></p>`}
  ${said === "" ? null : html`<p>${texts.components}${colon}${said}</p>`}`;
}

/** What is confirmed by the button: a reader may have subscribed at another address, or by another form. */
export const confirmView = (
  model: PageModel,
  words: PageWords,
  subscription: ShownSubscription,
): Html => {
  const { confirmTitle, confirm } = words.texts.news;
  return buttonView(confirmTitle, confirm, subscriptionFacts(model, words, subscription));
};

/** How a reader who left subscribes again: at the same address, which the link shows is theirs. */
interface Again {
  readonly masked: string;
  readonly action: string;
  readonly token: string;
}

/** Whoever left gets no more, and may have done so by mistake. `again` null: the page sends no mail. */
export const leftView = (words: PageWords, again: Again | null): Html => {
  const { news } = words.texts;
  return html`<h1 class="overall">${news.left}</h1>
    <p class="advice">${news.leftAbout}</p>
    ${
      again === null
        ? null
        : html`<form class="enter" method="post" action="${again.action}">
            ${maskedLine(words, again.masked)}
            <input type="hidden" name="${linkField}" value="${again.token}" />
            <button type="submit">${news.again}</button>
          </form>`
    }`;
};

/** The field of the link by which a reader subscribes again. */
export const linkField = "link";

/** Mails are forwarded with their links: whoever opens one reads no whole address. Null: it is not known, or not a mail's. */
export const maskedLine = (
  { texts: { news, colon } }: PageWords,
  masked: string | null,
): Html | null =>
  masked === null ? null : html`<p>${news.address}${colon}<strong>${masked}</strong></p>`;

/** A question with one button, which posts to the page that it stands on. */
export const buttonView = (title: string, button: string, said: Html | null): Html =>
  html`<h1 class="overall">${title}</h1>
    ${said}
    <form class="enter" method="post"><button type="submit">${button}</button></form>`;

interface ManageView {
  readonly masked: string | null;
  readonly chosen: readonly number[];
  readonly leaveHref: string;
  readonly isSaved: boolean;
}

export const manageView = (
  model: PageModel,
  words: PageWords,
  { masked, chosen, leaveHref, isSaved }: ManageView,
): Html => {
  const { news } = words.texts;
  const fields = choice(model, words, chosen);
  return html`<h1 class="overall">${news.manageTitle}</h1>
    ${isSaved ? html`<p class="advice" role="status">${news.saved}</p>` : null}
    ${maskedLine(words, masked)}
    ${
      fields === null
        ? null
        : html`<form class="enter news" method="post">
            ${fields}<button type="submit">${news.save}</button>
          </form>`
    }
    <p><a href="${leaveHref}">${news.leave}</a></p>`;
};
