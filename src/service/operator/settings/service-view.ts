import { html, type Html } from "#web/page/html";
import type { Mistake } from "#check/findings";
import * as limits from "#limits/pages-limits";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { listHead } from "#service/operator/lists/list-head";
import type { KnownReader } from "#service/operator/page-request";
import { settingPart } from "#service/operator/settings/setting-part";
import { smallForm } from "#service/operator/settings/small-form";

/** What is set where the service starts. A page says whether it is, and never to what. */
export interface EnvironmentSetting {
  readonly what: string;
  readonly name: string;
  readonly isSet: boolean;
  /** What is said if it is not; left out: that it is not set. */
  readonly otherwise?: string;
}

export interface ServicePage {
  readonly reader: KnownReader;
  /** The public address, with a slash at its end; null if none is known. */
  readonly url: string | null;
  /** Where links lead without it; null if messages have none then. */
  readonly localUrl: string | null;
  /** Whether the environment says it. */
  readonly isSetting: boolean;
  readonly notice: FormNotice | null;
  readonly mistakes: readonly Mistake[];
  readonly typed: string;
  readonly hidden: Readonly<Record<string, string>>;
  readonly button: string;
  readonly environment: readonly EnvironmentSetting[];
}

export const serviceView = (page: ServicePage): Html =>
  html`${listHead({
    title: "Service",
    count: null,
    sentence:
      "What is the same for everyone: the address of this service, and what its environment says.",
    acts: null,
  })}
  ${noticeLine(page.notice)}
  ${settingPart({
    id: "address",
    title: "How people open the service",
    says: page.isSetting ? bySetting(page) : stateLine(page),
    content: page.isSetting ? null : addressForm(page),
  })}
  ${environmentPart(page.environment)}`;

const environmentPart = (all: readonly EnvironmentSetting[]): Html =>
  html`<section aria-labelledby="environment">
    <h2 id="environment">Set in the service's environment</h2>
    <p class="words">Change them there, and restart the service.</p>
    <div class="wide" tabindex="0" role="region" aria-label="Settings of the environment">
      <table class="settled">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Setting</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          ${all.map(
            ({ what, name, isSet, otherwise = "not set" }) =>
              html`<tr>
                <th scope="row">${what}</th>
                <td data-label="Setting"><code>${name}</code></td>
                <td data-label="State">${isSet ? "set" : otherwise}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;

const bySetting = ({ url }: ServicePage): Html =>
  html`Links in messages lead to <strong>${url ?? ""}</strong>. The setting
    <code>PICKET_SERVICE_PUBLIC_URL</code> says so: change it there.`;

function stateLine({ url, localUrl }: ServicePage): Html {
  if (url !== null) return html`Links in messages lead to <strong>${url}</strong>.`;
  const now =
    localUrl === null
      ? "Messages have no links yet."
      : html`Links in messages lead to <strong>${localUrl}</strong>, which opens on this machine
          only.`;
  return html`${now} The field has the address by which you opened this page: save it if other
  people open the service by it, too.`;
}

const addressForm = ({ reader, mistakes, typed, hidden, button, localUrl }: ServicePage): Html =>
  smallForm({
    action: "/settings/service",
    reader,
    legend: null,
    isMain: true,
    mistakes,
    hidden,
    button,
    fields: [
      {
        name: "address",
        label: "Public address",
        help: `For example https://picket.example.com. Links in messages, invitations and news of status pages begin with it, and passkeys are made for it. Empty: ${localUrl === null ? "messages have no links" : `links in messages lead to ${localUrl}`}.`,
        input: {
          is: "text",
          value: typed,
          charsMax: limits.publicAddressCharsMax,
          isRequired: false,
        },
      },
    ],
  });
