import type { IncomingMessage } from "node:http";
import { html, type Html } from "#web/page/html";
import { forgottenPath } from "#service/operator/forgotten/forgotten-view";
import { passkeyForm } from "#service/operator/passkey-form";
import { withShowButton } from "#service/operator/forms/show-button";
import type { PasskeyChallenge } from "#service/people/passkeys";
import type { Mistake } from "#check/findings";
import * as limits from "#limits/pages-limits";
import { htmlAnswer, lineAnswer, type PageAnswer, seeOther } from "#service/edge/page-answer";
import { asksForPage } from "#service/operator/fault-page";

/** The identity provider, if there is one: `url` leads to it. */
interface ProviderLink {
  readonly host: string;
  readonly url: string;
}

/** What the page says of the last try. */
export type SignInSaying =
  | { readonly kind: "nothing" }
  | { readonly kind: "signed-out" }
  | { readonly kind: "password-changed"; readonly email: string }
  | { readonly kind: "form kept" }
  | {
      readonly kind: "fault";
      readonly fault: string;
      /** The address that was typed with a wrong password. */
      readonly email?: string;
    };

interface SignInPage {
  /** Where the person wanted to go. */
  readonly next: string;
  readonly provider: ProviderLink | null;
  readonly saying: SignInSaying;
  /** Whether anyone has an account of this service. */
  readonly hasPeople: boolean;
  /** Whether a link for a new password can be mailed to whoever has forgotten theirs. */
  readonly hasResets: boolean;
  /** What a passkey signs; null if no one has one, or the address has none. */
  readonly passkey: PasskeyChallenge | null;
}

/** Where a person proves who they are. */
export const signInView = ({
  next,
  provider,
  saying,
  hasPeople,
  hasResets,
  passkey,
}: SignInPage): Html =>
  html`<h1 class="target">Sign in</h1>
    <p class="words">To the monitors, incidents and status pages of this service.</p>
    ${said(saying, provider)}
    ${
      provider === null
        ? null
        : html`<p class="by-provider">
              <a class="button main" href="${provider.url}">Sign in with ${provider.host}</a>
            </p>
            <p class="either">or</p>`
    }
    ${hasPeople ? accountForm(next, saying, { isFirst: provider === null, hasResets }) : null}
    ${
      passkey === null
        ? null
        : passkeyForm({
            action: passkeyPath,
            does: "use",
            challenge: passkey,
            hidden: { next },
            button: "Sign in with a passkey",
            isMain: false,
            without: "Use your password.",
          })
    }
    ${hasPeople ? keyPart(next, saying) : keyForm(next, provider === null)}`;

const accountForm = (
  next: string,
  saying: SignInSaying,
  { isFirst, hasResets }: { readonly isFirst: boolean; readonly hasResets: boolean },
): Html => {
  const email = "email" in saying ? (saying.email ?? "") : "";
  return html`<form class="sign-in" method="post" action="/sign-in">
    <input type="hidden" name="next" value="${next}" />
    <label for="email">E-mail address</label>
    <input
      id="email"
      name="email"
      type="email"
      autocomplete="username"
      value="${email}"
      maxlength="${limits.personNameCharsMax}"
      required
      ${isFirst && email === "" ? html` autofocus` : null}
    />
    <label for="password">Password</label>
    <input
      id="password"
      name="password"
      type="password"
      autocomplete="current-password"
      required
      ${email === "" ? null : html` autofocus`}
    />
    <button type="submit" class="${isFirst ? "main" : ""}">Sign in</button>
    <p class="help">
      ${
        hasResets
          ? html`<a href="${forgottenPath}">Forgotten password?</a>`
          : "Forgotten it? An owner of this service can give you a link for a new one."
      }
    </p>
  </form>`;
};

/** Few need it where people have accounts, so it unfolds: a button as that of a passkey. */
const keyPart = (next: string, saying: SignInSaying): Html =>
  html`<details ${saying.kind === "fault" && saying.email === undefined ? html` open` : null}>
    <summary class="button">Sign in with an API key or the service's password</summary>
    ${keyForm(next, false)}
  </details>`;

const keyForm = (next: string, isFirst: boolean): Html =>
  html`<form class="sign-in" method="post" action="/sign-in">
      <input type="hidden" name="next" value="${next}" />
      <input name="username" type="text" autocomplete="username" value="operator" hidden />
      <label for="secret">API key or password</label>
      <input
        id="secret"
        name="secret"
        type="password"
        autocomplete="current-password"
        required
        ${isFirst ? html` autofocus` : null}
      />
      <button type="submit" class="${isFirst ? "main" : ""}">Sign in</button>
    </form>
    <details class="advice">
      <summary>Where is the key?</summary>
      <p>
        At its first start the service prints a key in its terminal. Its machine makes another by
        <code>picket service key create --name NAME --scope write</code>, and sets the password by
        <code>picket service password</code>.
      </p>
    </details>`;

