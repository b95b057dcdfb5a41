import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Logger } from "#base/log";
import type { Block } from "#network/address-block";
import { isThisMachine, type ListenAddress } from "#network/listen-address";
import { type AnsweredHost, answeredHost } from "#web/answered-host";
import { lineAnswer, type PageAnswer, seeOther } from "#service/edge/page-answer";
import { deletedPage } from "#service/operator/changes/gone-page";
import type { EpochMillis } from "#base/units";
import { isSave } from "#service/operator/forms/is-save";
import type { PageRooms } from "#service/operator/page-rooms";
import { auditedAs, type PageContext } from "#service/operator/page-request";
import {
  assetAnswer,
  formAnswer,
  isPagePath,
  pageAnswer,
  takesFiles,
} from "#service/operator/page-routes";
import { isTooLong, sentIn } from "#service/edge/posted-form";
import { sendPage } from "#service/edge/send-page";
import {
  asksForPage,
  faultAnswer,
  faultPage,
  isBareFault,
  notOurs,
  tooLong,
} from "#service/operator/fault-page";
import { withoutRenewal } from "#service/operator/page-frame";
import { type SeenRequest, stranger } from "#service/operator/reader";
import { isFromElsewhere, isOfOurPage, isSecure } from "#service/edge/request-facts";
import { KeptForms } from "#service/operator/kept-forms";
import { readersAddress } from "#web/reader-address";
import { sessionsPath } from "#service/operator/settings/session-views";
import {
  noSession,
  type SignedInReader,
  sessionCookie,
  sessionCookieText,
  Sessions,
} from "#service/operator/sessions";
import { choicesIn } from "#service/operator/lists/browser-choices";
import { serviceAddress } from "#service/operator/service-address";
import { SignIn } from "#service/operator/sign-in-answers";
import { signInFor, strangerAnswer } from "#service/operator/sign-in-view";
import { actingAs } from "#service/store/audit/actor";
import { localReader, withOwnZone } from "#service/operator/zones/zone-cookie";
import { insteadOfNothing, type LostAnswer } from "#service/operator/publishing/drafts/draft-page";
import { themedPage, themeIn } from "#service/operator/settings/theme";
import { zonedPage } from "#service/operator/zones/zoned-page";
import { isClientGone } from "#web/client-gone";
import { cookieIn } from "#web/cookie";

/** Who may see the pages: whoever signs in, or whoever is on this machine and calls it by a name that is answered. */
export type PageAccess =
  | { readonly kind: "signed in" }
  | { readonly kind: "local"; readonly answered: AnsweredHost };

interface PageOptions extends ListenAddress {
  readonly pages?: PageAccess["kind"];
  readonly trustedProxies?: readonly Block[];
}

interface PageListeners {
  /** Answers requests for the operator's pages, and leaves every other one to `otherwise`. */
  readonly before: (otherwise: RequestListener) => RequestListener;
  /** Answers a person who opened an address at which there is nothing, or a draft; false for a program. */
  readonly lost: LostAnswer;
}

export function operatorPages(
  rooms: PageRooms & Pick<PageContext, "pictures">,
  wanted: PageOptions,
  log: Logger,
): PageListeners {
  const { trustedProxies = [] } = wanted;
  const pages = new OperatorPages(rooms, { access: accessTo(wanted), trustedProxies }, log);
  return {
    before: (otherwise) => (request, response) => {
      const url = urlOf(request);
      if (url === null || !pages.has(url.pathname)) otherwise(request, response);
      else void pages.answer(request, response, url).finally(() => rooms.pictures.renew());
    },
    lost: (...asked) => pages.lost(...asked),
  };
}

const urlOf = ({ url = "/" }: IncomingMessage): URL | null =>
  URL.parse(`http://service.invalid${url}`);

/** Without signing in only at an address that no other machine can reach. */
const accessTo = ({ pages, ...listen }: PageOptions): PageAccess =>
  pages === "local" && isThisMachine(listen.host)
    ? { kind: "local", answered: answeredHost(listen, []) }
    : { kind: "signed in" };

interface PageSurroundings {
  readonly access: PageAccess;
  readonly trustedProxies: readonly Block[];
}

