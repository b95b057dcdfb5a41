import { addressPattern, pastedAddress } from "#service/notify/mail-address";
import { recognisedUrl, type UrlChannel } from "#service/notify/recognised-url";
import type { PageAnswer } from "#service/edge/page-answer";
import { firstDraft } from "#service/operator/channels/channel-draft";
import { shownChannelForm } from "#service/operator/channels/channel-form";
import { providerChoice, type RefusedPaste } from "#service/operator/channels/provider-choice";
import {
  framed,
  type KnownReader,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
} from "#service/operator/page-request";
import { chosenZone } from "#service/operator/zones/zoned-page";

/** `/channels/new`: where messages may go. */
const choicePage: OperatorPage = {
  role: "editor",
  path: /^\/channels\/new$/,
  answer: async (context, { reader, query }) => {
    await context.rooms.mailServer.read();
    return shown(context, reader, { next: query.get("next") ?? "", wrong: null });
  },
};

/** The form of the provider that a pasted URL is of. It is posted, for most of these URLs are secrets. */
const pasteForm: OperatorForm = {
  role: "editor",
  path: /^\/channels\/new$/,
  act: async (context, { form, reader }) => {
    const next = form.get("next") ?? "";
    const url = (form.get("url") ?? "").trim();
    const pasted = channelPasted(url);
    const wrong = { typed: url, words: notPasted };
    if (pasted === null) return shown(context, reader, { next, wrong }, 422);
    const { provider, given } = pasted;
    const typed = firstDraft(provider, chosenZone(reader));
    for (const [name, value] of Object.entries(given)) typed.set(name, String(value));
    return shownChannelForm(
      context,
      reader,
      { provider, row: null, next },
      { typed, isUnsent: true },
    );
  },
};

export const providerChoicePages: readonly OperatorPage[] = [choicePage];
export const providerChoiceForms: readonly OperatorForm[] = [pasteForm];

/** An address of mail is none of a URL's: it is taken with `mailto:`, without, and with a name before it. */
function channelPasted(text: string): UrlChannel | null {
  const email = pastedAddress(text);
  return addressPattern.test(email) ? { provider: "email", given: { email } } : recognisedUrl(text);
}

const notPasted =
  "That is neither a URL nor an e-mail address: paste the URL of a webhook, https://ntfy.sh/TOPIC or an address, for example ops@example.com, or choose below.";

interface ShownChoice {
  readonly next: string;
  /** Why what was pasted is not taken; null if nothing was. */
  readonly wrong: RefusedPaste | null;
}

const shown = (
  { rooms }: PageContext,
  reader: KnownReader,
  { next, wrong }: ShownChoice,
  status = 200,
): PageAnswer =>
  framed(
    { reader },
    {
      title: "New channel · Picket",
      section: "channels",
      document: null,
      at: rooms.clock.wall(),
      content: providerChoice({
        lacking: (one) => rooms.channels.lacking(one),
        next,
        wrong,
        reader,
      }),
    },
    status,
  );
