import { html, type Html } from "#web/page/html";
import * as limits from "#limits/alerts-limits";
import { newSigningSecret } from "#service/channels/new-signing-secret";
import type { KnownReader } from "#service/operator/page-request";
import { formPurpose } from "#service/operator/sessions";
import type { ChannelRow } from "#service/store/channel-store";
import type { PageRooms } from "#service/operator/page-rooms";

/*
 * The form of a new webhook shows the secret that will sign: a receiver that has it can check the test, which is signed by
 * it before anything is saved. The form has it sealed, so that no one chooses one that is easy to guess.
 */

/** The field of the form that has it. */
const draftSecretField = "signing";

type SecretRooms = Pick<PageRooms, "box">;
type UsedSecretRooms = Pick<PageRooms, "box" | "channels">;

interface DraftSecret {
  readonly secret: string;
  readonly sealed: string;
}

/** The one of the form, or a new one; null of a channel that is there, and of one that signs nothing. */
export function newSecretOf(
  { box }: SecretRooms,
  { provider, row }: Pick<ChannelRow, "provider"> & { readonly row: ChannelRow | null },
  typed: URLSearchParams,
): DraftSecret | null {
  if (provider !== "webhook" || row !== null) return null;
  const sealed = typed.get(draftSecretField) ?? "";
  const kept = box.open(sealed, purpose);
  if (kept !== null) return { secret: kept, sealed };
  const secret = newSigningSecret();
  return { secret, sealed: box.seal(secret, purpose) };
}

/** The address by which the form is loaded again with the same secret, by this reader in this session. */
export function secretAddress(
  { box }: SecretRooms,
  reader: KnownReader,
  { secret }: DraftSecret,
  next: string,
): string {
  const sealed = { [draftSecretField]: box.seal(secret, addressPurpose(box, reader)) };
  const query = new URLSearchParams(next === "" ? sealed : { ...sealed, next });
  return `/channels/new/webhook?${query.toString()}`;
}

/** A new form, with the secret of its address if that has one that no channel uses. */
export async function withSecretOfAddress(
  rooms: UsedSecretRooms,
  reader: KnownReader,
  typed: URLSearchParams,
  query: URLSearchParams,
): Promise<URLSearchParams> {
  const { box } = rooms;
  const secret = box.open(query.get(draftSecretField) ?? "", addressPurpose(box, reader));
  if (secret !== null) typed.set(draftSecretField, box.seal(secret, purpose));
  await forgetUsedSecret(rooms, typed);
  return typed;
}

/** Whoever goes back from a channel to its form, and makes another one there, has a new secret: a receiver is to know which of them sends. */
export async function forgetUsedSecret(
  { box, channels }: UsedSecretRooms,
  typed: URLSearchParams,
): Promise<void> {
  const secret = box.open(typed.get(draftSecretField) ?? "", purpose);
  if (secret === null) return;
  const isUsed = (await channels.list(limits.serviceChannelsMax, 0)).some((row) => {
    const channel = row.provider === "webhook" ? channels.opened(row) : null;
    return channel?.provider === "webhook" && channel.configuration.signingSecrets.includes(secret);
  });
  if (isUsed) typed.delete(draftSecretField);
}

const addressPurpose = (box: SecretRooms["box"], { formToken }: KnownReader): string =>
  `${purpose}, in an address of ${box.open(formToken, formPurpose) ?? ""}`;

const purpose = "the signing secret of a channel that is not made yet";

export const secretFields = (draft: DraftSecret | null): Readonly<Record<string, string>> =>
  draft === null ? {} : { [draftSecretField]: draft.sealed };

export const draftSecretView = (draft: DraftSecret | null): Html | null =>
  draft === null
    ? null
    : html`<div class="signing">
        <h2>Signing secret</h2>
        <p class="help">
          Copy it to your receiver before you send a test: it signs the test, and each event once
          the channel is made.
        </p>
        <noscript><p class="help">Loaded again, this page has another one.</p></noscript>
        <pre class="commands" id="signing-secret" tabindex="0" aria-label="Signing secret">
${draft.secret}</pre>
        <p><button type="button" class="small copy" data-copies="signing-secret">Copy</button></p>
      </div>`;
