import { html, type Html } from "#web/page/html";
import { formIn } from "#service/edge/posted-form";
import { isFromElsewhere } from "#service/edge/request-facts";
import { notOurs } from "#service/status-site/entry-desk";
import { isMailAddress, type PageReaders } from "#service/status-site/news/page-readers";
import {
  askedView,
  buttonView,
  confirmedView,
  confirmView,
  leftView,
  linkField,
  manageView,
  maskedLine,
  subscribeView,
} from "#service/status-site/news/news-views";
import type { PageGate } from "#service/status-site/page-gate";
import type { PageRoute } from "#service/status-site/page-path";
import { refusal, sendReply } from "#service/status-site/page-reply";
import { localeOf, sendReadersPage, type Visit, wordsOf } from "#service/status-site/page-visit";
import { localePath } from "#service/status-site/view/status-frame";
import { componentsOf } from "#service/status-page/page-model";
import { isActive, type SubscriberRow } from "#service/store/subscriber-store";

type NewsRoute = Extract<PageRoute, { readonly kind: "news" }>;
type NewsVisit = Visit<NewsRoute>;

/** Where readers subscribe to a page's news, confirm it, change it and end it. */
export class NewsDesk {
  readonly #readers: PageReaders;
  readonly #gate: PageGate;

  constructor({ readers, gate }: { readonly readers: PageReaders; readonly gate: PageGate }) {
    this.#readers = readers;
    this.#gate = gate;
  }

  async answer(visit: NewsVisit): Promise<void> {
    const { route, place, request, response } = visit;
    const isPost = request.method === "POST";
    switch (route.act) {
      case "subscribe":
        if (place.mails === null) return sendReply(request, response, refusal(404));
        return isPost ? this.#subscribe(visit) : this.#showForm(visit, null, 200);
      case "verify":
        return isPost ? this.#confirm(visit) : this.#askToConfirm(visit);
      case "manage":
        return this.#manage(visit, isPost);
      case "unsubscribe":
        return this.#leave(visit, isPost);
    }
  }

