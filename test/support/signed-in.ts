import { openPeople } from "#service/people/open-people";
import type { Role } from "#service/store/people-store";
import type { OperatorScene } from "./operator-scene.ts";

export const password = "correct horse battery staple";

/** The cookie that an answer sets. */
export const cookieOf = (response: Response): string =>
  (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";

/** What ties the forms of a page to its session. */
export const formTokenIn = (page: string): string =>
  /name="form" value="([^"]+)"/.exec(page)?.[1] ?? "";

/** A person of the pages, with the cookie of a session. */
export interface SignedIn {
  readonly cookie: string;
  readonly get: (path: string) => Promise<Response>;
  readonly text: (path: string) => Promise<string>;
  /** Sends a form with the token of a page that was just read. */
  readonly send: (path: string, fields?: Record<string, string>) => Promise<Response>;
}

/** Whatever is asked as a browser would. */
interface Asked {
  readonly get: OperatorScene["get"];
  readonly post: (
    path: string,
    fields: Record<string, string>,
    headers?: Record<string, string>,
  ) => Promise<Response>;
}
type AskedScene = Asked & {
  readonly service: { readonly admin: Pick<OperatorScene["service"]["admin"], "createApiKey"> };
};

export function signedIn(
  scene: Asked,
  cookie: string,
  headers: Record<string, string> = {},
): SignedIn {
  const sent = { cookie, ...headers };
  const get = (path: string) => scene.get(path, sent);
  const text = async (path: string) => (await (await get(path)).text()).replaceAll(/\s+/g, " ");
  return {
    cookie,
    get,
    text,
    send: async (path, fields = {}) =>
      scene.post(path, { form: formTokenIn(await text("/settings")), ...fields }, sent),
  };
}

export async function byKey(
  scene: AskedScene,
  scope: "read" | "write",
  name = "ops",
): Promise<SignedIn> {
  const { key: secret } = await scene.service.admin.createApiKey({ name, scope });
  return signedIn(scene, cookieOf(await scene.post("/sign-in", { secret })));
}

/** Makes an account, and chooses the password with its link. */
export async function byAccount(
  scene: OperatorScene,
  email: string,
  role: Role,
  headers: Record<string, string> = {},
): Promise<SignedIn> {
  await using opened = await openPeople(scene.database, scene.clock);
  const name = email.split("@")[0] ?? "";
  const { token } = await opened.people.invite({ name, email, role });
  const joined = await scene.post("/join", { link: token, password }, headers);
  return signedIn(scene, cookieOf(joined), headers);
}
