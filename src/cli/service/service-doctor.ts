import { clusterFindings } from "#cli/service/cluster-findings";
import { databaseFindings } from "#cli/service/database-findings";
import { examine, failed, fine, type Finding, warning } from "#cli/doctor/finding";
import { linkFindings } from "#cli/service/link-findings";
import { mailFindings } from "#cli/service/mail-findings";
import { newsFindings } from "#cli/service/news-findings";
import { showFindings } from "#cli/doctor/show-findings";
import type { Io } from "#cli/edge/io";
import { readCertificate } from "#cli/service/service-certificate";
import { trustedProxiesIn, unnamedProxy } from "#cli/service/service-proxies";
import { systemClock } from "#base/clock";
import type { IdentityFiles } from "#config/identity-files";
import { type NotifyReading, readNotifySettings } from "#service/settings/notify-settings";
import { unknownNames } from "#config/unknown-names";

interface DoctoredService {
  readonly files: IdentityFiles;
  readonly database: string;
  readonly secretFile: string;
}

/** `picket service doctor`: whether a service with these settings could notify people, one line for each thing. */
export async function runServiceDoctor(
  { files, database, secretFile }: DoctoredService,
  asJson: boolean,
  io: Io,
): Promise<number> {
  const notify = readNotifySettings(io.env, systemClock.wall());
  const certificate = readCertificate(files, systemClock);
  const errors = [...notify.errors, ...certificate.errors];
  const warnings = [...notify.warnings, ...certificate.warnings];
  const configured = [
    ...(errors.length === 0 ? [fine("configuration", "can be used")] : []),
    ...unknownNames(io.env).map((one) =>
      warning("configuration", one, "correct its name, or remove it"),
    ),
    ...warnings.map((one) => warning("configuration", one, "check that file")),
    ...errors.map((one) =>
      failed("configuration", one, "correct it in the service's environment: it does not start"),
    ),
  ];
  const file = await examine("database", () => databaseFindings(database));
  const cluster = await examine("cluster", () => clusterFindings(database));
  const isWhole = file.every(({ level }) => level === "fine");
  const place = { database, secretFile, isWhole };
  const mail = await examine("mail", () => mailFindings(notify, place, io.signal));
  const news = isWhole
    ? await examine("news", () => newsFindings(database, systemClock.wall()))
    : [];
  // A damaged file does not say which address an owner gave.
  const links =
    isWhole || notify.publicUrl !== null
      ? await examine("links", () => linkFindings(notify.publicUrl, database))
      : [];
  const proxies = proxyFindings(notify, certificate.identity !== null, io);
  const findings = [...configured, ...links, ...proxies, ...mail, ...file, ...cluster, ...news];
  return showFindings(findings, asJson, io);
}

function proxyFindings(
  { publicUrl }: NotifyReading,
  speaksTls: boolean,
  { env }: Io,
): readonly Finding[] {
  const unnamed = unnamedProxy(publicUrl, speaksTls, trustedProxiesIn(env));
  if (unnamed === null) return [];
  const next = "set PICKET_SERVICE_TRUSTED_PROXIES to the address of the proxy, e.g. 127.0.0.1";
  return [warning("proxy", unnamed, next)];
}