  #showForm(visit: NewsVisit, fault: string | null, status: number): void {
    const words = wordsOf(visit);
    const view = subscribeView(visit.page.model, words, visit.place, { fault, isPreview: false });
    this.#show(visit, words.texts.news.subscribe, view, status);
  }

  /** The same answer for every address. */
  async #subscribe(visit: NewsVisit): Promise<void> {
    const { page, request, response } = visit;
    const { news } = wordsOf(visit).texts;
    const form = await formIn(request);
    if (form === null || isFromElsewhere(request)) return sendReply(request, response, notOurs);
    const link = form.get(linkField);
    const { address, chosen } =
      link === null
        ? { address: form.get("email") ?? "", chosen: chosenIn(form, visit) }
        : await this.#before(visit, link);
    if (address === null) return this.#over(visit);
    if (!isMailAddress(address)) return this.#showForm(visit, news.notAnAddress, 400);
    const { definition } = page.facts;
    const reader = this.#gate.addressOf(request);
    const asker = { page: page.id, definition, address, locale: localeOf(visit), reader };
    const answer = await this.#readers.ask(asker, chosen);
    if (answer === "too often") return this.#showForm(visit, news.tooManyAsks, 429);
    if (answer === "full") return this.#showForm(visit, news.full, 503);
    this.#show(visit, news.asked, askedView(wordsOf(visit), news.askedAbout), 200);
  }

  /** The subscription that a link ended, which is asked for again; no address if the link is not one of the page. */
  async #before({ page }: NewsVisit, token: string) {
    const row = await this.#readers.owned(page.id, token);
    if (row === null) return { address: null, chosen: null };
    return { address: this.#readers.addressOf(row), chosen: row.components };
  }

  /** Programs that look at mail open links, too: only the button confirms. */
  async #askToConfirm(visit: NewsVisit): Promise<void> {
    const { news } = wordsOf(visit).texts;
    const awaited = await this.#readers.awaited(visit.page.id, visit.route.token);
    if (awaited === "over") return this.#over(visit);
    if (isActive(awaited) && awaited.askedAt === null) return this.#confirmed(visit, awaited);
    const view = confirmView(visit.page.model, wordsOf(visit), this.#subscription(awaited));
    this.#show(visit, news.confirmTitle, view, 200);
  }

  async #confirm(visit: NewsVisit): Promise<void> {
    const { page, route } = visit;
    const row = await this.#readers.awaited(page.id, route.token);
    if (row === "over" || !(await this.#readers.confirm(page.id, route.token)))
      return this.#over(visit);
    this.#confirmed(visit, row);
  }

  #confirmed(visit: NewsVisit, row: SubscriberRow): void {
    const words = wordsOf(visit);
    const { page, place } = visit;
    const token = this.#readers.links.own(row);
    const view = confirmedView(page.model, words, place, { ...this.#subscription(row), token });
    this.#show(subscribed(visit), words.texts.news.confirmed, view, 200);
  }

  #subscription(row: SubscriberRow) {
    return { address: this.#readers.addressOf(row), chosen: row.components };
  }

  async #manage(visit: NewsVisit, isPost: boolean): Promise<void> {
    const { page, place, route, request, response } = visit;
    const row = await this.#readers.owned(page.id, route.token);
    if (row === null || !isActive(row)) return this.#over(visit);
    const words = wordsOf(visit);
    const form = isPost ? await formIn(request) : null;
    if (isPost && (form === null || isFromElsewhere(request)))
      return sendReply(request, response, notOurs);
    const components = form === null ? row.components : chosenIn(form, visit);
    if (form !== null && !(await this.#readers.choose(row.id, components)))
      return this.#over(visit);
    const leave = `/unsubscribe/${route.token}`;
    const view = manageView(page.model, words, {
      masked: this.#readers.maskedOf(row),
      chosen: components ?? [],
      leaveHref: localePath(place, words.locale, page.facts.definition, leave),
      isSaved: form !== null,
    });
    this.#show(subscribed(visit), words.texts.news.manageTitle, view, 200);
  }

  /** RFC 8058: any POST to the link ends it, whatever its body says and without anything else. */
  async #leave(visit: NewsVisit, isPost: boolean): Promise<void> {
    const words = wordsOf(visit);
    const { news } = words.texts;
    const row = await this.#readers.owned(visit.page.id, visit.route.token);
    if (row === null) return this.#over(visit);
    if (isPost) await this.#readers.leaveByLink(row);
    if (isPost || (await this.#readers.hasLeft(row)))
      return this.#show(visit, news.left, leftView(words, this.#again(visit, row)), 200);
    const question = html`<p class="advice">${news.leaveQuestion}</p>
      ${maskedLine(words, this.#readers.maskedOf(row))}`;
    const view = buttonView(news.leave, news.leave, question);
    this.#show(subscribed(visit), news.leave, view, 200);
  }

  /** Null if the page sends no mail, or the row has no address. */
  #again(visit: NewsVisit, row: SubscriberRow) {
    const { place, page, route } = visit;
    const masked = this.#readers.maskedOf(row);
    if (place.mails === null || masked === null) return null;
    const action = localePath(place, localeOf(visit), page.facts.definition, "/subscribe");
    return { masked, action, token: route.token };
  }

  #over(visit: NewsVisit): void {
    const { linkOver } = wordsOf(visit).texts.news;
    this.#show(visit, linkOver, askedView(wordsOf(visit), null, linkOver), 410);
  }

  #show(visit: NewsVisit, title: string, content: Html, status: number): void {
    const { act, token } = visit.route;
    const path = `/${act}${token === "" ? "" : `/${token}`}`;
    const isOpen = visit.page.facts.definition.access === "public";
    sendReadersPage(visit, wordsOf(visit), { status, title, content, isOpen, path });
  }
}

/** Whoever gets news already is not offered to subscribe again. */
const subscribed = (visit: NewsVisit): NewsVisit => ({
  ...visit,
  place: { ...visit.place, mails: null },
});

/** Null: all of the page. */
function chosenIn(form: URLSearchParams, { page }: Visit): readonly number[] | null {
  const given = new Set(form.getAll("component"));
  const known = componentsOf(page.model).map(({ facts }) => facts.id);
  const chosen = known.filter((id) => given.has(String(id)));
  return chosen.length === 0 ? null : chosen;
}
