import { html, type Html } from "#web/page/html";
import type { Mistake } from "#check/findings";
import { noticeLine } from "#service/operator/form-notice";
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

export interface PersonPage extends ShownAnswer {
  readonly mistakes: readonly Mistake[];
  readonly person: AccountRow;
  readonly passkeys: readonly PasskeyRow[];
  readonly typed: { readonly name: string; readonly role: Role; readonly access: "yes" | "no" };
}

/** One account: who it is of, what they may do, and what an owner can do with it. */
export function personView(page: PersonPage): Html {
  const { person } = page;
  return html`<p class="back"><a href="${peoplePath}">People</a></p>
    <h1 class="page">${person.name}</h1>
    ${noticeLine(page.notice)} ${offeredCard(page.offered)}
    ${settingPart({
      id: "who",
      title: "What they may do",
      says: "A change counts at once, also in their open sessions.",
      content: html`<dl class="profile">
          ${fact("E-mail address", html`${person.email}`)} ${fact("State", stateWords(person))}
          ${fact("Last seen", seenWords(person))}
        </dl>
        ${accountForm(page)}`,
    })}
    ${acts(page).map((act) =>
      settingPart({
        id: act.path.replaceAll("/", "-"),
        title: act.words,
        says: act.says,
        content: actView(person, act),
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

/** What an owner can do with an account: each leads to a page that says what happens then. */
interface Act {
  readonly path: string;
  readonly words: string;
  readonly says: string;
}

const acts = ({ person: { sealed, joinedAt }, passkeys }: PersonPage): readonly Act[] => [
  joinedAt === null
    ? { path: "link", words: "Create a new link", says: "The link before ends." }
    : {
        path: "link",
        words: "Reset the password",
        says: "The password and all sessions end, and you get a link with which they choose another.",
      },
  ...(sealed === ""
    ? []
    : [
        {
          path: "factor/remove",
          words: "Remove the app for codes",
          says: "E.g. after a lost telephone.",
        },
      ]),
  ...passkeys.map((one) => ({
    path: `passkeys/${one.id}/remove`,
    words: `Remove the passkey ${one.name}`,
    says: "E.g. after a lost device.",
  })),
  {
    path: "sessions/end",
    words: "End all sessions",
    says: "They have to sign in again everywhere.",
  },
];

const actView = ({ id, name }: AccountRow, { path, words }: Act): Html =>
  html`<a class="button" href="${peoplePath}/${id}/${path}" aria-label="${words} of ${name}…"
    >${words}…</a
  >`;
