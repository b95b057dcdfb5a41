import { html, type Html } from "#web/page/html";
import type { ChannelRules } from "#service/alerting/channel-rules";
import type { Provider } from "#service/notify/channel";
import type { ChannelArguments } from "#service/notify/configuration-reading";
import { rulesOf } from "#service/notify/provider-table";
import { notSent, outcomeNotice, tryingMark, waitMark } from "#service/operator/channels/test-wait";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { actorOf, type FormRequest, type PageContext } from "#service/operator/page-request";
import type { ChannelRow } from "#service/store/channel-store";
import { type Millis, millis } from "#base/units";

/** What became of a test, and how long whoever sent it waits before they send the same again. */
export interface DraftTest {
  /** Null if none was sent. */
  readonly notice: FormNotice | null;
  readonly wait: Millis;
}

export const noTest: DraftTest = { notice: null, wait: millis(0) };

/** What a form says that a test has. */
interface DraftMessage {
  readonly name: string;
  readonly given: ChannelArguments;
  readonly rules: Pick<ChannelRules, "timeZone">;
  /** What signs a test of a channel that is not made yet; null: what signs it is the channel's own. */
  readonly secret: string | null;
}

/** Sends a message that says it is a test by what the form says, before anything is saved. */
export async function testOf(
  { rooms: { channels, testMessages } }: PageContext,
  { reader, signal }: FormRequest,
  { provider, row }: Pick<ChannelRow, "provider"> & { readonly row: ChannelRow | null },
  { name, given, rules: { timeZone }, secret }: DraftMessage,
): Promise<DraftTest> {
  const { label } = rulesOf(provider);
  const called = name === "" ? label : name;
  const channel = { ...channels.unkept(provider, given, row, ...signedBy(secret)), name: called };
  const draft = { channel, timeZone, said: saidIn(provider, given) };
  const accepted = `${label} accepted the test message${called === label ? "" : ` for ${called}`}`;
  const notice = await testMessages
    .sendDraft(draft, actorOf(reader), signal)
    .then((trouble) => outcomeNotice(trouble, accepted, " Nothing is saved yet."), notSent);
  return { notice, wait: testMessages.waitFor(channel, actorOf(reader)) };
}

const signedBy = (secret: string | null): [] | [readonly string[]] =>
  secret === null ? [] : [[secret]];

/** The button of a channel's form that sends a test, and saves nothing. */
export const testButton = "test";

/** Equal for what is sent to one address in one way. */
export const saidIn = (provider: Provider, given: ChannelArguments): string =>
  JSON.stringify([provider, given]);

/** A test by what the form says, and what became of it. */
export const testPart = ({ notice, wait }: DraftTest, provider: Provider): Html =>
  html`<div id="test">
    <p class="try">
      <button
        type="submit"
        name="${testButton}"
        value="yes"
        data-stay="test"
        ${waitMark(wait, "Send again in")}${tryingMark(provider)}
      >
        Send a test message
      </button>
      <span class="help">It goes where the form says. Nothing is saved.</span>
    </p>
    ${noticeLine(notice)}
  </div>`;
