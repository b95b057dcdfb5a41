import { html, type Html } from "#web/page/html";
import { counted } from "#web/page/format";
import { momentOf } from "#web/page/moment";
import type { Mistake } from "#check/findings";
import * as checkLimits from "#limits/check-limits";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { listHead, mainAct } from "#service/operator/lists/list-head";
import type { KnownReader } from "#service/operator/page-request";
import { passkeyForm } from "#service/operator/passkey-form";
import { currentPassword, mistakeList, smallForm } from "#service/operator/settings/small-form";
import { accountOffer, signedInSentence } from "#service/operator/settings/signed-in-line";
import type { PasskeySite } from "#service/people/passkey-site";
import type { PasskeyChallenge } from "#service/people/passkeys";
import type { AccountRow } from "#service/store/people-store";
import type { PasskeyRow } from "#service/store/passkey-store";

export interface PasskeysPage {
  readonly reader: KnownReader;
  readonly passkeys: readonly PasskeyRow[];
  /** Null if browsers have no passkeys for the service's address. */
  readonly site: PasskeySite | null;
  readonly notice: FormNotice | null;
  readonly mistakes: readonly Mistake[];
  /** The passkey that was to be removed; null if one was to be added. */
  readonly about: number | null;
  readonly typed: string;
}

/** A person's passkeys, and forms that remove them and add another. */
export const passkeysView = (page: PasskeysPage): Html =>
  html`<p class="back"><a href="/settings">Profile</a></p>
    ${listHead({
      title: "Passkeys",
      count: page.passkeys.length === 0 ? "No passkey" : counted(page.passkeys.length, "passkey"),
      sentence: "A passkey is kept by your telephone, your computer or a security key.",
      acts: page.site === null ? null : mainAct("#new-passkey", "Add a passkey"),
    })}
    <p class="words">
      It is asked for after your password. One that knows you by a finger, your face or a PIN signs
      you in without a password, too.
    </p>
    ${noticeLine(page.notice)}
    ${page.passkeys.length === 0 ? html`<p class="advice">You have no passkey yet.</p>` : passkeyTable(page)}
    <section aria-labelledby="new-passkey">
      <h2 id="new-passkey">A new passkey</h2>
      ${page.site === null ? noSite : newPasskeyForm(page)}
    </section>`;

/** Of whoever signed in by something else: a passkey belongs to a person. */
export const noAccountView = (reader: KnownReader, waiting: AccountRow | null): Html =>
  html`<p class="back"><a href="/settings">Profile</a></p>
    ${listHead({
      title: "Passkeys",
      count: null,
      sentence: "Only a person with an account of this service has passkeys.",
      acts: null,
    })}
    <p class="words">${signedInSentence(reader)}</p>
    ${accountOffer(reader, waiting)}`;

const noSite = html`<p class="words">
  Browsers make passkeys for a host's name over https, and not for the address of this page. Open
  the service by its name, or <a href="/settings/factor">use an app for codes</a>.
</p>`;

const newPasskeyForm = ({ reader, mistakes, about, typed }: PasskeysPage): Html =>
  smallForm({
    action: passkeysPath,
    reader,
    legend: "What you call it",
    mistakes: about === null ? mistakes : [],
    button: "Continue",
    isAct: true,
    begins: "name",
    fields: [
      {
        name: "name",
        label: "Name",
        help: "E.g. the device that keeps it: you know by it which one to remove when it is lost.",
        input: { is: "text", value: typed, charsMax: checkLimits.nameCharsMax, isRequired: true },
      },
      currentPassword,
    ],
  });

export const passkeysPath = "/settings/passkeys";

const passkeyTable = (page: PasskeysPage): Html =>
  html`<div class="wide" tabindex="0" role="region" aria-label="Your passkeys">
      <table class="settled">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">For</th>
            <th scope="col">Added</th>
            <th scope="col">Last used</th>
          </tr>
        </thead>
        <tbody>
          ${page.passkeys.map(
            (one) =>
              html`<tr>
                <th scope="row">${one.name}</th>
                <td data-label="For">${one.host}</td>
                <td data-label="Added">${momentOf(one.at)}</td>
                <td data-label="Last used">
                  ${one.usedAt === null ? "never" : momentOf(one.usedAt)}
                </td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${page.passkeys.map((one) => removal(page, one))}`;

const removal = ({ reader, mistakes, about }: PasskeysPage, { id, name }: PasskeyRow): Html =>
  html`<details class="act sure" ${about === id ? html` open` : null}>
    <summary>Remove the passkey ${name}…</summary>
    ${smallForm({
      action: `${passkeysPath}/${id}/remove`,
      reader,
      legend: `Remove ${name}`,
      mistakes: about === id ? mistakes : [],
      button: "Remove it",
      idPrefix: `passkey-${id}`,
      fields: [currentPassword],
    })}
  </details>`;

interface MakingPage {
  readonly reader: KnownReader;
  readonly challenge: PasskeyChallenge;
}

/** The second step: the browser asks for the device. */
export const makingView = ({ reader, challenge }: MakingPage): Html =>
  html`<p class="back"><a href="${passkeysPath}">Passkeys</a></p>
    <h1 class="page">Create the passkey</h1>
    <p class="words">The browser asks you to choose: this device, a telephone or a security key.</p>
    ${passkeyForm({
      action: `${passkeysPath}/confirm`,
      does: "make",
      challenge,
      hidden: { form: reader.formToken },
      button: "Create the passkey",
      isMain: true,
      without: "Allow them for this address, or use an app for codes.",
    })}`;

/** Why no passkey was added, and the way back. */
export const notMadeView = (mistakes: readonly Mistake[]): Html =>
  html`<p class="back"><a href="${passkeysPath}">Passkeys</a></p>
    <h1 class="page">The passkey was not added</h1>
    ${mistakeList([], mistakes, { idPrefix: "field", isAct: true })}
    <p><a class="button main" href="${passkeysPath}">Begin again</a></p>`;
