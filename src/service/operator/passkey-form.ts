import { html, type Html } from "#web/page/html";
import { scriptTag } from "#service/operator/script-tag";
import type { PasskeyChallenge } from "#service/people/passkeys";

interface PasskeyForm {
  readonly action: string;
  /** Whether the browser makes a passkey, or uses one. */
  readonly does: "make" | "use";
  readonly challenge: PasskeyChallenge;
  readonly hidden: Readonly<Record<string, string>>;
  readonly button: string;
  readonly isMain: boolean;
  /** What a person without scripts can do. */
  readonly without: string;
}

/** A form that a script of ours sends with what the browser signed. */
export const passkeyForm = (form: PasskeyForm): Html =>
  html`<form
      method="post"
      action="${form.action}"
      class="sign-in"
      data-passkey="${form.does}"
      data-options="${form.challenge.options}"
    >
      ${Object.entries(form.hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <input type="hidden" name="asked" value="${form.challenge.sealed}" />
      <input type="hidden" name="answer" value="" />
      <button type="submit" class="${form.isMain ? "main" : ""}">${form.button}</button>
      <p class="notice bad" role="alert" data-says hidden></p>
      <noscript><p class="words">A passkey needs scripts. ${form.without}</p></noscript>
    </form>
    ${scriptTag("passkey")}`;