interface CodePage {
  readonly next: string;
  /** That the password was right, sealed. */
  readonly half: string;
  readonly wrong: string | null;
  /** Null if the person has no passkey for this address. */
  readonly passkey: PasskeyChallenge | null;
  /** Whether the person has an app for codes. */
  readonly hasApp: boolean;
}

export const passkeyPath = "/sign-in/passkey";

/** The second step of a sign-in. */
export const codeView = ({ next, half, wrong, passkey, hasApp }: CodePage): Html =>
  html`<h1 class="target">Second factor</h1>
    ${wrong === null ? null : html`<p class="notice bad" role="alert">${wrong}</p>`}
    ${
      passkey === null
        ? null
        : passkeyForm({
            action: "/sign-in/code",
            does: "use",
            challenge: passkey,
            hidden: { next, half },
            button: "Use a passkey",
            isMain: true,
            without: hasApp ? "Use a code of your app." : "Use a recovery code.",
          })
    }
    <form class="sign-in" method="post" action="/sign-in/code">
      <input type="hidden" name="next" value="${next}" />
      <input type="hidden" name="half" value="${half}" />
      <label for="code">${hasApp ? "Code of your app" : "Recovery code"}</label>
      <input
        id="code"
        name="code"
        autocomplete="one-time-code"
        autocapitalize="none"
        spellcheck="false"
        maxlength="40"
        aria-describedby="code-help"
        required
        ${hasApp || passkey === null ? html` autofocus` : null}
      />
      <p class="help" id="code-help">
        ${hasApp ? "Six digits. Without your telephone, use one of your recovery codes." : "Without your passkey, one of the codes that you kept."}
      </p>
      <button type="submit" class="${passkey === null ? "main" : ""}">Sign in</button>
    </form>`;

interface JoinPage {
  readonly link: string;
  readonly email: string;
  readonly mistakes: readonly Mistake[];
}

/** Where a person chooses a password, by a link. */
export const joinView = ({ link, email, mistakes }: JoinPage): Html =>
  html`<h1 class="target">Choose a password</h1>
    <p>You sign in with <strong>${email}</strong> and this password from now on.</p>
    ${mistakes.map(({ message }) => html`<p class="notice bad" role="alert">The password ${message}.</p>`)}
    <form class="sign-in" method="post" action="/join">
      <input type="hidden" name="link" value="${link}" />
      <input name="username" type="text" autocomplete="username" value="${email}" hidden />
      <label for="password">New password</label>
      ${withShowButton(newPassword, "password")}
      <p class="help" id="password-help">
        At least ${limits.passwordCharsMin} characters, for example four words. A password manager
        makes good ones.
      </p>
      <button type="submit" class="main">Set the password</button>
    </form>`;

const newPassword = html`<input
  id="password"
  name="password"
  type="password"
  autocomplete="new-password"
  aria-describedby="password-help"
  required
  autofocus
/>`;

export const spentLinkView = (hasResets: boolean): Html =>
  html`<h1 class="target">This link has ended</h1>
    <p class="words">It was used already, is too old, or another has replaced it.</p>
    <div class="sign-in">
      <p>
        Ask an owner of this service for a new one. If you have a password,
        <a href="/sign-in">sign in</a>.
        ${hasResets ? html`If you have forgotten it, <a href="${forgottenPath}">ask for a link</a>.` : null}
      </p>
    </div>`;

function said(saying: SignInSaying, provider: ProviderLink | null): Html | null {
  switch (saying.kind) {
    case "nothing":
      return null;
    case "fault":
      return html`<p class="notice bad" role="alert">${saying.fault}</p>`;
    case "form kept":
      return html`<p class="notice" role="status">
        Your session has ended. What you typed is kept for ${limits.keptFormFor / 60_000} minutes:
        sign in to send it.
      </p>`;
    case "password-changed":
      return html`<p class="notice" role="status">Your password is changed. Sign in with it.</p>`;
    case "signed-out":
      return html`<p class="notice" role="status">
        You are signed out
        here.${provider === null ? null : ` You may still be signed in at ${provider.host}.`}
      </p>`;
  }
}

/**
 * A link from elsewhere brings no cookie, because it is for this site only. This page is of this site, so the browser
 * sends it when it asks again.
 */
export const askAgainPage = (path: string): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="refresh" content="0; url=${path}" />
        <title>Picket</title>
      </head>
      <body>
        <p><a href="${path}">Continue</a></p>
      </body>
    </html> `.text;

/** Where a person signs in, and is led back from. */
export const signInFor = (next: string): string =>
  `/sign-in?${new URLSearchParams({ next }).toString()}`;

/** A browser goes to sign in; a program is sent away. */
export function strangerAnswer(request: IncomingMessage, { pathname, search }: URL): PageAnswer {
  const path = `${pathname}${search}`;
  if (request.method === "POST" || !asksForPage(request.headers))
    return lineAnswer(401, "Sign in at /sign-in, or call the API with a key.");
  if (request.headers["sec-fetch-site"] === "cross-site") return htmlAnswer(askAgainPage(path));
  return seeOther(signInFor(path));
}
