import type { Environment } from "#config/environment";
import { ServiceValues } from "#service/settings/service-values";
import { isOn, listOf } from "#config/setting-kinds";
import { readTrustFiles, trustMaterial } from "#config/trust-files";
import { hostPortOf } from "#network/host-port";
import { isThisMachine } from "#network/listen-address";
import { parseNoProxy } from "#network/no-proxy";
import { parseProxy, type Proxying } from "#network/proxy";
import {
  type Accounts,
  type DkimKey,
  noAccounts,
  type SmtpAccount,
  type TwilioAccount,
  type WhatsappAccount,
} from "#service/notify/accounts";
import type { SenderOptions } from "#service/notify/sender";
import { systemTrust } from "#machine/trust";
import type { EpochMillis } from "#base/units";

export interface NotifyReading {
  /** The service's address as people open it; null if no setting says it. */
  readonly publicUrl: string | null;
  /** What is fetched while the service works; null if no setting says it. */
  readonly heartbeatUrl: string | null;
  readonly notifying: Omit<SenderOptions, "clock" | "userAgent">;
  /** Each names its variable, and quotes no secret. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** How notifications are sent: the accounts that the service has, and the way to their providers. */
export function readNotifySettings(env: Environment, now: EpochMillis): NotifyReading {
  const values = new ServiceValues(env);
  const trust = readTrustFiles(
    {
      authorities: values.named("PICKET_CA_FILE"),
      certificate: values.named("PICKET_CLIENT_CERT_FILE"),
      key: values.named("PICKET_CLIENT_KEY_FILE"),
    },
    now,
  );
  const accounts: Accounts = {
    ...noAccounts,
    ...mailIn(values),
    telegram: telegramIn(values),
    sms: smsIn(values),
    whatsapp: whatsappIn(values),
    phoneMonthlyMax: Number(values.text("PICKET_PHONE_MESSAGES_MAX")),
    pagerdutyUrl: values.url("PICKET_PAGERDUTY_URL"),
  };
  const trusted = systemTrust(trustMaterial(trust.trusted));
  const notifying = {
    accounts,
    proxying: proxyingIn(values),
    secureContext: () => trusted.secureContext(),
    httpAllowed: isOn(values.text("PICKET_NOTIFY_ALLOW_HTTP")),
  };
  const publicUrl = values.url("PICKET_SERVICE_PUBLIC_URL");
  const heartbeatUrl = values.secret("PICKET_SERVICE_HEARTBEAT_URL");
  return {
    notifying,
    heartbeatUrl: heartbeatUrl === "" ? null : heartbeatUrl,
    publicUrl: publicUrl === "" ? null : `${publicUrl}/`,
    errors: [...new Set(values.errors), ...trust.errors],
    warnings: trust.warnings,
  };
}

/** The key signs the mails of a server that an owner gives on the pages, too. */
function mailIn(values: ServiceValues): Pick<Accounts, "smtp" | "dkim"> {
  const dkim = dkimIn(values);
  return { smtp: smtpIn(values, dkim), dkim };
}

function smtpIn(values: ServiceValues, dkim: DkimKey | null): SmtpAccount | null {
  const given = values.together(
    {
      PICKET_SMTP_URL: values.secret("PICKET_SMTP_URL"),
      PICKET_SMTP_FROM: values.text("PICKET_SMTP_FROM"),
    },
    "mail",
  );
  if (given === null) return null;
  const url = new URL(given.PICKET_SMTP_URL);
  const { host } = hostPortOf(url);
  const implicit = url.protocol === "smtps:";
  return {
    host,
    port: Number(url.port || (implicit ? 465 : 587)),
    tls: implicit ? "implicit" : isThisMachine(url.hostname) ? "if-offered" : "starttls",
    login:
      url.username === ""
        ? null
        : { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) },
    from: given.PICKET_SMTP_FROM,
    dkim,
    isGiven: false,
  };
}

