import { createHash, randomBytes } from "node:crypto";
import * as limits from "#limits/pages-limits";
import { isLikeKey } from "#service/edge/credential";
import { isPassword, OperatorsPassword } from "#service/edge/password";
import type { PageRooms } from "#service/operator/page-rooms";
import type { Reader } from "#service/operator/reader";
import { Refusal } from "#service/edge/call-refusal";
import type { ApiKey } from "#service/edge/keys";
import { browserWords } from "#service/people/browser-words";
import { whoOf } from "#service/people/people";
import type { SignedIn } from "#service/people/sign-in-record";
import { auditedName, type KnownReader } from "#service/operator/page-request";
import { signOutEvents } from "#service/store/audit/session-event";
import { personId } from "#service/store/ids";
import type { AccountRow } from "#service/store/people-store";
import { StoreFault } from "#service/store/store-fault";
import type { OidcProvider, SignedPerson } from "#service/oidc/oidc-provider";
import { roleBy } from "#service/oidc/people-rules";
import { after, between, epochMillis, type EpochMillis, type Millis, millis } from "#base/units";
import { type CookieName, cookieText } from "#web/cookie";

/** A signed-in reader, and what ties a form to its session. */
export interface Session {
  readonly reader: Extract<Reader, { kind: "signed in" }>;
  readonly id: string;
  readonly until: EpochMillis;
}

/** The same of anyone who may read. */
export interface SignedInReader {
  readonly id: Session["id"];
  /** Null if no one signs in. */
  readonly until: Session["until"] | null;
  readonly reader: KnownReader;
}

type SessionRooms = Pick<PageRooms, "box" | "keys" | "store" | "clock" | "oidc" | "signIns">;

/** From where a session is used. */
interface Visit {
  readonly address: string;
  readonly userAgent: string;
}

/** What the cookie of a new session holds, and for how long. */
interface SessionStart {
  readonly cookie: string;
  readonly length: Millis;
}

/** The same, with whose it is. */
interface NewSession extends SessionStart {
  readonly signedIn: SignedIn;
}

/**
 * Who has signed in. Everything about a session is sealed into its cookie, so that every replica knows it and a restart
 * ends none; a key that is revoked, a password that is changed or a rule that is removed does. What was ended
 * stands in the database until the cookie is over: someone may have a copy of it.
 */
export class Sessions {
  readonly #rooms: SessionRooms;
  readonly #password: OperatorsPassword;
  /** When the use of each session was last written down. The oldest comes first. */
  readonly #noted = new Map<string, EpochMillis>();

  constructor(rooms: SessionRooms) {
    this.#rooms = rooms;
    this.#password = new OperatorsPassword(rooms.store);
  }

  /**
   * Null if this is neither an API key nor the password. What looks like a key is never hashed as a password: tries
   * with keys are many more than the hashes that the service has time for.
   */
  async signIn(secret: string): Promise<NewSession | null> {
    const key = await this.#keyOf(secret);
    if (key !== null)
      return {
        ...this.#started(`key ${key.id}`, limits.sessionLength),
        signedIn: signedInAs(keyReader(key)),
      };
    if (isLikeKey(secret)) return null;
    const stored = await this.#password.kept();
    if (stored === undefined || !(await isPassword(secret, stored))) return null;
    return {
      ...this.#started(`password ${markOf(stored)}`, limits.sessionLength),
      signedIn: signedInAs(passwordReader),
    };
  }

  /** For a person whom the identity provider knows and a rule lets in. */
  ofPerson({ name, rule }: SignedPerson, { settings }: OidcProvider): NewSession {
    const mark = [settings.issuer, rule, name].map(encodeURIComponent).join("&");
    return {
      ...this.#started(`person ${mark}`, limits.personSessionLength),
      signedIn: signedInAs({ name, who: personWho(settings.issuer, name) }),
    };
  }

  /** For a person with an account, who has shown the password and the second factor if there is one. */
  ofAccount({ id, password }: AccountRow): SessionStart {
    return this.#started(`account ${id}.${markOf(password)}`, limits.sessionLength);
  }

