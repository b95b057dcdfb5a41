import type { IncomingMessage } from "node:http";
import type { Logger } from "#base/log";
import { capital } from "#base/text";
import { Refusal } from "#service/edge/call-refusal";
import { StoreFault } from "#service/store/store-fault";
import { html, type Html } from "#web/page/html";
import { version } from "#base/version";
import type { EpochMillis } from "#base/units";
import { lineAnswer, type PageAnswer } from "#service/edge/page-answer";
import { keptFields, type TypedForm } from "#service/operator/kept-fields";
import { pageFrame } from "#service/operator/page-frame";
import type { Reader } from "#service/operator/reader";

interface FaultPage {
  /** What a program gets: one line. */
  readonly answer: PageAnswer;
  readonly reader: Reader;
  readonly at: EpochMillis;
  /** A form that was not taken; null of a page that was asked for. */
  readonly typed: TypedForm | null;
}

/** Why something was not done or shown, as a page for people: what happened, and what they can do next. */
export function faultPage({ answer, reader, at, typed }: FaultPage): PageAnswer {
  const { status } = answer;
  const token = reader.kind === "stranger" || !mayBeSentAgain(status) ? null : reader.formToken;
  const isKept = token !== null && typed !== null;
  const { heading, isTried } = faultWords(status, isKept);
  const retried = isTried && typed === null;
  const content = html`<h1 class="target">${heading}</h1>
    <p class="why">${isKept && status === 403 ? tooOld : linked(answer.body.trim())}</p>
    ${retried ? html`<p class="advice">This page tries again by itself every five seconds.</p>` : null}
    ${typed === null ? null : keptFields(typed, token)} ${ways(status, reader)}`;
  const page = pageFrame({
    title: `${heading} · Picket`,
    section: null,
    document: null,
    at,
    version: version(),
    reader,
    content,
  });
  const headers = retried ? { ...answer.headers, refresh: "5" } : answer.headers;
  return { ...answer, type: "text/html; charset=utf-8", body: page, headers };
}

/** Whether an answer is a line that a person would see alone in an empty window. */
export const isBareFault = ({ status, type }: PageAnswer): boolean =>
  status >= 400 && type.startsWith("text/plain");

interface FaultWords {
  readonly heading: string;
  /** Whether it may be over in a moment. */
  readonly isTried: boolean;
}

function faultWords(status: number, isKept: boolean): FaultWords {
  if (status === 403 && isKept) return { heading: "This form was too old", isTried: false };
  const heading = headings.get(status);
  if (heading !== undefined) return { heading, isTried: status === 503 };
  return { heading: status >= 500 ? "Something went wrong" : "This was not done", isTried: false };
}

/** Because its token was too old, or the service could not do it then. What is refused for what it says stays so. */
const mayBeSentAgain = (status: number): boolean => status === 403 || status >= 500;

const tooOld = html`The page was opened before the service got another database or key file. Nothing
was changed yet.`;

const headings: ReadonlyMap<number, string> = new Map([
  [401, "You are signed out"],
  [403, "This is not allowed"],
  [404, "Not found"],
  [405, "This address cannot be opened"],
  [429, "Too many tries"],
  [503, "Not available right now"],
]);

/** A path of ours in a sentence leads there. */
function linked(sentence: string): Html {
  const [before = "", path] = sentence.split(/(?<=^|\s)(\/[\w/-]*)(?=[\s.,:]|$)/);
  if (path === undefined) return html`${sentence}`;
  const rest = sentence.slice(before.length + path.length);
  return html`${before}<a href="${path}">${path}</a>${rest}`;
}

const ways = (status: number, { kind }: Reader): Html | null => {
  if (status === 401) return html`<p><a class="button" href="/sign-in">Sign in</a></p>`;
  const words = kind === "stranger" ? "Go to the start page" : "All monitors";
  return html`${status === 404 && kind !== "stranger" ? search : null}
    <p><a class="button" href="/">${words}</a></p>`;
};

/** What a person looked for may be there at another address. */
const search = html`<form role="search" action="/" method="get" class="filter">
  <label class="search"
    >Search monitors by name, target or label <input name="text" type="search" required
  /></label>
  <button type="submit">Search</button>
</form>`;

/** For a person who opened an address at which there is nothing. */
export const lostPage = (reader: Reader, at: EpochMillis): PageAnswer =>
  faultPage({
    answer: lineAnswer(404, "There is nothing at this address."),
    reader,
    at,
    typed: null,
  });

/** Whether a browser asks, which shows a page to a person. */
export const asksForPage = ({ accept = "" }: IncomingMessage["headers"]): boolean =>
  accept.includes("text/html");

export const tooLong: PageAnswer = lineAnswer(
  413,
  "This form says more than one form may, and nothing was saved. Choose fewer, or use picket apply.",
);

export const notOurs: PageAnswer = lineAnswer(
  403,
  "This form is not ours, or too old: load the page again.",
);

/** What a program gets if a page throws: one line. What is a fault of ours is logged. */
export function faultAnswer(error: unknown, { pathname }: URL, log: Logger): PageAnswer {
  if (error instanceof Refusal && error.code === "not_found")
    return lineAnswer(404, "There is nothing here. All monitors are listed at /");
  if (error instanceof Refusal) return lineAnswer(400, `${sentenceOf(error)}.`);
  const fields = { "url.path": pathname, "error.message": String(error) };
  if (error instanceof StoreFault) {
    log.error("the database cannot be used: a page was not shown", fields);
    return lineAnswer(503, "The database cannot be used just now: try again.", {
      "retry-after": "1",
    });
  }
  log.error("a page was not shown, by a fault of the service", fields);
  return lineAnswer(500, "This is a bug in Picket: its log says more.");
}

/** A refusal that stands alone; the name of a field, with which one may begin, keeps its letters. */
const sentenceOf = ({ message, headers }: Refusal): string =>
  "error-field" in headers ? message : capital(message);
