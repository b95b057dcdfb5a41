import { html, type Html } from "#page/html";

/** Where a person proves who they are. `next` is where they wanted to go. */
export const signInView = (next: string, fault: string | null): Html =>
  html`<h1 class="target">Sign in</h1>
    ${fault === null ? null : html`<p class="doubt" role="alert">${fault}</p>`}
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
        autofocus
      />
      <button type="submit">Sign in</button>
    </form>
    <p class="advice">
      The machine of the service makes both:
      <code>picket service key create --name NAME --scope read</code> prints a key,
      <code>picket service password</code> sets the password.
    </p>`;

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
