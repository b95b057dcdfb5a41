import { html, type Html } from "#web/page/html";
import { mainAct } from "#service/operator/lists/list-head";
import type { KnownReader } from "#service/operator/page-request";
import { may } from "#service/operator/roles";
import type { AccountRow } from "#service/store/people-store";

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

/** Whether they came by a key or the one password, and may make themselves an account. */
export const mayOwnAccount = (reader: KnownReader): boolean =>
  reader.kind !== "local" &&
  may(reader, "owner") &&
  (reader.who === "password" || reader.who.startsWith("key "));

/**
 * How someone gets an account here; nothing for people of an identity provider, who have one there. `waiting` is one that they
 * created and that has no password yet.
 */
export function accountOffer(reader: KnownReader, waiting: AccountRow | null): Html | null {
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
  if (waiting !== null) return waitingWords(waiting);
  return html`<p class="words">
      With an account you have your own name, password and second factor.
    </p>
    <p>${mainAct("/settings/people/new?self=1", "Create your account")}</p>`;
}

/** Whether it is theirs or someone else's is not known. */
const waitingWords = ({ id, name, email }: AccountRow): Html =>
  html`<p class="words">
      You created the account <strong>${name}</strong> (${email}), which waits for its password. If
      it is yours, open the link that you got with it and choose a password: then you sign in with
      it. If you no longer have the link, its page makes a new one.
    </p>
    <p>
      ${mainAct(`/settings/people/${id}`, "Open the account")}
      <a class="button" href="/settings/people/new?self=1">Create another account</a>
    </p>`;
