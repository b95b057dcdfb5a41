import { html, type Html } from "#web/page/html";
import { may } from "#service/operator/roles";
import type { KnownReader, PageRequest } from "#service/operator/page-request";
import type { AccountRow } from "#service/store/people-store";
import type { PublicAddress } from "#service/edge/public-address";

interface OptionalFacts {
  readonly hasFile: boolean;
  readonly people: readonly AccountRow[];
  /** An owner's account that the reader created and that has no password yet; null: there is none. */
  readonly waiting: AccountRow | null;
}

/** What can wait until the steps are done; nothing of it is needed for a message. */
export function optionalSteps(
  { linkUrl }: Pick<PublicAddress, "linkUrl">,
  { reader, address }: Pick<PageRequest, "reader" | "address">,
  { hasFile, people, waiting }: OptionalFacts,
): Html | null {
  const rows = [
    people.some(isOwner) ? null : accountRow(reader, waiting),
    linkUrl === null ? addressRow(reader, address) : null,
    hasFile ? fileRow : null,
  ].filter((row) => row !== null);
  if (rows.length === 0) return null;
  return html`<section aria-labelledby="optional">
    <h2 id="optional">Optional</h2>
    <ul class="watched optional-steps">
      ${rows}
    </ul>
  </section>`;
}

/** An owner who has an account needs no other, though they use a key now. */
const isOwner = ({ role, joinedAt, disabledAt }: AccountRow): boolean =>
  role === "owner" && joinedAt !== null && disabledAt === null;

/** Whoever signed in by a key or the one password has no account; people of an identity provider have one there. */
function accountRow(reader: KnownReader, waiting: AccountRow | null): Html | null {
  if (reader.kind === "local" || !may(reader, "owner")) return null;
  const isKey = reader.who.startsWith("key ");
  if (!isKey && reader.who !== "password") return null;
  if (waiting !== null) return waitingRow(waiting);
  return html`<li>
    <h3>Your account</h3>
    <p class="words">
      You are signed in with ${isKey ? "an API key" : "the password of the service"}. An account has
      your name, a password and a second factor.
    </p>
    <a class="button" href="/settings/people/new?self=1">Create your account</a>
  </li>`;
}

/** The account is there: what is missing is its password. */
const waitingRow = ({ id, name, email }: AccountRow): Html =>
  html`<li>
    <h3>Your account</h3>
    <p class="words">
      The account <strong>${name}</strong> (${email}) waits for its password. Open the link that you
      got, and choose a password. If you no longer have the link, make a new one on the account’s
      page.
    </p>
    <a class="button" href="/settings/people/${id}">Open the account</a>
  </li>`;

/** Until messages have links: how they get them, by the address that is in use. */
function addressRow(reader: KnownReader, address: string): Html {
  const words =
    "Messages have no links yet: the service does not know by which address people open it.";
  if (!may(reader, "owner"))
    return html`<li>
      <h3>Links in messages</h3>
      <p class="words">${words} An owner can say it in <em>Settings → Service</em>.</p>
    </li>`;
  return html`<li>
    <h3>Links in messages</h3>
    <p class="words">${words} <a href="/settings/service">Give another address</a></p>
    <form method="post" action="/settings/service">
      <input type="hidden" name="form" value="${reader.formToken}" />
      <input type="hidden" name="next" value="/start" />
      <input type="hidden" name="address" value="${address}" />
      <button type="submit">Use ${address}</button>
    </form>
  </li>`;
}

const fileRow = html`<li>
  <h3>All of it from a file</h3>
  <p class="words">
    Write monitors into a file and run
    <code>picket apply -f monitors.yaml --location NAME</code>.
  </p>
</li>`;
