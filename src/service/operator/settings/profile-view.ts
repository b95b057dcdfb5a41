import { html, type Html } from "#web/page/html";
import type { Mistake } from "#check/findings";
import * as limits from "#limits/pages-limits";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { listHead } from "#service/operator/lists/list-head";
import type { KnownReader } from "#service/operator/page-request";
import { roleWords } from "#service/operator/roles";
import { currentPassword, smallForm } from "#service/operator/settings/small-form";
import { accountOffer, signedInSentence } from "#service/operator/settings/signed-in-line";
import { zoneChoices } from "#service/operator/zones/zone-choices";
import { hasFactor } from "#service/people/second-factors";
import type { AccountRow } from "#service/store/people-store";
import { counted } from "#base/text";

interface ProfilePage {
  readonly reader: KnownReader;
  /** Null of a reader without an account. */
  readonly account: AccountRow | null;
  readonly codesLeft: number;
  readonly notice: FormNotice | null;
  readonly mistakes: readonly Mistake[];
  /** Which of the forms the mistakes are in. */
  readonly about: "password" | "factor";
}

export const profileView = (page: ProfilePage): Html =>
  html`${listHead({
    title: "Profile",
    count: null,
    sentence: "Who you are here, how pages show you times, and how you sign in.",
    acts: null,
  })}
  ${noticeLine(page.notice)} ${whoIs(page)}
  ${page.account === null ? null : html`${zoneSection(page.reader, page.account)} ${passwordSection(page)} ${factorSection(page, page.account)}`}`;

function whoIs({ reader, account }: ProfilePage): Html {
  const without =
    account === null
      ? html`<p class="words">${signedInSentence(reader)}</p>
          ${accountOffer(reader)}`
      : null;
  if (reader.kind === "local") return html`${without}`;
  return html`<dl class="profile">
      <div>
        <dt>Name</dt>
        <dd>${reader.name}</dd>
      </div>
      ${
        account === null
          ? null
          : html`<div>
              <dt>E-mail address</dt>
              <dd>${account.email}</dd>
            </div>`
      }
      <div>
        <dt>Role</dt>
        <dd>${reader.role}: may ${roleWords[reader.role]}</dd>
      </div>
    </dl>
    ${without}`;
}

const zoneSection = (reader: KnownReader, { timeZone }: AccountRow): Html =>
  html`<section aria-labelledby="zone">
    <h2 id="zone">Times</h2>
    ${smallForm({
      action: "/settings/time-zone",
      reader,
      legend: "The zone in which pages show them",
      mistakes: [],
      button: "Save",
      fields: [
        {
          name: "time_zone",
          label: "Time zone",
          help: "Pages show you times in it, and planned work begins with it. Messages have the zone of their channel.",
          input: {
            is: "choice",
            value: timeZone,
            choices: [["", "The zone of the browser that you use"], ...zoneChoices()],
          },
        },
      ],
    })}
  </section>`;

const passwordSection = ({ reader, mistakes, about }: ProfilePage): Html =>
  html`<section aria-labelledby="password">
    <h2 id="password">Password</h2>
    <details class="act" ${mistakes.length > 0 && about === "password" ? html` open` : null}>
      <summary>Change your password</summary>
      ${smallForm({
        action: "/settings/password",
        reader,
        legend: "A new password",
        mistakes: about === "password" ? mistakes : [],
        button: "Change it",
        fields: [
          currentPassword,
          {
            name: "password",
            label: "New password",
            help: `At least ${limits.passwordCharsMin} characters, e.g. four words. All your sessions end, and you sign in with it.`,
            input: { is: "password", autocomplete: "new-password" },
          },
        ],
      })}
    </details>
  </section>`;

const factorSection = (page: ProfilePage, account: AccountRow): Html =>
  html`<section aria-labelledby="factor">
    <h2 id="factor">Second factor</h2>
    ${hasFactor(account) ? codesLeftLine(page.codesLeft) : noFactorLine}
    ${account.sealed === "" ? appOffer : appRemoval(page)}
    <p>
      <a class="button" href="/settings/passkeys"
        >${account.passkeys === 0 ? "Add a passkey" : `Your passkeys (${account.passkeys})`}</a
      >
    </p>
  </section>`;

const noFactorLine = html`<p class="words">
  With one, a password that someone has seen opens nothing: a code of your telephone or a passkey is
  asked for, too.
</p>`;

const codesLeftLine = (left: number): Html =>
  html`<p class="words">
    It is on. You have ${counted(left, "recovery code")}
    left${left > 2 ? "" : ": remove the second factor and set it up again for new ones"}.
  </p>`;

const appOffer = html`<p>
  <a class="button" href="/settings/factor">Set up an app for codes</a>
</p>`;

const appRemoval = ({ reader, mistakes, about }: ProfilePage): Html =>
  html`<details class="act" ${mistakes.length > 0 && about === "factor" ? html` open` : null}>
    <summary>Remove the app for codes</summary>
    ${smallForm({
      action: "/settings/factor/remove",
      reader,
      legend: "Remove the app for codes",
      mistakes: about === "factor" ? mistakes : [],
      button: "Remove it",
      idPrefix: "factor",
      fields: [currentPassword],
    })}
  </details>`;
