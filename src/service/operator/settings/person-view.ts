import { html, type Html } from "#web/page/html";
import type { Mistake } from "#check/findings";
import { noticeLine } from "#service/operator/form-notice";
import type { KnownReader } from "#service/operator/page-request";
import {
  nameField,
  offeredCard,
  peoplePath,
  roleField,
  seenWords,
  type ShownAnswer,
  stateWords,
} from "#service/operator/settings/people-views";
import { settingPart } from "#service/operator/settings/setting-part";
import { smallForm } from "#service/operator/settings/small-form";
import type { PasskeyRow } from "#service/store/passkey-store";
import type { AccountRow, Role } from "#service/store/people-store";
import type { EpochMillis } from "#base/units";

export interface PersonPage extends ShownAnswer {
  readonly mistakes: readonly Mistake[];
  readonly person: AccountRow;
  readonly passkeys: readonly PasskeyRow[];
  /** When they were last seen; undefined if they are not signed in. */
  readonly seen: EpochMillis | undefined;
  readonly typed: { readonly name: string; readonly role: Role; readonly access: "yes" | "no" };
}

/** One account: who it is of, what they may do, and what an owner can do with it. */
export function personView(page: PersonPage): Html {
  const { person, seen, reader } = page;
  return html`<p class="back"><a href="${peoplePath}">People</a></p>
    <h1 class="page">${person.name}</h1>
    ${noticeLine(page.notice)} ${offeredCard(page.offered)}
    ${settingPart({
      id: "who",
      title: "What they may do",
      says: "A change counts at once, also in their open sessions.",
      content: html`<dl class="profile">
          ${fact("E-mail address", html`${person.email}`)} ${fact("State", stateWords(person))}
          ${fact("Last seen", seenWords(seen))}
        </dl>
        ${accountForm(page)}`,
    })}
    ${acts(page).map((act) =>
      settingPart({
        id: act.path.replaceAll("/", "-"),
        title: act.words,
        says: act.says,
        content: actView(person, act, reader),
      }),
    )}
    ${settingPart({
      id: "deleting",
      title: "Delete the account",
      says: "What they did stays in the audit log under their name.",
      content: html`<a class="button danger" href="${peoplePath}/${person.id}/delete"
        >Delete the account…</a
      >`,
    })}`;
}

const fact = (name: string, value: Html): Html =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;

const accountForm = ({ person, typed, reader, mistakes }: PersonPage): Html =>
  smallForm({
    action: `${peoplePath}/${person.id}`,
    reader,
    legend: null,
    isMain: true,
    mistakes,
    button: "Save",
    fields: [
      nameField(typed.name),
      roleField(typed.role),
      {
        name: "access",
        label: "May sign in",
        help: "If not, their sessions end at once, and their name stays where they did something.",
        input: {
          is: "choice",
          value: typed.access,
          choices: [
            ["yes", "yes"],
            ["no", "no"],
          ],
        },
      },
    ],
  });

interface Act {
  readonly path: string;
  readonly words: string;
  readonly says: string;
  readonly button: string;
}

const acts = ({ person: { name, sealed, joinedAt }, passkeys }: PersonPage): readonly Act[] => [
  {
    path: "link",
    words: joinedAt === null ? "Create a new link" : "Reset the password",
    says:
      joinedAt === null
        ? "The link before ends."
        : "The password and all sessions end at once. You get a link with which they choose another. A second factor stays on.",
    button: joinedAt === null ? "Make the link" : "Reset it",
  },
  ...(sealed === ""
    ? []
    : [
        {
          path: "factor/remove",
          words: "Remove the app for codes",
          says: `E.g. after a lost telephone. Make sure that it is ${name} who asks you.`,
          button: "Remove it",
        },
      ]),
  ...passkeys.map((one) => ({
    path: `passkeys/${one.id}/remove`,
    words: `Remove the passkey ${one.name}`,
    says: `E.g. after a lost device. Make sure that it is ${name} who asks you.`,
    button: "Remove it",
  })),
  {
    path: "sessions/end",
    words: "End all sessions",
    says: "They have to sign in again everywhere.",
    button: "End them",
  },
];

/** It asks once: what it takes away does not come back. */
const actView = ({ id, name }: AccountRow, act: Act, { formToken }: KnownReader): Html =>
  html`<details class="act sure">
    <summary class="button">${act.words}…</summary>
    <form method="post" action="${peoplePath}/${id}/${act.path}">
      <input type="hidden" name="form" value="${formToken}" />
      <button type="submit" class="danger" aria-label="${act.button}: ${act.words}, ${name}">
        ${act.button}
      </button>
    </form>
  </details>`;
