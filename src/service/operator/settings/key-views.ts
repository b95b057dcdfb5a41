import { html, type Html } from "#web/page/html";
import { counted } from "#web/page/format";
import { momentOf } from "#web/page/moment";
import type { Mistake } from "#check/findings";
import * as checkLimits from "#limits/check-limits";
import { type ApiKey, hasEnded } from "#service/edge/keys";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { listHead, mainAct } from "#service/operator/lists/list-head";
import type { KnownReader } from "#service/operator/page-request";
import { shownOnce } from "#service/operator/settings/settings-page";
import { smallForm } from "#service/operator/settings/small-form";
import type { EpochMillis } from "#base/units";

export interface KeyPage {
  readonly keys: readonly ApiKey[];
  readonly now: EpochMillis;
  readonly reader: KnownReader;
  /** The key that this answer alone shows. */
  readonly made: { readonly name: string; readonly key: string } | null;
  readonly notice: FormNotice | null;
  readonly mistakes: readonly Mistake[];
  readonly typed: TypedKey;
}

interface TypedKey {
  readonly name: string;
  readonly scope: string;
  readonly days: string;
}

export const emptyKey: TypedKey = { name: "", scope: "read", days: "" };

/** Every key by what a person knows of it, and a form for another. */
export const keysView = (page: KeyPage): Html =>
  html`${listHead({
      title: "API keys",
      count: page.keys.length === 0 ? "No API key" : counted(page.keys.length, "API key"),
      sentence: "Programs call the service with a key.",
      acts: mainAct("#new-key", "New API key"),
    })}
    ${noticeLine(page.notice)}
    ${
      page.made === null
        ? null
        : shownOnce(
            `The key ${page.made.name}`,
            page.made.key,
            "Copy it now: it is not shown again. The service keeps only its hash.",
          )
    }
    ${page.keys.length === 0 ? html`<p class="advice">There is no key yet.</p>` : keyTable(page)}
    <section aria-labelledby="new-key">
      <h2 id="new-key">New API key</h2>
      ${keyForm(page)}
    </section>`;

const keyTable = ({ keys, now, reader }: KeyPage): Html =>
  html`<div class="wide" tabindex="0" role="region" aria-label="API keys">
    <table class="settled">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Scope</th>
          <th scope="col">Begins with</th>
          <th scope="col">Created</th>
          <th scope="col">Last used</th>
          <th scope="col">Ends</th>
          <th scope="col"><span class="unseen">Acts</span></th>
        </tr>
      </thead>
      <tbody>
        ${keys.map((key) => keyRow(key, now, reader))}
      </tbody>
    </table>
  </div>`;

const keyRow = (key: ApiKey, now: EpochMillis, reader: KnownReader): Html =>
  html`<tr>
    <th scope="row">${key.name}</th>
    <td data-label="Scope">${key.scope}</td>
    <td data-label="Begins with"><code>${key.prefix}…</code></td>
    <td data-label="Created">${momentOf(key.createdAt)}</td>
    <td data-label="Last used">${key.lastUsedAt === null ? "never" : momentOf(key.lastUsedAt)}</td>
    <td data-label="Ends">
      ${key.expiresAt === null ? "no end" : html`${hasEnded(key, now) ? html`<strong>ended</strong> ` : null}${momentOf(key.expiresAt)}`}
    </td>
    <td data-label="">
      <details class="sure">
        <summary aria-label="Revoke ${key.name}">Revoke…</summary>
        <form method="post" action="/settings/keys/${key.id}/revoke">
          <input type="hidden" name="form" value="${reader.formToken}" />
          <p>Programs that use it are refused at once. This cannot be undone.</p>
          <button type="submit" class="danger small">Revoke ${key.name}</button>
        </form>
      </details>
    </td>
  </tr>`;

const keyForm = ({ reader, typed, mistakes }: KeyPage): Html =>
  smallForm({
    action: "/settings/keys",
    reader,
    legend: "What it is for",
    mistakes,
    button: "Create key",
    fields: [
      {
        name: "name",
        label: "Name",
        help: "E.g. the program that uses it. It is shown wherever the key did something.",
        input: {
          is: "text",
          value: typed.name,
          charsMax: checkLimits.nameCharsMax,
          isRequired: true,
        },
      },
      {
        name: "scope",
        label: "Scope",
        help: "It never changes: for another scope, make another key. A person who signs in with a key is a reader, or an owner if its scope is write.",
        input: {
          is: "choice",
          value: typed.scope,
          choices: [
            ["read", "read: sees everything but secrets"],
            ["write", "write: makes, changes and deletes everything"],
          ],
        },
      },
      {
        name: "days",
        label: "Ends after days",
        help: "Left empty, it works until it is revoked.",
        input: { is: "number", value: typed.days, charsMax: 5, isRequired: false },
      },
    ],
  });
