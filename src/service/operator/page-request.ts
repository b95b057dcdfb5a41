import { htmlAnswer, type PageAnswer } from "#service/edge/page-answer";
import type { PostedFile } from "#service/edge/posted-form";
import { pageFrame, type PageFrame } from "#service/operator/page-frame";
import type { Reader } from "#service/operator/reader";
import type { PageRooms } from "#service/operator/page-rooms";
import {
  changesPath,
  kindWords,
  subjectOfDocument,
} from "#service/operator/changes/changed-objects";
import { html, type Html } from "#web/page/html";
import { may } from "#service/operator/roles";
import type { ListView } from "#service/operator/lists/list-view";
import type { Theme } from "#service/operator/settings/theme";
import type { Actor } from "#service/store/audit/actor";
import type { Role } from "#service/store/people-store";
import type { Pictures } from "#service/operator/pictures";
import { version } from "#base/version";
import { ownPath } from "#web/own-path";

/** One kind of page: what its addresses look like, and what it says. `id` and `json` are groups of the path. */
export interface OperatorPage {
  /** Who may see it at least. */
  readonly role: Role;
  readonly path: RegExp;
  readonly answer: (context: PageContext, request: PageRequest) => Promise<PageAnswer>;
}

/** One form: where it is sent, and what it does. Only a person with its role comes here, by a form of ours. */
export interface OperatorForm {
  /** Who may send it at least. */
  readonly role: Role;
  readonly path: RegExp;
  readonly act: (context: PageContext, request: FormRequest) => Promise<PageAnswer>;
  /** Whether it may come with files: all others are sent as plain fields. */
  readonly takesFiles?: true;
}

/** What pages are made of. */
export interface PageContext {
  readonly rooms: PageRooms;
  readonly pictures: Pictures;
}

/** A request for a page by a person who may read. */
export interface PageRequest {
  /** Of what it shows; empty if the address has none. */
  readonly id: string;
  /** Of what is part of that; empty if the address has none. */
  readonly part: string;
  /** Whether the same for programs is wanted. */
  readonly isDocument: boolean;
  readonly query: URLSearchParams;
  readonly reader: KnownReader;
  /** The one that was chosen in this browser. */
  readonly theme: Theme | null;
  /** How high the lines of the overview are in this browser; null or nothing if that was never chosen. */
  readonly listView?: ListView | null;
  /** The service's own, for other machines: without a slash at its end. */
  readonly address: string;
}

/** A form as it was sent. */
export interface FormRequest {
  readonly id: string;
  /** Of what stands on that; empty if the address has none. */
  readonly part: string;
  readonly form: URLSearchParams;
  /** By the names of their fields. */
  readonly files: ReadonlyMap<string, PostedFile>;
  readonly reader: KnownReader;
  /** The one that was chosen in this browser. */
  readonly theme: Theme | null;
  /** The service's own, for other machines: without a slash at its end. */
  readonly address: string;
  /** Ends when the reader goes away. */
  readonly signal: AbortSignal;
  /** Whether a browser sent it, which shows a page to a person. */
  readonly wantsPage: boolean;
  /** Whether it came over TLS: a cookie has another name then. */
  readonly isSecure: boolean;
}

export type KnownReader = Exclude<Reader, { kind: "stranger" }>;

/** Whether a reader may make and change things; `may` says it of other roles. */
export const mayChange = (reader: KnownReader): boolean => may(reader, "editor");

/** Who did something by a form, in words: no one takes a key for a person. */
export function actorOf(reader: KnownReader): string {
  if (reader.kind === "local") return "a person on this machine";
  return reader.who.startsWith("key ") ? `the key “${reader.name}”` : reader.name;
}

/** The same for the audit log. */
export const auditedAs = (reader: KnownReader): Pick<Actor, "kind" | "name"> =>
  reader.kind === "local" ? { kind: "person", name: actorOf(reader) } : auditedName(reader);

/** Whoever signed in with a key does what the key may, and is called as it is in calls. */
export function auditedName({
  who,
  name,
}: {
  readonly who: string;
  readonly name: string;
}): Pick<Actor, "kind" | "name"> {
  const key = /^key (\d+)$/.exec(who)?.[1];
  return key === undefined ? { kind: "person", name } : { kind: "key", name: `${key} (${name})` };
}

/** Empty for someone who needs none. */
export const sessionOf = (reader: KnownReader): string =>
  reader.kind === "local" ? "" : reader.session;

/** A whole page around its content. */
export const framed = (
  { reader }: Pick<PageRequest, "reader">,
  frame: Omit<PageFrame, "reader" | "version">,
  status = 200,
): PageAnswer =>
  htmlAnswer(
    pageFrame({
      ...frame,
      content: html`${frame.content}${changesOf(frame.document)}`,
      reader,
      version: version(),
    }),
    status,
  );

/** Each object's page leads to who changed it. */
function changesOf(document: string | null): Html | null {
  const subject = document === null ? null : subjectOfDocument(document);
  if (subject === null) return null;
  return html`<p class="quiet">
    <a href="${changesPath(subject)}">Audit log of this ${kindWords[subject.kind]}</a>
  </p>`;
}

/** Where a form leads back to, and what it says there. */
export const withNotice = (path: string, notice: string): string =>
  `${path}${path.includes("?") ? "&" : "?"}notice=${notice}`;

/** What became of a form, by the word in the page's address; null if none was sent. */
export const noticeIn = (
  query: URLSearchParams,
  notices: Readonly<Record<string, string>>,
): string | null =>
  Object.entries(notices).find(([word]) => word === query.get("notice"))?.[1] ?? null;

/** What a button says that leads where a person came from: all forms that come back do so to the first steps. */
export const nextWords = (next: string): string =>
  isFromSteps(next) ? "Back to first steps" : "Continue";

const isFromSteps = (next: string): boolean => /^\/start(?:\?|$)/.test(next);

/** Where a form leads back to: the list of what it makes, or the first steps if the person came from there. */
export const backOf = (next: string, list: BackLink): BackLink =>
  isFromSteps(next) ? { path: "/start", words: "First steps" } : list;

interface BackLink {
  readonly path: string;
  readonly words: string;
}

/** Where a person wanted to go, if that is a path of ours, else the overview: no one is ever sent elsewhere. */
export const wantedPath = (next: string | null): string => {
  const own = ownPath(next ?? "");
  return own === null ? "/" : `${own.pathname}${own.search}`;
};