class OperatorPages {
  readonly #access: PageAccess;
  readonly #trustedProxies: readonly Block[];
  readonly #log: Logger;
  readonly #context: PageContext;
  readonly #sessions: Sessions;
  readonly #signIn: SignIn;
  /** Who sent a request and what is in its form, as far as that is known. */
  readonly #seen = new WeakMap<IncomingMessage, SeenRequest>();
  readonly #kept: KeptForms;
  /** What ties forms to this database if no one signs in: one that was opened before a restart is taken after it. */
  readonly #localId: string;

  constructor(
    rooms: PageRooms & Pick<PageContext, "pictures">,
    { access, trustedProxies }: PageSurroundings,
    log: Logger,
  ) {
    this.#access = access;
    this.#trustedProxies = trustedProxies;
    this.#log = log;
    this.#context = { rooms, pictures: rooms.pictures };
    this.#sessions = new Sessions(rooms);
    this.#kept = new KeptForms(rooms);
    this.#localId = rooms.box.keyFor("forms if no one signs in");
    this.#signIn = new SignIn(rooms, this.#sessions, trustedProxies, log);
  }

  has(pathname: string): boolean {
    if (pathname === "/sign-out" || this.#signIn.has(pathname))
      return this.#access.kind === "signed in";
    return isPagePath(pathname) || assetAnswer(pathname) !== null;
  }

  async answer(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const left = new AbortController();
    response.once("close", () => left.abort());
    try {
      const answer = await this.#answerTo(request, url, left.signal);
      await this.#send(request, response, await this.#forPeople(request, url, answer));
    } catch (error) {
      if (isClientGone(request)) return void response.destroy();
      await this.#forPeople(request, url, faultAnswer(error, url, this.#log))
        .then((answer) => this.#send(request, response, answer))
        .catch(() => response.destroy());
    }
  }

  /** The navigation stays for whoever is signed in; of a draft, no one else learns anything. */
  readonly lost: LostAnswer = async (request, response, draft) => {
    if (request.method !== "GET" || !asksForPage(request.headers)) return false;
    const url = this.#isAnswered(request) ? urlOf(request) : null;
    // A database that is away is no reason to say anything else of this address.
    const session = url === null ? null : await this.#sessionOf(request, url).catch(() => null);
    const reader = session?.reader ?? stranger.reader;
    const page = await insteadOfNothing(this.#context.rooms, reader, draft);
    if (page === null) return false;
    if (session !== null) this.#seen.set(request, { reader, form: null });
    await this.#send(request, response, page);
    return true;
  };

  async #send(
    request: IncomingMessage,
    response: ServerResponse,
    answer: PageAnswer,
  ): Promise<void> {
    const { openIncidents } = this.#context.pictures;
    const seen = this.#seen.get(request);
    const said = seen === undefined ? answer : await openIncidents.saidIn(answer);
    const zoned = zonedPage(said, seen?.reader ?? stranger.reader, this.#now());
    const page = themedPage(zoned, themeIn(request));
    await sendPage(request, response, request.method === "POST" ? withoutRenewal(page) : page);
  }

  /** A program gets a line that says why something was not done; a person gets a page, with what they typed. */
  async #forPeople(
    request: IncomingMessage,
    { pathname }: URL,
    answer: PageAnswer,
  ): Promise<PageAnswer> {
    if (!isBareFault(answer) || !asksForPage(request.headers)) return answer;
    const { reader, form } = this.#seen.get(request) ?? stranger;
    const typed = form === null ? null : { action: pathname, form };
    const isGone = answer.status === 404 && request.method === "GET" && reader.kind !== "stranger";
    const gone = isGone ? await deletedPage(this.#context, pathname, reader, this.#log) : null;
    return gone ?? faultPage({ answer, reader, at: this.#now(), typed });
  }

  #now(): EpochMillis {
    return this.#context.rooms.clock.wall();
  }

  /** Of pages that need no signing in: only by a name of this machine. */
  #isAnswered({ headers }: IncomingMessage): boolean {
    return this.#access.kind !== "local" || this.#access.answered(headers.host ?? "");
  }

  async #answerTo(request: IncomingMessage, url: URL, signal: AbortSignal): Promise<PageAnswer> {
    if (!this.#isAnswered(request))
      return lineAnswer(403, "These pages do not answer to that host name: use the address.");
    const { method } = request;
    if (method !== "GET" && method !== "HEAD" && method !== "POST")
      return lineAnswer(405, "Only GET, HEAD and POST are answered here.", {
        allow: "GET, HEAD, POST",
      });
    const asset = assetAnswer(url.pathname);
    if (asset !== null) return asset;
    const session = await this.#sessionOf(request, url);
    if (this.#signIn.has(url.pathname))
      return this.#signIn.answer({ request, url, isSignedIn: session !== null, signal });
    if (session === null)
      return (await this.#keptFor(request, url)) ?? strangerAnswer(request, url);
    this.#seen.set(request, { reader: session.reader, form: null });
    const from = readersAddress(request, this.#trustedProxies);
    const actor = { ...auditedAs(session.reader), from, at: this.#now() };
    if (method === "POST")
      return isTooLong(request)
        ? tooLong
        : actingAs(actor, () => this.#act(request, url, session, signal));
    if (asksForPage(request.headers)) this.#context.pictures.openIncidents.ask();
    const { pathname, searchParams: query } = url;
    const address = serviceAddress(request, this.#context.rooms.publicAddress.url);
    const asked = { query, reader: session.reader, address, ...choicesIn(request) };
    return actingAs(actor, () => pageAnswer(this.#context, pathname, asked));
  }

  /** Null for a stranger. */
  async #sessionOf(request: IncomingMessage, { pathname }: URL): Promise<SignedInReader | null> {
    if (this.#access.kind === "local") {
      const formToken = this.#sessions.formToken(this.#localId, localWho);
      return { id: this.#localId, until: null, reader: localReader(formToken, request) };
    }
    const cookie = cookieIn(request.headers.cookie, sessionCookie, isSecure(request));
    const session = cookie === null ? null : await this.#sessions.open(cookie);
    if (session === null) return null;
    const userAgent = request.headers["user-agent"] ?? "";
    const visit = { address: readersAddress(request, this.#trustedProxies), userAgent };
    const noted = this.#sessions.note(session, visit);
    // No other page waits for that.
    if (pathname === sessionsPath) await noted;
    return { ...session, reader: withOwnZone(session.reader, request) };
  }

  async #act(
    request: IncomingMessage,
    { pathname }: URL,
    { id, until, reader }: SignedInReader,
    signal: AbortSignal,
  ): Promise<PageAnswer> {
    const { form, files } = await sentIn(request, takesFiles(pathname));
    if (form !== null && isOfOurPage(request)) this.#seen.set(request, { reader, form });
    const sender = form === null ? null : this.#sessions.senderOf(form.get("form") ?? "");
    if (form === null || sender === null || isFromElsewhere(request)) return notOurs;
    if (sender.id !== id) {
      // What was typed in an earlier session of the same person is sent when they say so in this one.
      const isTheirs = reader.kind === "signed in" && sender.who === reader.who;
      const kept = isTheirs ? await this.#kept.keep(sender.who, pathname, { form, files }) : null;
      return kept === null ? notOurs : seeOther(kept);
    }
    if (pathname === "/sign-out") {
      if (until !== null && reader.kind === "signed in")
        await this.#sessions.end({ id, until }, reader);
      return seeOther("/sign-in?signed-out", {
        "set-cookie": sessionCookieText(noSession, isSecure(request)),
      });
    }
    const sent = await this.#kept.sentBy({ path: pathname, form }, reader);
    if (sent === null) return seeOther(pathname);
    return formAnswer(this.#context, sent.path, {
      form: sent.form,
      files,
      reader,
      theme: themeIn(request),
      signal,
      wantsPage: asksForPage(request.headers),
      isSecure: isSecure(request),
      address: serviceAddress(request, this.#context.rooms.publicAddress.url),
    }).finally(() => {
      // What only shows a form again comes with each pause of a person who types, and changes nothing.
      if (isSave(sent.form)) this.#context.pictures.outdate();
    });
  }

  /** A form whose session has ended waits for its sender to sign in; null for everything else. */
  async #keptFor(request: IncomingMessage, { pathname }: URL): Promise<PageAnswer | null> {
    if (request.method !== "POST" || !(request.headers.accept ?? "").includes("text/html"))
      return null;
    const { form, files } = await sentIn(request, takesFiles(pathname));
    const sender = form === null ? null : this.#sessions.senderOf(form.get("form") ?? "");
    if (form === null || sender === null || isFromElsewhere(request)) return null;
    if (pathname === "/sign-out") return seeOther("/sign-in?signed-out");
    const kept = await this.#kept.keep(sender.who, pathname, { form, files });
    return kept === null ? null : seeOther(signInFor(kept));
  }
}

const localWho = "a person on this machine";
