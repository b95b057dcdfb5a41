import { settingPart } from "#service/operator/settings/setting-part";
import { html, type Html } from "#web/page/html";
import type { Mistake } from "#check/findings";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/pages-limits";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { ownForm as actForm } from "#service/operator/form-fields";
import { listHead } from "#service/operator/lists/list-head";
import type { KnownReader } from "#service/operator/page-request";
import { roleWords } from "#service/operator/roles";
import { currentPassword, type SmallField, smallForm } from "#service/operator/settings/small-form";
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
  /** One that they created and that has no password yet; null: there is none. */
  readonly waiting: AccountRow | null;
  readonly codesLeft: number;
  /** At how many places the reader is signed in. */
  readonly sessions: number;
  readonly notice: FormNotice | null;
  readonly mistakes: readonly Mistake[];
  /** Which of the forms the mistakes are in. */
  readonly about: "own" | "password" | "factor";
  /** What was typed about oneself; null: what is kept. */
  readonly typed: URLSearchParams | null;
}

export const profileView = (page: ProfilePage): Html =>
  html`${listHead({
    title: "Profile",
    count: null,
    sentence: "Who you are here, how pages show you times, and how you sign in.",
    acts: null,
  })}
  ${noticeLine(page.notice)} ${page.account === null ? whoIs(page) : null} ${ownPart(page)}
  ${page.account === null ? null : html`${passwordPart(page)} ${appPart(page, page.account)} ${passkeyPart(page.account)}`}
  ${sessionPart(page)}`;

const part = (id: string, title: string, says: string | Html, content: Html): Html =>
  settingPart({ id, title, says, content });

const mistakesIn = (page: ProfilePage, form: ProfilePage["about"]): readonly Mistake[] =>
  page.about === form ? page.mistakes : [];

/** Who reads the pages without an account, and how they get one. */
function whoIs({ reader, waiting }: ProfilePage): Html {
  const says = `${signedInSentence(reader)}${isByKey(reader) ? " Its name is yours here." : ""}`;
  const facts = reader.kind === "local" ? null : factsOf([["Name", reader.name], roleOf(reader)]);
  return part("who", "Who you are", says, html`${facts} ${accountOffer(reader, waiting)}`);
}

/** What a person chooses for themselves, in one form. */
function ownPart(page: ProfilePage): Html {
  const { reader, account } = page;
  const form = ownForm(page);
  return account === null
    ? part("own", "How pages look", "Pages show you times in this zone, and look like this.", form)
    : part(
        "own",
        "About you",
        "Others see your name wherever you do something. Times are shown in your zone, and planned work begins with it. Messages have the zone of their channel.",
        html`${reader.kind === "local" ? null : factsOf([["E-mail address", account.email], roleOf(reader)])}
        ${form}`,
      );
}

const isByKey = (reader: KnownReader): boolean =>
  reader.kind === "signed in" && reader.who.startsWith("key ");

type Fact = readonly [name: string, value: string];

const roleOf = ({ role }: Extract<KnownReader, { kind: "signed in" }>): Fact => [
  "Role",
  `${role}: may ${roleWords[role]}`,
];

const factsOf = (facts: readonly Fact[]): Html =>
  html`<dl class="profile">
    ${facts.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;

const ownForm = (page: ProfilePage): Html =>
  smallForm({
    action: "/settings/profile",
    reader: page.reader,
    legend: null,
    mistakes: mistakesIn(page, "own"),
    button: "Save",
    isMain: true,
    idPrefix: "own",
    fields: [...(page.account === null ? [] : [nameField(page, page.account)]), ...looks(page)],
  });

const nameField = ({ typed }: ProfilePage, account: AccountRow): SmallField => ({
  name: "name",
  label: "Name",
  help: "",
  input: {
    is: "text",
    value: typed?.get("name") ?? account.name,
    charsMax: checkLimits.nameCharsMax,
    isRequired: true,
  },
});

const looks = ({ reader, account, theme, typed }: ProfilePage): readonly SmallField[] => [
  {
    name: "time_zone",
    label: "Time zone",
    help: account === null ? "This browser keeps it, because you have no account here." : "",
    input: {
      is: "choice",
      value: typed?.get("time_zone") ?? reader.timeZone,
      choices: [["", "The zone of the browser that you use"], ...zoneChoices()],
    },
  },
  {
    name: "theme",
    label: "Theme",
    help: "How pages look in this browser, which keeps it.",
    input: {
      is: "choice",
      value: typed?.get("theme") ?? theme ?? "",
      choices: [
        ["", "That of the device that you use"],
        ...themes.map((one) => [one, capital(one)] as const),
      ],
    },
  },
];

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
          help: `At least ${limits.passwordCharsMin} characters, for example four words.`,
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
          ${actForm("/sign-out", reader, html`<button type="submit">Sign out</button>`)}
        </div>`,
      );
