import { html, type Html } from "#web/page/html";

/** The identity provider, if there is one: `url` leads to it. */
interface ProviderLink {
  readonly host: string;
  readonly url: string;
}

/** What the page says of the last try. */
export type SignInSaying =
  | { readonly kind: "nothing" }
  | { readonly kind: "signed out" }
  | { readonly kind: "fault"; readonly fault: string };

/** Where a person proves who they are. `next` is where they wanted to go. */
export const signInView = (
  next: string,
  provider: ProviderLink | null,
  saying: SignInSaying,
): Html =>
  html`<h1 class="target">Sign in</h1>
    ${said(saying, provider)}
    ${provider === null ? null : html`<p><a class="button" href="${provider.url}">Sign in with ${provider.host}</a></p>`}
    <form class="sign-in" method="post" action="/sign-in">
      <input type="hidden" name="next" value="${next}" />
      <input name="username" type="text" autocomplete="username" value="operator" hidden />
      <label for="secret">API key or password</label>
      <input
        id="secret"
        name="secret"
        type="password"
        autocomplete="current-password"
        required
        ${provider === null ? html`autofocus` : null}
      />
      <button type="submit">Sign in</button>
    </form>
    <p class="advice">
      The machine of the service makes both:
      <code>picket service key create --name NAME --scope read</code> prints a key,
      <code>picket service password</code> sets the password.
    </p>`;

function said(saying: SignInSaying, provider: ProviderLink | null): Html | null {
  switch (saying.kind) {
    case "nothing":
      return null;
    case "fault":
      return html`<p class="doubt" role="alert">${saying.fault}</p>`;
    case "signed out":
      return html`<p class="advice" role="status">
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
