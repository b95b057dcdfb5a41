import { UsageError } from "#cli/edge/usage-error";
import { rulesOf } from "#service/notify/provider-table";
import { recognisedUrl, type UrlChannel } from "#service/notify/recognised-url";

/** The channel that `--notify URL` means. No message quotes the URL: whoever has it can post. */
export function parseNotify(text: string): UrlChannel {
  const channel = recognisedUrl(text);
  if (channel === null)
    throw new UsageError(
      "--notify must be an http or https URL of a webhook, https://ntfy.sh/TOPIC, ntfy://HOST/TOPIC or mailto:ADDRESS",
    );
  const read = rulesOf(channel.provider).read(channel.given);
  if (read.ok) return channel;
  const [first] = read.mistakes;
  throw new UsageError(`--notify: ${first?.field ?? "it"} ${first?.message ?? "is wrong"}`);
}
