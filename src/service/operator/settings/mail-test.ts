import { capital } from "#base/text";
import { isTimeZone } from "#base/time-zone";
import { Refusal, violation } from "#service/edge/call-refusal";
import type { SmtpAccount } from "#service/notify/accounts";
import { addressPattern } from "#service/notify/mail-address";
import type { FormNotice } from "#service/operator/form-notice";
import { actorOf, type FormRequest } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";

/** Has the zone of the browser. */
export const zoneField = "test_zone";

/** Sends a mail by a server that may not be kept yet, and says what became of it. Has the limits of a channel's test. */
export async function mailTest(
  { senderBy, testMessages }: PageRooms,
  { reader, form, signal }: Pick<FormRequest, "reader" | "form" | "signal">,
  account: SmtpAccount,
): Promise<FormNotice> {
  const email = (form.get("test_to") ?? "").trim();
  if (!addressPattern.test(email))
    throw violation({ field: "test_to", message: "must be like ops@example.com" });
  await using sender = senderBy(account);
  const channel = {
    id: "mail-server",
    name: "Mail server",
    provider: "email",
    configuration: { email },
  } as const;
  const timeZone = testZone(reader, form);
  const by = { sender, said: JSON.stringify(account) };
  const rest = account.isGiven ? " Nothing is saved yet." : "";
  try {
    const trouble = await testMessages.sendByMailServer(
      { channel, timeZone, by },
      actorOf(reader),
      signal,
    );
    if (trouble === null)
      return {
        words: `The mail server took the test mail: check that it arrived.${rest}`,
        isFault: false,
      };
    return { words: `The test mail failed: ${onThisPage(trouble)}.${rest}`, isFault: true };
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "resource_exhausted") throw error;
    return { words: `No test was sent. ${capital(error.message)}.`, isFault: true };
  }
}

/** As a new channel's messages have it: the zone of the person, or that of the browser, if a script may run there. */
function testZone({ timeZone }: FormRequest["reader"], form: URLSearchParams): string {
  const own = form.get(zoneField) ?? "";
  if (timeZone !== "") return timeZone;
  return isTimeZone(own) ? own : "UTC";
}

/** Elsewhere a trouble says where the server is set. */
const onThisPage = (trouble: string): string => trouble.replace(" in Settings → Mail", "");
