import { breakable } from "#web/page/breakable";
import { html, type Html } from "#web/page/html";
import { grouped } from "#web/page/format";
import { minuteOf, weekdayMinuteOf } from "#web/page/moment";
import type { Mistake } from "#check/findings";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/pages-limits";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { listHead, mainAct } from "#service/operator/lists/list-head";
import type { KnownReader } from "#service/operator/page-request";
import { capital } from "#base/text";
import { roleWords } from "#service/operator/roles";
import { hasAccount } from "#service/operator/settings/own-account";
import { mayOwnAccount, signedInSentence } from "#service/operator/settings/signed-in-line";
import { shownOnce } from "#service/operator/settings/settings-page";
import { settingPart } from "#service/operator/settings/setting-part";
import { type SmallField, smallForm } from "#service/operator/settings/small-form";
import { hasFactor } from "#service/people/second-factors";
import { stateOf } from "#service/people/people";
import type { LinkMailing } from "#service/people/link-mail";
import { type AccountRow, type Role, roles } from "#service/store/people-store";

/** A link that this answer alone shows, and what became of its mail. */
export interface OfferedAddress {
  readonly person: AccountRow;
  readonly link: string;
  /** Whether whoever reads it is to open the link. */
  readonly isOwn: boolean;
  readonly mail: LinkMailing;
}

export interface ShownAnswer {
  readonly reader: KnownReader;
  readonly offered: OfferedAddress | null;
  readonly notice: FormNotice | null;
}

export interface PeoplePage extends ShownAnswer {
  readonly people: readonly AccountRow[];
  /** The host of the identity provider, if people sign in with one. */
  readonly provider: string | null;
}

export interface InvitePage {
  /** Whether they make an account for themselves. */
  readonly isOwn: boolean;
  readonly reader: KnownReader;
  readonly mistakes: readonly Mistake[];
  readonly typed: { readonly name: string; readonly email: string; readonly role: Role };
}

export const peoplePath = "/settings/people";

export const peopleView = (page: PeoplePage): Html =>
  html`${listHead({
    title: "People",
    count: countWords(page.people.length),
    sentence: "Each has a role, which says what they may do here.",
    acts: mainAct(`${peoplePath}/new`, "Invite a person"),
  })}
  ${hasAccount(page.reader) ? null : html`<p class="words">${signedInSentence(page.reader)}</p>`}
  ${ownAccountAct(page)}
  ${page.provider === null ? null : html`<p class="words">People of ${page.provider} are not listed here: the settings of the service say which role they have.</p>`}
  ${noticeLine(page.notice)} ${offeredCard(page.offered)}
  ${page.people.length === 0 ? null : peopleTable(page)} ${roleList}`;

/** As in the first steps: whoever came by a key or the one password is the first to have an account. */
function ownAccountAct({ people, reader }: PeoplePage): Html | null {
  const hasOwner = people.some(({ role, disabledAt }) => role === "owner" && disabledAt === null);
  return hasOwner || !mayOwnAccount(reader)
    ? null
    : html`<p><a class="button" href="${peoplePath}/new?${ownField}=1">Create your account</a></p>`;
}

/** What an owner chooses from when they invite. */
const roleList: Html = settingPart({
  id: "roles",
  title: "What each role may do",
  says: "Each role may do what those above it may, too.",
  content: html`<dl class="profile">
    ${roles.map(
      (role) =>
        html`<div>
          <dt>${capital(role)}</dt>
          <dd>${capital(roleWords[role])}</dd>
        </div>`,
    )}
  </dl>`,
});

/** The field that says that they make an account for themselves. */
export const ownField = "self";

export const inviteTitle = (isOwn: boolean): string =>
  isOwn ? "Create your account" : "Invite a person";

/** The form for another person, or for an own account. */
export const inviteView = (page: InvitePage): Html => {
  const { isOwn } = page;
  return html`<p class="back"><a href="${peoplePath}">People</a></p>
    <h1 class="page">${inviteTitle(isOwn)}</h1>
    ${settingPart({
      id: "who",
      title: isOwn ? "Who you are" : "Who they are",
      says: isOwn
        ? "You sign in with your e-mail address and a password that you choose."
        : "They sign in with their e-mail address and a password that they choose. You can change their role later.",
      content: inviteForm(page),
    })}`;
};

const inviteForm = ({ reader, isOwn, mistakes, typed }: InvitePage): Html =>
  smallForm({
    action: peoplePath,
    reader,
    legend: null,
    isMain: true,
    mistakes,
    button: isOwn ? "Create your account" : "Invite",
    cancel: peoplePath,
    hidden: isOwn ? { [ownField]: "1" } : {},
    begins: "name",
    fields: [
      nameField(typed.name),
      {
        name: "email",
        label: "E-mail address",
        help: isOwn
          ? "You sign in with it. The next page has a link by which you choose a password."
          : "They sign in with it. You get a link with which they choose a password.",
        input: {
          is: "email",
          value: typed.email,
          charsMax: limits.personNameCharsMax,
          isRequired: true,
        },
      },
      roleField(typed.role),
    ],
  });

