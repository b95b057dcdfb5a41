import { html, type Html } from "#web/page/html";
import { mainAct } from "#service/operator/lists/list-head";
import type { KnownReader } from "#service/operator/page-request";
import { may } from "#service/operator/roles";

/** Who reads a page without an account, in a sentence. */
export function signedInSentence(reader: KnownReader): string {
  if (reader.kind === "local")
    return "At this address no one signs in: whoever is on this machine may do everything.";
  if (reader.who.startsWith("key "))
    return `You are signed in with the API key “${reader.name}”, which has no password and no second factor.`;
  if (reader.who === "password")
    return "You are signed in with the one password of this service: picket service password changes it.";
  return `You are signed in as ${reader.name} by your identity provider, which keeps your name, your password and your second factor.`;
}

/** How someone gets an account here; nothing for people of an identity provider, who have one there. */
export function accountOffer(reader: KnownReader): Html | null {
  const isOfProvider =
    reader.kind !== "local" && reader.who !== "password" && !reader.who.startsWith("key ");
  if (isOfProvider) return null;
  if (!may(reader, "owner"))
    return html`<p class="words">
      Ask an owner for an account: it has a password, a second factor and a role.
    </p>`;
  if (reader.kind === "local")
    return html`<p class="words">
        A person with an account has a password, a second factor and a role.
      </p>
      <p>${mainAct("/settings/people/new", "Invite a person")}</p>`;
  return html`<p class="words">
      Make yourself an account to have your own name, password and second factor.
    </p>
    <p>${mainAct("/settings/people/new?self=1", "Make yourself an account")}</p>`;
}
