import { html, type Html } from "#web/page/html";
import { personNameCharsMax } from "#limits/pages-limits";
import { passwordResetFor } from "#limits/sign-in-limits";

export const forgottenPath = "/sign-in/forgotten";

interface ForgottenPage {
  readonly email: string;
  /** What is wrong with what was sent last; null: nothing. */
  readonly fault: string | null;
}

/** Where someone who has forgotten their password asks for a link. */
export const forgottenView = ({ email, fault }: ForgottenPage): Html =>
  html`<h1 class="target">Forgotten password</h1>
    <p class="words">
      Give the e-mail address with which you sign in. You get a mail with a link to choose a new
      password.
    </p>
    ${fault === null ? null : html`<p class="notice bad" role="alert">${fault}</p>`}
    <form class="sign-in" method="post" action="${forgottenPath}">
      <label for="email">E-mail address</label>
      <input
        id="email"
        name="email"
        type="email"
        autocomplete="username"
        value="${email}"
        maxlength="${personNameCharsMax}"
        required
        autofocus
      />
      <button type="submit" class="main">Send the link</button>
      <p class="help"><a href="/sign-in">Back to sign in</a></p>
    </form>`;

/** The same for every address, so that no one learns which have an account. */
export const askedView: Html = html`<h1 class="target">Forgotten password</h1>
  <p class="notice" role="status">
    If an account has this address, a mail with a link is on its way. It is valid for
    ${passwordResetFor / 60_000}&nbsp;minutes.
  </p>
  <div class="sign-in">
    <p class="words">
      Until you use the link, your password stays as it is. If no mail comes, check the spam folder,
      or ask an owner of this service for a link.
    </p>
    <p class="help"><a href="/sign-in">Back to sign in</a></p>
  </div>`;
