import { html, type Html } from "#web/page/html";
import type { Mistake } from "#check/findings";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/pages-limits";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { ownForm } from "#service/operator/form-fields";
import { listHead } from "#service/operator/lists/list-head";
import type { KnownReader } from "#service/operator/page-request";
import { roleWords } from "#service/operator/roles";
import { currentPassword, smallForm } from "#service/operator/settings/small-form";
import { accountOffer, signedInSentence } from "#service/operator/settings/signed-in-line";
import { type Theme, themes } from "#service/operator/settings/theme";
import { zoneChoices } from "#service/operator/zones/zone-choices";
import { hasFactor } from "#service/people/second-factors";
import type { AccountRow } from "#service/store/people-store";
import { capital, counted } from "#base/text";

export interface ProfilePage {
  readonly reader: KnownReader;
  readonly theme: Theme | null;
  /** Null of a reader without an account. */
  readonly account: AccountRow | null;
  readonly codesLeft: number;
  /** At how many places the reader is signed in. */
  readonly sessions: number;
  readonly notice: FormNotice | null;
  readonly mistakes: readonly Mistake[];
  /** Which of the forms the mistakes are in. */
  readonly about: "name" | "password" | "factor";
  /** The name as it was typed; null: that of the account. */
  readonly typedName: string | null;
}

export const profileView = (page: ProfilePage): Html =>
  html`${listHead({
    title: "Profile",
    count: null,
    sentence: "Who you are here, how pages show you times, and how you sign in.",
    acts: null,
  })}
  ${noticeLine(page.notice)} ${whoIs(page)} ${zonePart(page)} ${themePart(page)}
  ${page.account === null ? null : html`${passwordPart(page)} ${appPart(page, page.account)} ${passkeyPart(page.account)}`}
  ${sessionPart(page)}`;

/** A part of the page: what it is for is next to it, and on a narrow screen above. */
const part = (id: string, title: string, says: string | Html, content: Html): Html =>
  html`<section class="card setting" aria-labelledby="${id}">
    <div>
      <h2 id="${id}">${title}</h2>
      <p class="help">${says}</p>
    </div>
    <div>${content}</div>
  </section>`;

const mistakesIn = (page: ProfilePage, form: ProfilePage["about"]): readonly Mistake[] =>
  page.about === form ? page.mistakes : [];

function whoIs(page: ProfilePage): Html {
  const { reader, account } = page;
  const says =
    account === null
      ? `${signedInSentence(reader)}${isByKey(reader) ? " Its name is yours here." : ""}`
      : "Others see your name wherever you do something.";
  const facts =
    reader.kind === "local"
      ? null
      : html`<dl class="profile">
          ${account === null ? fact("Name", reader.name) : fact("E-mail address", account.email)}
          ${fact("Role", `${reader.role}: may ${roleWords[reader.role]}`)}
        </dl>`;
  const form = account === null ? accountOffer(reader) : nameForm(page, account);
  return part(
    "who",
    "Who you are",
    says,
    account === null ? html`${facts} ${form}` : html`${form} ${facts}`,
  );
}

const isByKey = (reader: KnownReader): boolean =>
  reader.kind === "signed in" && reader.who.startsWith("key ");

const fact = (name: string, value: string): Html =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;

const nameForm = (page: ProfilePage, account: AccountRow): Html =>
  smallForm({
    action: "/settings/name",
    reader: page.reader,
    legend: null,
    mistakes: mistakesIn(page, "name"),
    button: "Save the name",
    idPrefix: "own",
    fields: [
      {
        name: "name",
        label: "Name",
        help: "",
        input: {
          is: "text",
          value: page.typedName ?? account.name,
          charsMax: checkLimits.nameCharsMax,
          isRequired: true,
        },
      },
    ],
  });

const zonePart = ({ reader, account }: ProfilePage): Html =>
  part(
    "zone",
    "Times",
    "Pages show you times in this zone, and planned work begins with it. Messages have the zone of their channel.",
    smallForm({
      action: "/settings/time-zone",
      reader,
      legend: null,
      mistakes: [],
      button: "Save the zone",
      fields: [
        {
          name: "time_zone",
          label: "Time zone",
          help: account === null ? "This browser keeps it, because you have no account here." : "",
          input: {
            is: "choice",
            value: reader.timeZone,
            choices: [["", "The zone of the browser that you use"], ...zoneChoices()],
          },
        },
      ],
    }),
  );

const themePart = ({ reader, theme }: ProfilePage): Html =>
  part(
    "appearance",
    "Appearance",
    "How pages look in this browser.",
    smallForm({
      action: "/settings/theme",
      reader,
      legend: null,
      mistakes: [],
      button: "Save the theme",
      fields: [
        {
          name: "theme",
          label: "Theme",
          help: "",
          input: {
            is: "choice",
            value: theme ?? "",
            choices: [
              ["", "That of the device that you use"],
              ...themes.map((one) => [one, capital(one)] as const),
            ],
          },
        },
      ],
    }),
  );

const passwordPart = (page: ProfilePage): Html =>
  part(
    "password",
    "Password",
    "A new password ends all your sessions. You sign in with it then.",
    smallForm({
      action: "/settings/password",
      reader: page.reader,
      legend: null,
      mistakes: mistakesIn(page, "password"),
      button: "Change the password",
      fields: [
        currentPassword,
        {
          name: "password",
          label: "New password",
          help: `At least ${limits.passwordCharsMin} characters, e.g. four words.`,
          input: { is: "password", autocomplete: "new-password" },
        },
      ],
    }),
  );

const appPart = (page: ProfilePage, account: AccountRow): Html =>
  part(
    "factor",
    "Second factor",
    hasFactor(account)
      ? codesLeftWords(page.codesLeft)
      : "With one, a stolen password alone does not sign anyone in. An app on your telephone shows codes.",
    account.sealed === "" ? appOffer : appRemoval(page),
  );

const codesLeftWords = (left: number): string =>
  `It is on. You have ${counted(left, "recovery code")} left${left > 2 ? "" : ": remove the second factor and set it up again for new ones"}.`;

const appOffer = html`<p>
  <a class="button" href="/settings/factor">Set up an app for codes</a>
</p>`;

const appRemoval = (page: ProfilePage): Html =>
  smallForm({
    action: "/settings/factor/remove",
    reader: page.reader,
    legend: null,
    mistakes: mistakesIn(page, "factor"),
    button: "Remove the app for codes",
    isDanger: true,
    idPrefix: "factor",
    fields: [currentPassword],
  });

const passkeyPart = ({ passkeys }: AccountRow): Html =>
  part(
    "passkeys",
    "Passkeys",
    "Your telephone, your computer or a security key keeps one. It is a second factor, too.",
    html`<p>
      <a class="button" href="/settings/passkeys"
        >${passkeys === 0 ? "Add a passkey" : `Your passkeys (${passkeys})`}</a
      >
    </p>`,
  );

const sessionPart = ({ reader, sessions }: ProfilePage): Html | null =>
  reader.kind === "local"
    ? null
    : part(
        "sessions",
        "Sessions",
        sessions < 2 ? "This is your only session." : `You have ${sessions} sessions.`,
        html`<div class="acts">
          <a class="button" href="/settings/sessions">See your sessions</a>
          ${ownForm("/sign-out", reader, html`<button type="submit">Sign out</button>`)}
        </div>`,
      );
