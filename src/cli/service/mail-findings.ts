import { systemClock } from "#base/clock";
import { type Finding, failed, fine } from "#cli/doctor/finding";
import { isMissing } from "#cli/service/service-database";
import { showHostPort } from "#network/host-port";
import { MailServer } from "#service/edge/mail-server";
import { openBoxOf } from "#service/edge/secret-box";
import type { SmtpAccount } from "#service/notify/accounts";
import { MailPost } from "#service/notify/mail-post";
import type { NotifyReading } from "#service/settings/notify-settings";
import { mailServerSetting } from "#service/store/kept-mail-server";
import { isServer, openStore } from "#service/store/open-store";

/** Where an owner's server may be, and the key of its password. */
interface KeptPlace {
  readonly database: string;
  readonly secretFile: string;
  /** Of a damaged file nothing is read. */
  readonly isWhole: boolean;
}

/** Connects and signs in as it does for a mail, and sends none: at the environment's server, else at an owner's. */
export async function mailFindings(
  { notifying: { accounts, secureContext }, errors }: NotifyReading,
  place: KeptPlace,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const about = "mail";
  if (accounts.smtp === null && errors.some((one) => /SMTP|^mail /.test(one))) return [];
  const smtp = accounts.smtp ?? (await givenServer(place));
  if (smtp === null)
    return [fine(about, "off, because neither PICKET_SMTP_URL nor Settings → Mail sets a server")];
  await using post = new MailPost({ smtp }, { clock: systemClock, secureContext });
  const outcome = await post.reach(signal);
  if (outcome.is === "delivered") return [fine(about, reached(smtp))];
  if (!("trouble" in outcome)) return [];
  const { message, code } = outcome.trouble;
  const again = "then run picket service doctor again";
  const where = smtp.isGiven ? "Settings → Mail" : "PICKET_SMTP_URL";
  if (code === "unreachable" && outcome.is === "again")
    return [
      failed(
        about,
        message,
        `check that it runs and that no firewall blocks port ${smtp.port}, or correct ${where}; ${again}`,
      ),
    ];
  return [failed(about, message, `do that, ${again}`)];
}

/** The one that an owner gave on the pages; the key is looked for only if there is one. */
async function givenServer({
  database,
  secretFile,
  isWhole,
}: KeptPlace): Promise<SmtpAccount | null> {
  if (!isWhole || (!isServer(database) && isMissing(database))) return null;
  await using store = await openStore({ database, use: "command", onProgress: () => {} });
  const { settings } = store.state;
  if (!(await settings.all()).has(mailServerSetting)) return null;
  const box = await openBoxOf(secretFile, async () => true);
  const server = new MailServer(settings, box, { setting: null, dkim: null });
  await server.read();
  if (server.isLost)
    throw new Error(`the key in ${secretFile} does not open the mail server's password`);
  return server.account;
}

function reached({ host, port, tls, login }: SmtpAccount): string {
  const by = { implicit: " by TLS", starttls: " by STARTTLS", "if-offered": "" }[tls];
  const as = login === null ? "no user is set" : `it takes the user and the password`;
  return `${showHostPort(host, port)} answers${by}, and ${as}`;
}
