import { html, type Html } from "#web/page/html";
import { counted } from "#web/page/format";
import { minuteOf, momentOf } from "#web/page/moment";
import type { Mistake } from "#check/findings";
import * as checkLimits from "#limits/check-limits";
import { type ApiKey, hasEnded } from "#service/edge/keys";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { noUndo, removalView } from "#service/operator/deleting/removal-view";
import { listHead, mainAct } from "#service/operator/lists/list-head";
import type { KnownReader } from "#service/operator/page-request";
import { shownOnce } from "#service/operator/settings/settings-page";
import { settingPart } from "#service/operator/settings/setting-part";
import { type SmallField, smallForm } from "#service/operator/settings/small-form";
import type { EpochMillis } from "#base/units";

export interface KeysPage {
  readonly keys: readonly ApiKey[];
  readonly now: EpochMillis;
  /** Who made each, by its id; of one that was made longer ago than the log of changes goes, no one is named. */
  readonly makers: ReadonlyMap<string, string>;
  /** The key that this answer alone shows. */
  readonly made: { readonly name: string; readonly key: string } | null;
  readonly notice: FormNotice | null;
}

export interface NewKeyPage {
  readonly reader: KnownReader;
  readonly mistakes: readonly Mistake[];
  readonly typed: TypedKey;
}

export interface TypedKey {
  readonly name: string;
  readonly scope: string;
  /** In how many days it ends; empty: it has no end; `other`: that is typed. */
  readonly end: string;
  readonly days: string;
}

export const emptyKey: TypedKey = { name: "", scope: "read", end: "", days: "" };

export const keysPath = "/settings/keys";

/** Every key by what a person knows of it. */
export const keysView = (page: KeysPage): Html =>
  html`${listHead({
    title: "API keys",
    count: page.keys.length === 0 ? "No API key" : counted(page.keys.length, "API key"),
    sentence: "Programs call the service with a key.",
    acts: mainAct(`${keysPath}/new`, "New API key"),
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
  ${page.keys.length === 0 ? null : keyTable(page)}`;

const keyTable = ({ keys, now, makers }: KeysPage): Html =>
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
          <th scope="col"><span class="unseen">Actions</span></th>
        </tr>
      </thead>
      <tbody>
        ${keys.map((key) => keyRow(key, now, makers.get(key.id) ?? null))}
      </tbody>
    </table>
  </div>`;

const keyRow = (key: ApiKey, now: EpochMillis, maker: string | null): Html =>
  html`<tr>
    <th scope="row">${key.name}</th>
    <td data-label="Scope">${key.scope}</td>
    <td data-label="Begins with"><code>${key.prefix}…</code></td>
    <td data-label="Created">
      ${momentOf(key.createdAt)}
      ${maker === null ? null : html`<span class="note">by ${maker}</span>`}
    </td>
    <td data-label="Last used">${lastUse(key)}</td>
    <td data-label="Ends">
      ${key.expiresAt === null ? html`<span class="note">never</span>` : html`${hasEnded(key, now) ? html`<strong>ended</strong> ` : null}${momentOf(key.expiresAt)}`}
    </td>
    <td data-label="">
      <a class="button small" href="${keysPath}/${key.id}/revoke" aria-label="Revoke ${key.name}"
        >Revoke</a
      >
    </td>
  </tr>`;

/** A use is written down at most once a minute. */
const lastUse = ({ lastUsedAt }: ApiKey): Html =>
  lastUsedAt === null ? html`never` : minuteOf(lastUsedAt);

/** What a question about a key says of it. */
interface AskedKey {
  readonly key: ApiKey;
  readonly maker: string | null;
  /** How many are signed in with it. */
  readonly sessions: number;
  readonly reader: KnownReader;
}

/** Asks once, and says what goes with it. */
export const revokeView = ({ key, maker, sessions, reader }: AskedKey): Html =>
  removalView({
    reader,
    back: { path: keysPath, words: "API keys" },
    title: `Revoke the API key ${key.name}?`,
    facts: [
      ["Begins with", html`<code>${key.prefix}…</code>`],
      ["Scope", key.scope],
      ["Created", html`${momentOf(key.createdAt)}${maker === null ? null : ` by ${maker}`}`],
      ["Last used", lastUse(key)],
    ],
    effects: [
      key.lastUsedAt === null
        ? "No program has used it yet."
        : "Programs that use it are refused at once.",
      sessions === 0
        ? "No one is signed in with it."
        : `${sessions === 1 ? "1 browser is" : `${sessions} browsers are`} signed in with it: that ends.`,
      "What it did stays in the audit log under its name.",
    ],
    undo: noUndo,
    action: `${keysPath}/${key.id}/revoke`,
    button: "Revoke the key",
  });

/** The form for another key. */
export const newKeyView = ({ reader, typed, mistakes }: NewKeyPage): Html =>
  html`<p class="back"><a href="${keysPath}">API keys</a></p>
    <h1 class="page">New API key</h1>
    ${settingPart({
      id: "key",
      title: "What it is for",
      says: "A program sends the key with each call. Whoever has it may do what its scope says.",
      content: keyForm({ reader, typed, mistakes }),
    })}`;

const keyForm = ({ reader, typed, mistakes }: NewKeyPage): Html =>
  smallForm({
    action: keysPath,
    reader,
    legend: null,
    isMain: true,
    mistakes,
    button: "Create key",
    cancel: keysPath,
    begins: "name",
    fields: [
      {
        name: "name",
        label: "Name",
        help: "The audit log has it.",
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
        help: "It cannot be changed later. A person who signs in with the key is a reader, or with write an owner.",
        input: {
          is: "choice",
          value: typed.scope,
          choices: [
            ["read", "read: sees everything but secrets"],
            ["write", "write: makes, changes and deletes everything"],
          ],
        },
      },
      endField(typed.end),
      daysField(typed.days),
    ],
  });

/** The choice at which the days are typed. */
export const otherEnd = "other";

/** The ends that can be chosen: in so many days. */
export const keyEnds: readonly (readonly [value: string, words: string])[] = [
  ["", "never: it works until it is revoked"],
  ["30", "after 30 days"],
  ["90", "after 90 days"],
  ["365", "after a year"],
  [otherEnd, "after another number of days"],
];

const endField = (value: string): SmallField => ({
  name: "end",
  label: "Ends",
  help: "",
  input: { is: "choice", value, choices: keyEnds },
});

/** Shown once it is chosen. */
const daysField = (value: string): SmallField => ({
  name: "days",
  label: "Ends after days",
  help: "",
  input: { is: "number", value, charsMax: 5, isRequired: false },
});
