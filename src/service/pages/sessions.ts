import { createHash, randomBytes } from "node:crypto";
import * as limits from "#limits/pages-limits";
import { isPassword, OperatorsPassword } from "#service/pages/password";
import type { PageRooms } from "#service/pages/page-rooms";
import type { Reader } from "#service/pages/page-frame";
import { Refusal } from "#service/call-refusal";
import type { ApiKey } from "#service/keys";
import { after } from "#units";

/** A signed-in reader, and what ties a form to its session. */
export interface Session {
  readonly reader: Extract<Reader, { kind: "signed in" }>;
  readonly id: string;
}

/**
 * Who has signed in. Everything about a session is sealed into its cookie, so that every replica knows it and a restart
 * ends none; a key that is revoked or a password that is changed does.
 */
export class Sessions {
  readonly #rooms: Pick<PageRooms, "box" | "keys" | "store" | "clock">;
  readonly #password: OperatorsPassword;

  constructor(rooms: Pick<PageRooms, "box" | "keys" | "store" | "clock">) {
    this.#rooms = rooms;
    this.#password = new OperatorsPassword(rooms.store);
  }

  /** What the cookie of a new session holds; null where this is neither an API key nor the password. */
  async signIn(secret: string): Promise<string | null> {
    const key = await this.#keyOf(secret);
    if (key !== null) return this.#sealed(`key ${key.id}`);
    const stored = await this.#password.kept();
    if (stored === undefined || !(await isPassword(secret, stored))) return null;
    return this.#sealed(`password ${markOf(stored)}`);
  }

  /** Null for a cookie that is not ours, too old, or of a key or password that holds no more. */
  async open(cookie: string): Promise<Session | null> {
    const [by = "", mark = "", until = "", id = ""] =
      this.#rooms.box.open(cookie, purpose)?.split(" ") ?? [];
    if (!(Number(until) > this.#rooms.clock.wall())) return null;
    const who = by === "key" ? await this.#keyWithId(mark) : await this.#passwordWith(mark);
    if (who === null) return null;
    return { id, reader: { kind: "signed in", ...who, formToken: this.formToken(id) } };
  }

  /** Another one at each call, so that a compressed page does not give it away. */
  formToken(id: string): string {
    return this.#rooms.box.seal(id, formPurpose);
  }

  isFormToken(token: string, id: string): boolean {
    return this.#rooms.box.open(token, formPurpose) === id;
  }

  #sealed(who: string): string {
    const until = after(this.#rooms.clock.wall(), limits.sessionLength);
    const id = randomBytes(16).toString("base64url");
    return this.#rooms.box.seal(`${who} ${until} ${id}`, purpose);
  }

  async #keyOf(secret: string): Promise<ApiKey | null> {
    return this.#rooms.keys.authenticate(secret).catch(nullIfRefused);
  }

  async #keyWithId(id: string): Promise<ReaderName | null> {
    const key = await this.#rooms.keys.get(id).catch(nullIfRefused);
    return key === null ? null : { name: key.name, scope: key.scope };
  }

  async #passwordWith(mark: string): Promise<ReaderName | null> {
    const stored = await this.#password.kept();
    return stored !== undefined && markOf(stored) === mark
      ? { name: "password", scope: "write" }
      : null;
  }
}

type ReaderName = Pick<Session["reader"], "name" | "scope">;

const purpose = "session";
const formPurpose = "form";

/** Another one as soon as the password is set again, also to the same. */
const markOf = (stored: string): string =>
  createHash("sha256").update(stored).digest("base64url").slice(0, 16);

function nullIfRefused(error: unknown): null {
  if (error instanceof Refusal) return null;
  throw error;
}

/** The value of a cookie in a request's header; null where it has none of the name. */
export function cookieIn(header: string | undefined, name: string): string | null {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
}

export const sessionCookie = "picket-session";

/** HttpOnly: no script reads it. Strict: no other site's link or form sends it. */
export const cookieText = (value: string, isSecure: boolean): string =>
  `${sessionCookie}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${
    value === "" ? 0 : limits.sessionLength / 1000
  }${isSecure ? "; Secure" : ""}`;
