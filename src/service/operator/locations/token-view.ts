import { dayAndTime, isoTime, span } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { WorkingToken } from "#service/agents/location-tokens";
import { buttonForm, choiceField, ownForm } from "#service/operator/form-fields";
import { settingPart } from "#service/operator/settings/setting-part";
import type { KnownReader } from "#service/operator/page-request";
import { between, type EpochMillis } from "#base/units";

interface TokenScene {
  readonly id: number;
  /** Those that work: the newest first. */
  readonly tokens: readonly WorkingToken[];
  /** Whether an agent still uses one before the newest: a page asks before that one is revoked. */
  readonly isOldUsed: boolean;
  readonly reader: KnownReader;
  readonly at: EpochMillis;
}

/** The location's tokens without what they are: since when each works and until when, a new one, and an end of the old. */
export function tokenView({ id, tokens, isOldUsed, reader, at }: TokenScene): Html {
  const [newest, ...old] = tokens;
  return settingPart({
    id: "token",
    title: "Token",
    says:
      newest === undefined
        ? "No token works: make a new one."
        : html`Agents come with a token that was made
            <time datetime="${isoTime(newest.createdAt)}"
              >${span(between(newest.createdAt, at))} ago</time
            >. It cannot be shown again.`,
    content: html`${old.length === 0 ? null : oldTokens(id, old, isOldUsed, reader)}
    ${ownForm(
      `/locations/${id}/token`,
      reader,
      html`${choiceField("The old one works for", "overlap", overlaps, "1h")}
        <button type="submit">Create a new token</button>`,
    )}`,
  });
}

const oldTokens = (
  id: number,
  old: readonly WorkingToken[],
  isUsed: boolean,
  reader: KnownReader,
): Html =>
  html`<p class="words">
      ${old.length === 1 ? "The one before it still works" : "Those before it still work"} until
      ${old.map(
        ({ validUntil }, index) =>
          html`${index === 0 ? null : ", "}${
            validUntil === null
              ? "its end"
              : html`<time datetime="${isoTime(validUntil)}">${dayAndTime(validUntil)}</time>`
          }`,
      )}.
      Revoke ${old.length === 1 ? "it" : "them"} when every agent has the new one.
    </p>
    ${
      isUsed
        ? html`<p><a class="button danger" href="/locations/${id}/token/revoke">Revoke …</a></p>`
        : buttonForm(`/locations/${id}/token/revoke`, reader, "Revoke now", "the old tokens")
    }`;

/** How long an old token may still work: from a token that was lost to a fleet that is changed by hand. */
const overlaps = [
  ["0s", "no time: end it now"],
  ["1h", "1 hour"],
  ["24h", "1 day"],
  ["168h", "7 days"],
] as const;
