import { html, type Html } from "#web/page/html";
import type { Mistake } from "#check/findings";
import { personNameCharsMax } from "#limits/pages-limits";
import { addressPattern } from "#service/notify/mail-address";
import { violation } from "#service/edge/call-refusal";
import { actorOf, type FormRequest, type KnownReader } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { ownAccount } from "#service/operator/settings/own-account";
import { settingPart } from "#service/operator/settings/setting-part";
import { smallForm } from "#service/operator/settings/small-form";

const mailTestPath = "/settings/service/mail";

/** A mail that shows whether the service's mail server takes mails. */
export interface MailTest {
  readonly to: string;
  readonly mistakes: readonly Mistake[];
}

/** With the reader's address, if one is known. Null if there is no mail server. */
export async function mailTestOf(rooms: PageRooms, reader: KnownReader): Promise<MailTest | null> {
  if (rooms.channels.lacking("email") !== null) return null;
  return { to: (await ownAccount(rooms, reader))?.email ?? "", mistakes: [] };
}

/** By which server mails are sent and from which address, and a test of it; without one, what to set. */
export const mailPart = (
  { account: mailServer }: PageRooms["mailServer"],
  test: MailTest | null,
  reader: Pick<KnownReader, "formToken">,
): Html =>
  settingPart({
    id: "mail",
    title: "Mail server",
    says:
      mailServer === null
        ? html`No mail server is set: set <code>PICKET_SMTP_URL</code> and
            <code>PICKET_SMTP_FROM</code> in the service's environment, and restart the service.`
        : html`Mails are sent by <strong>${mailServer.host}</strong>, port ${mailServer.port}, and
            come from <strong>${mailServer.from}</strong>. The settings
            <code>PICKET_SMTP_URL</code> and <code>PICKET_SMTP_FROM</code> say so: change them
            there.`,
    content: test === null ? null : mailTestForm(test, reader),
  });

const mailTestForm = ({ to, mistakes }: MailTest, reader: Pick<KnownReader, "formToken">): Html =>
  smallForm({
    action: mailTestPath,
    reader,
    legend: null,
    isAct: true,
    idPrefix: "mail",
    mistakes,
    button: "Send a test mail",
    fields: [
      {
        name: "email",
        label: "To",
        help: "If the server does not take the mail, this page shows what it answered.",
        input: { is: "email", value: to, charsMax: personNameCharsMax, isRequired: true },
      },
    ],
  });

/** Why the mail server did not take a test mail, as a sentence; null if it did. Has the limits of a channel's test. */
export async function sendTestMail(
  { testMessages }: PageRooms,
  { reader, signal }: FormRequest,
  to: string,
): Promise<string | null> {
  if (!addressPattern.test(to))
    throw violation({
      field: "email",
      message: "must be one address, for example ops@example.com",
    });
  const channel = {
    id: "mail-server",
    name: "Mail server",
    provider: "email",
    configuration: { email: to },
  } as const;
  const timeZone = reader.timeZone === "" ? "UTC" : reader.timeZone;
  return testMessages.sendByMailServer({ channel, timeZone }, actorOf(reader), signal);
}
