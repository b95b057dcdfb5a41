import { formIn } from "#service/edge/posted-form";
import { isFromElsewhere, isSecure } from "#service/edge/request-facts";
import type { Tries } from "#service/edge/tries";
import { isMailAddress, type PageReaders } from "#service/status-site/news/page-readers";
import { askedView, buttonView } from "#service/status-site/news/news-views";
import {
  type Admission,
  type PageGate,
  pageCookie,
  type Session,
} from "#service/status-site/page-gate";
import type { PageRoute } from "#service/status-site/page-path";
import { type PageAnswer, lineAnswer, seeOther } from "#service/edge/page-answer";
import { cookieText } from "#web/cookie";
import { sendReply } from "#service/status-site/page-reply";
import {
  localeOf,
  pathWithin,
  withoutPassword,
  sendReadersPage,
  type Visit,
  wordsOf,
} from "#service/status-site/page-visit";
import { type EntryFault, enterPage } from "#service/status-site/view/enter-page";
import type { PageTexts } from "#service/status-page/texts/page-text-list";

interface DeskRooms {
  readonly gate: PageGate;
  readonly tries: Tries;
  readonly readers: PageReaders;
}
type SignInRoute = Extract<PageRoute, { readonly kind: "sign-in" }>;

/** Lets readers in: by a password, or by a mail to an address of the page's domains. */
export class EntryDesk {
  readonly #rooms: DeskRooms;

  constructor(rooms: DeskRooms) {
    this.#rooms = rooms;
  }

  async answer(visit: Visit<SignInRoute>): Promise<void> {
    const { page, place, route, request, response } = visit;
    switch (page.facts.definition.access) {
      case "password":
        if (route.token === null && request.method === "POST") return this.enter(visit, null);
        break;
      case "email-domain":
        if (route.token !== null) return this.#byLink(visit, route.token);
        if (request.method === "POST") return this.#askLink(visit);
        break;
      case "public":
      case "ip-restriction":
    }
    sendReply(request, response, seeOther(`${place.base}/`));
  }

  /** A posted password, or one in the address, which is taken once and led away from. */
  async enter(visit: Visit, given: string | null): Promise<void> {
    const { gate, tries } = this.#rooms;
    const { page, place, url, request, response } = visit;
    const form = given === null ? await formIn(request) : null;
    if (given === null && (form === null || isFromElsewhere(request)))
      return sendReply(request, response, notOurs);
    const wanted = form?.get("next") ?? withoutPassword(url);
    if (!tries.take(gate.addressOf(request), String(page.id)))
      return this.refuse(visit, "password", "tries", 429);
    const session = gate.entered(page, given ?? form?.get("password") ?? "");
    if (session === null) return this.refuse(visit, "password", "wrong", 403);
    this.#letIn(visit, session, pathWithin(wanted, place));
  }

  #letIn({ page, place, request, response }: Visit, { value, length }: Session, next: string) {
    const cookie = { ...pageCookie(page.id, place), value, sameSite: "Lax", length } as const;
    const text = cookieText(cookie, isSecure(request));
    sendReply(request, response, seeOther(next, { "set-cookie": text }));
  }

  /** The same answer for every address. */
  async #askLink(visit: Visit): Promise<void> {
    const { gate, readers } = this.#rooms;
    const { page, place, request, response } = visit;
    const form = await formIn(request);
    if (form === null || isFromElsewhere(request)) return sendReply(request, response, notOurs);
    if (place.mails === null) return this.refuse(visit, "mail", null, 403);
    const address = form.get("email") ?? "";
    if (!isMailAddress(address)) return this.refuse(visit, "mail", "address", 400);
    const { definition } = page.facts;
    const asker = { page: page.id, definition, address, locale: localeOf(visit) };
    const next = pathWithin(form.get("next") ?? "", place);
    const answer = await readers.askEntry({ ...asker, reader: gate.addressOf(request) }, next);
    if (answer === "too often") return this.refuse(visit, "mail", "asks", 429);
    const words = wordsOf(visit);
    this.#show(visit, words.texts.news.asked, askedView(words, words.texts.news.entryAsked), 200);
  }

  /** Programs that look at mail open links, too: only the button uses one up. */
  async #byLink(visit: Visit, token: string): Promise<void> {
    const { gate } = this.#rooms;
    const { page, place, request, response } = visit;
    const words = wordsOf(visit);
    const { news }: PageTexts = words.texts;
    if (request.method !== "POST") {
      if (!gate.isEntry(page, token)) return this.#over(visit);
      const view = buttonView(news.entryTitle, news.enter, null);
      return this.#show(visit, news.entryTitle, view, 200);
    }
    if (isFromElsewhere(request)) return sendReply(request, response, notOurs);
    const entered = await gate.enteredByMail(page, token);
    if (entered === null) return this.#over(visit);
    this.#letIn(visit, entered, pathWithin(entered.next, place));
  }

  #over(visit: Visit): void {
    const { linkOver } = wordsOf(visit).texts.news;
    this.#show(visit, linkOver, askedView(wordsOf(visit), null, linkOver), 410);
  }

  #show(visit: Visit, title: string, content: ReturnType<typeof askedView>, status: number): void {
    sendReadersPage(visit, wordsOf(visit), { status, title, content, isOpen: false, path: "" });
  }

  /** A browser gets a page, a program a line. */
  refuse(
    visit: Visit,
    admission: Exclude<Admission, "open">,
    fault: EntryFault | null,
    status: number,
  ): void {
    const { place, route, url, request, response } = visit;
    if (route.kind === "document" || route.kind === "badge" || route.kind === "embed")
      return sendReply(request, response, lineAnswer(status, "This status page is not public."));
    const next = pathWithin(withoutPassword(url), place);
    const words = wordsOf(visit);
    const content = enterPage({ words, place, admission, fault, next });
    const { title } = visit.page.facts.definition;
    sendReadersPage(visit, words, { status, title, content, isOpen: false, path: "" });
  }
}

export const notOurs: PageAnswer = lineAnswer(403, "This form is not ours.");