  /** Null for a cookie that is not ours, too old, of a session that was ended, or of a key or password that holds no more. */
  async open(cookie: string): Promise<Session | null> {
    const [by = "", mark = "", until = "", id = ""] =
      this.#rooms.box.open(cookie, purpose)?.split(" ") ?? [];
    if (!(Number(until) > this.#rooms.clock.wall())) return null;
    const [who, isEnded] = await Promise.all([
      this.#whoIs(by, mark),
      this.#rooms.store.state.endedSessions.has(id),
    ]);
    if (who === null || isEnded) return null;
    const formToken = this.formToken(id, who.who);
    const reader = { kind: "signed in", ...who, session: id, formToken } as const;
    return { id, until: epochMillis(Number(until)), reader };
  }

  /** Writes down where a session was used last, unless it did so a short time ago. */
  async note({ id, until, reader }: Session, { address, userAgent }: Visit): Promise<void> {
    const at = this.#rooms.clock.wall();
    const last = this.#noted.get(id);
    if (last !== undefined && between(last, at) < limits.sessionUseNotedEvery) return;
    this.#noted.delete(id);
    this.#noted.set(id, at);
    const [oldest] = this.#noted.keys();
    if (this.#noted.size > limits.sessionsRememberedMax && oldest !== undefined)
      this.#noted.delete(oldest);
    const { who, name } = reader;
    const session = {
      session: id,
      who,
      name,
      address,
      browser: browserWords(userAgent),
      at,
      until,
    };
    try {
      await this.#rooms.store.people.sessions.note(session);
    } catch (error) {
      this.#noted.delete(id);
      if (!(error instanceof StoreFault)) throw error;
    }
  }

  /** Its cookie opens nothing from now on, in any replica. */
  async end(
    { id, until }: Pick<Session, "id" | "until">,
    { who, name }: Pick<ReaderName, "who" | "name">,
  ): Promise<void> {
    const owner = { who, name };
    await this.#rooms.signIns.ends(
      (isNoted) => this.#rooms.store.state.endedSessions.add(id, until, owner, isNoted),
      (isNew) => signOutEvents(isNew, owner),
    );
  }

  /** Another one at each call, so that a compressed page does not give it away. */
  formToken(id: string, who: string): string {
    return this.#rooms.box.seal(`${id} ${who}`, formPurpose);
  }

  /** Of which session a form is, and whose that was; null if it is no form of ours. */
  senderOf(token: string): FormSender | null {
    const [, id, who] = /^(\S+) (.+)$/s.exec(this.#rooms.box.open(token, formPurpose) ?? "") ?? [];
    return id === undefined || who === undefined ? null : { id, who };
  }

  #started(who: string, length: Millis): SessionStart {
    const until = after(this.#rooms.clock.wall(), length);
    const id = randomBytes(16).toString("base64url");
    return { cookie: this.#rooms.box.seal(`${who} ${until} ${id}`, purpose), length };
  }

  async #whoIs(by: string, mark: string): Promise<ReaderName | null> {
    switch (by) {
      case "key":
        return this.#keyWithId(mark);
      case "password":
        return this.#passwordWith(mark);
      case "account":
        return this.#accountWith(mark);
      case "person":
        return this.#personWith(mark);
      default:
        return null;
    }
  }

  /** A rule, or a provider, that is there no more lets no one in; one that says less lets them do less. */
  #personWith(mark: string): ReaderName | null {
    const [issuer, rule = "", name = ""] = mark.split("&").map(decodeURIComponent);
    const { oidc } = this.#rooms;
    if (oidc === null || oidc.settings.issuer !== issuer) return null;
    const role = roleBy(rule, oidc.settings.rules);
    return role === null ? null : { name, role, who: personWho(issuer, name), timeZone: "" };
  }

  async #accountWith(mark: string): Promise<ReaderName | null> {
    const [id = "", password] = mark.split(".");
    const account = await this.#rooms.store.people.accounts.get(personId(Number(id)));
    if (account === null || account.disabledAt !== null || account.password === "") return null;
    if (markOf(account.password) !== password) return null;
    const { name, role, timeZone } = account;
    return { name, role, who: whoOf(account.id), timeZone };
  }

  async #keyOf(secret: string): Promise<ApiKey | null> {
    return this.#rooms.keys.authenticate(secret).catch(nullIfRefused);
  }

  async #keyWithId(id: string): Promise<ReaderName | null> {
    const key = await this.#rooms.keys.usedWith(id);
    return key === null ? null : keyReader(key);
  }

  async #passwordWith(mark: string): Promise<ReaderName | null> {
    const stored = await this.#password.kept();
    return stored !== undefined && markOf(stored) === mark ? passwordReader : null;
  }
}

/** Who sent a form, as it says itself. */
interface FormSender {
  readonly id: string;
  readonly who: string;
}

type ReaderName = Pick<Session["reader"], "name" | "role" | "who" | "timeZone">;

const keyReader = ({ id, name, scope }: ApiKey): ReaderName => {
  const role = scope === "write" ? "owner" : "reader";
  return { name, role, who: `key ${id}`, timeZone: "" };
};
const passwordReader: ReaderName = {
  name: "password",
  role: "owner",
  who: "password",
  timeZone: "",
};
const personWho = (issuer: string, name: string): string => `person ${issuer} ${name}`;
const signedInAs = ({ who, name }: Pick<ReaderName, "who" | "name">): SignedIn => ({
  who,
  name,
  actor: auditedName({ who, name }),
});

const purpose = "session";
/** What the tokens of forms are sealed for: the id of a session is in each. */
export const formPurpose = "form";

/** Another one as soon as the password is set again, also to the same. */
export const markOf = (stored: string): string =>
  createHash("sha256").update(stored).digest("base64url").slice(0, 16);

function nullIfRefused(error: unknown): null {
  if (error instanceof Refusal) return null;
  throw error;
}

export const sessionCookie: CookieName = { name: "picket-session", path: "/" };

/** Strict: no other site's link or form sends it. */
export const sessionCookieText = ({ cookie, length }: SessionStart, isSecure: boolean): string =>
  cookieText({ ...sessionCookie, value: cookie, sameSite: "Strict", length }, isSecure);

/** Takes the cookie from the browser. */
export const noSession: SessionStart = { cookie: "", length: millis(0) };
