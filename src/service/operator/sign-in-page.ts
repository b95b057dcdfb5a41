import { htmlAnswer, type PageAnswer } from "#service/edge/page-answer";
import type { OidcProvider } from "#service/oidc/oidc-provider";
import { pageFrame } from "#service/operator/page-frame";
import type { PageRooms } from "#service/operator/page-rooms";
import { type SignInSaying, signInView } from "#service/operator/sign-in-view";
import type { PasskeySite } from "#service/people/passkey-site";
import type { Html } from "#web/page/html";
import { version } from "#base/version";

/** Where a person wanted to go, and what the page says of the last try. */
export interface SignInState {
  readonly next: string;
  readonly saying: SignInSaying;
}

/** The page with every way to sign in, and what it says of the last try. */
export async function signInPage(
  rooms: PageRooms,
  { next, saying, site }: SignInState & { readonly site: PasskeySite | null },
  status: number,
): Promise<PageAnswer> {
  const { oidc, people, passkeys, passwordAsks } = rooms;
  const provider = oidc === null ? null : { host: oidc.host, url: startUrl(oidc, next) };
  const accounts = await people.list();
  const hasPasskeys = accounts.some((one) => one.passkeys > 0);
  const passkey = hasPasskeys && site !== null ? passkeys.alone(site) : null;
  const hasPeople = accounts.length > 0;
  const content = signInView({
    next,
    provider,
    saying,
    hasPeople,
    passkey,
    hasResets: passwordAsks.isOffered,
  });
  return strangersPage(rooms, { title: "Sign in", content }, status);
}

/** A page for someone who has not signed in. */
export const strangersPage = (
  { clock }: Pick<PageRooms, "clock">,
  { title, content }: { readonly title: string; readonly content: Html },
  status: number,
): PageAnswer =>
  htmlAnswer(
    pageFrame({
      title: `${title} · Picket`,
      section: null,
      document: null,
      at: clock.wall(),
      version: version(),
      reader: { kind: "stranger" },
      content,
    }),
    status,
  );

export const startPath = "/sign-in/start";

/** At the host to which the provider sends people back, so that the browser keeps its cookie for there. */
const startUrl = ({ settings }: OidcProvider, next: string): string =>
  new URL(`${startPath}?${new URLSearchParams({ next }).toString()}`, settings.callbackUrl).href;

export const tooOften = "Too many tries: wait a minute, then try again.";

export const fault = (words: string): SignInSaying => ({ kind: "fault", fault: words });