function dkimIn(values: ServiceValues): DkimKey | null {
  const file = values.text("PICKET_SMTP_DKIM_KEY_FILE");
  const given = values.together(
    {
      PICKET_SMTP_DKIM_DOMAIN: values.text("PICKET_SMTP_DKIM_DOMAIN"),
      PICKET_SMTP_DKIM_SELECTOR: values.text("PICKET_SMTP_DKIM_SELECTOR"),
      PICKET_SMTP_DKIM_KEY_FILE: file,
    },
    "DKIM",
  );
  if (given === null) return null;
  const privateKey = values.privateKey("PICKET_SMTP_DKIM_KEY_FILE", file);
  if (privateKey === "") return null;
  const { PICKET_SMTP_DKIM_DOMAIN: domain, PICKET_SMTP_DKIM_SELECTOR: selector } = given;
  return { domain, selector, privateKey };
}

function telegramIn(values: ServiceValues): Accounts["telegram"] {
  const token = values.secret("PICKET_TELEGRAM_BOT_TOKEN");
  const baseUrl = values.url("PICKET_TELEGRAM_URL");
  return token === "" ? null : { token, baseUrl };
}

function twilioIn(
  values: ServiceValues,
  sender: Readonly<Record<string, string>>,
): TwilioAccount | null {
  const given = values.together(
    {
      PICKET_TWILIO_ACCOUNT_SID: values.text("PICKET_TWILIO_ACCOUNT_SID"),
      PICKET_TWILIO_AUTH_TOKEN: values.secret("PICKET_TWILIO_AUTH_TOKEN"),
      ...sender,
    },
    "Twilio",
  );
  if (given === null) return null;
  const accountSid = given.PICKET_TWILIO_ACCOUNT_SID;
  return {
    accountSid,
    user: values.text("PICKET_TWILIO_API_KEY") || accountSid,
    password: given.PICKET_TWILIO_AUTH_TOKEN,
    baseUrl: values.url("PICKET_TWILIO_URL"),
  };
}

/** An account that carries WhatsApp alone has no sender of SMS. */
function smsIn(values: ServiceValues): Accounts["sms"] {
  const from = values.text("PICKET_TWILIO_FROM");
  if (from === "" && values.text("PICKET_WHATSAPP_PROVIDER") === "twilio") return null;
  const account = twilioIn(values, { PICKET_TWILIO_FROM: from });
  if (account === null) return null;
  return {
    ...account,
    from: from.startsWith("MG")
      ? { by: "messaging-service", sid: from }
      : { by: "number", number: from },
  };
}

function whatsappIn(values: ServiceValues): WhatsappAccount | null {
  const sender = {
    PICKET_WHATSAPP_FROM: values.text("PICKET_WHATSAPP_FROM"),
    PICKET_WHATSAPP_TEMPLATE: values.text("PICKET_WHATSAPP_TEMPLATE"),
  };
  const number = sender.PICKET_WHATSAPP_FROM;
  const template = sender.PICKET_WHATSAPP_TEMPLATE;
  switch (values.text("PICKET_WHATSAPP_PROVIDER")) {
    case "twilio": {
      const account = twilioIn(values, sender);
      return account && { ...account, by: "twilio", number, contentSid: template };
    }
    case "meta": {
      const token = values.secret("PICKET_WHATSAPP_TOKEN");
      const language = values.text("PICKET_WHATSAPP_LANGUAGE");
      const baseUrl = values.url("PICKET_WHATSAPP_URL");
      const given = values.together(
        { ...sender, PICKET_WHATSAPP_TOKEN: token },
        "WhatsApp by Meta",
      );
      return given && { by: "meta", phoneNumberId: number, token, template, language, baseUrl };
    }
    default:
      return null;
  }
}

function proxyingIn(values: ServiceValues): Proxying {
  const proxy = parseProxy(values.text("PICKET_NOTIFY_PROXY"));
  const exceptions = listOf(values.text("PICKET_NO_PROXY"))
    .map(parseNoProxy)
    .flatMap((one) => (one.ok ? one.value : []));
  return { proxy: proxy.ok ? proxy.value : null, exceptions };
}