function countWords(people: number): string {
  if (people === 0) return "No account yet";
  return people === 1 ? "1 account" : `${grouped(people)} accounts`;
}

export const nameField = (value: string): SmallField => ({
  name: "name",
  label: "Name",
  help: "",
  input: { is: "text", value, charsMax: checkLimits.nameCharsMax, isRequired: true },
});

export const roleField = (value: Role): SmallField => ({
  name: "role",
  label: "Role",
  help: "",
  input: {
    is: "cards",
    value,
    choices: roles.map((role) => [role, capital(role), `May ${roleWords[role]}.`]),
  },
});

/** In the order in which a person asks: was it mailed, else what to do; then the link, and how long it is good. */
export function offeredCard(offered: OfferedAddress | null): Html | null {
  if (offered === null) return null;
  const { person, link, isOwn, mail } = offered;
  if (isOwn)
    return html`<div class="card first-link" role="status">
      <p>Open this link in this browser to set your password. ${untilWords(person)}</p>
      <p><a class="button main" href="${link}">Set your password</a></p>
      ${ownMailLine(person, mail)}
    </div>`;
  const isInvited = person.joinedAt === null;
  const another = isInvited ? "Create a new link" : "Reset the password";
  return shownOnce(
    mail.is === "sent" ? "The same link, if the mail does not arrive" : "The link",
    link,
    html`${untilWords(person)} Copy it before you leave this page: the service keeps no copy.
      “${another}” on <a href="/settings/people/${person.id}">the page of ${person.name}</a> makes
      another one, and ends this one.`,
    html`<strong
        >${isInvited ? `${person.name} is invited` : `${person.name} needs a new password`}.</strong
      >
      ${mailWords(person, mail)}`,
  );
}

/** `It works once, until Thu 3 Dec, 14:00 UTC.` */
const untilWords = ({ linkUntil }: AccountRow): Html =>
  linkUntil === null
    ? html`It works once.`
    : html`It works once, until ${weekdayMinuteOf(linkUntil)}.`;

function mailWords({ name, email }: AccountRow, mail: LinkMailing): Html {
  switch (mail.is) {
    case "not set":
      return html`No mail was sent to ${email}, because the service has no
      ${
        mail.missing === "mail server"
          ? html`mail server (<a href="/settings/mail">Settings → Mail</a>)`
          : html`public address (<a href="/settings/service">Settings → Service</a>)`
      }.
      Send ${name} the link yourself.`;
    case "sent":
      return html`The link to choose a password was mailed to ${mail.to}: you need to do nothing
      more.`;
    case "failed":
      return html`No mail was sent to ${email}: ${mail.why}. Send ${name} the link yourself.`;
  }
}

/** Whoever is there to press the button needs no mail: one that cannot be sent is said only if it failed. */
function ownMailLine({ email }: AccountRow, mail: LinkMailing): Html | null {
  switch (mail.is) {
    case "not set":
      return null;
    case "sent":
      return html`<p class="help">The same link was mailed to ${mail.to}.</p>`;
    case "failed":
      return html`<p class="help">No mail with it was sent to ${email}: ${mail.why}.</p>`;
  }
}

const peopleTable = ({ people }: PeoplePage): Html =>
  html`<div class="wide" tabindex="0" role="region" aria-label="People">
    <table class="settled">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">E-mail address</th>
          <th scope="col">Role</th>
          <th scope="col">State</th>
          <th scope="col">Second factor</th>
          <th scope="col">Last seen</th>
        </tr>
      </thead>
      <tbody>
        ${people.map(
          (one) =>
            html`<tr>
              <th scope="row"><a href="/settings/people/${one.id}">${one.name}</a></th>
              <td data-label="E-mail address" class="long">${breakable(one.email)}</td>
              <td data-label="Role">${one.role}</td>
              <td data-label="State">${stateWords(one)}</td>
              <td data-label="Second factor">${hasFactor(one) ? "on" : "off"}</td>
              <td data-label="Last seen">${seenWords(one)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;

export const seenWords = ({ seenAt }: AccountRow): Html =>
  seenAt === null ? html`never` : minuteOf(seenAt);

export const stateWords = (one: AccountRow): Html => {
  const state = stateOf(one);
  const { linkUntil } = one;
  if (state === "disabled" || linkUntil === null) return html`${state}`;
  return html`${state === "active" ? "has a link for a new password" : state}, until
  ${minuteOf(linkUntil)}`;
};
