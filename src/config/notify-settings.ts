import { createPrivateKey } from "node:crypto";
import { readBounded, whyUnusable } from "#config/bounded-file";
import type { Environment } from "#config/environment";
import { type ServiceSettingName, serviceSettings } from "#config/service-settings";
import { accepts, expectations, isOn, listOf } from "#config/setting-kinds";
import { readTrustFiles, trustMaterial } from "#config/trust-files";
import * as limits from "#limits/agent-limits";
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
} from "#notify/accounts";
import type { SenderOptions } from "#notify/sender";
import { systemTrust } from "#probes/connection/trust";
import type { EpochMillis } from "#units";

export interface NotifyReading {
  /** The service's address as people open it; null where no setting says it. */
  readonly publicUrl: string | null;
  /** What is fetched while the service works; null where no setting says it. */
  readonly heartbeatUrl: string | null;
  readonly notifying: Omit<SenderOptions, "clock" | "userAgent">;
  /** Each names its variable, and quotes no secret. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** How notifications are sent: the accounts that the service has, and the way to their providers. */
export function readNotifySettings(env: Environment, now: EpochMillis): NotifyReading {
  const values = new Values(env);
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
    smtp: smtpIn(values),
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

type SecretName = Extract<
  ServiceSettingName,
  | "PICKET_SERVICE_HEARTBEAT_URL"
  | "PICKET_SMTP_URL"
  | "PICKET_TELEGRAM_BOT_TOKEN"
  | "PICKET_TWILIO_AUTH_TOKEN"
  | "PICKET_WHATSAPP_TOKEN"
>;

/** The variables as they are set, and what is wrong with them. */
class Values {
  readonly #env: Environment;
  readonly errors: string[] = [];

  constructor(env: Environment) {
    this.#env = env;
  }

  /** Empty where neither the variable nor a default says anything. */
  text(name: ServiceSettingName): string {
    const { kind, fallback } = serviceSettings[name];
    const value = this.#env[name] || (fallback ?? "");
    if (value === "" || accepts[kind](value)) return value;
    this.errors.push(`${name} must be ${expectations[kind]}`);
    return fallback ?? "";
  }

  url(name: ServiceSettingName): string {
    return this.text(name).replace(/\/+$/, "");
  }

  named(name: ServiceSettingName): { readonly name: string; readonly file: string } {
    return { name, file: this.text(name) };
  }

  /** Written in the environment, or in the file that the variable with _FILE names. */
  secret(name: SecretName): string {
    const file = this.text(`${name}_FILE`);
    if (file === "") return this.text(name);
    if (this.text(name) !== "") {
      this.errors.push(`${name} and ${name}_FILE exclude each other: set one`);
      return "";
    }
    try {
      const value = readBounded(file, limits.tokenFileBytesMax).trim();
      const { kind } = serviceSettings[name];
      if (value !== "" && accepts[kind](value)) return value;
      this.errors.push(`${name}_FILE must name a file that holds ${expectations[kind]}`);
    } catch (error) {
      this.errors.push(`${name}_FILE cannot be read: ${whyUnusable(error)} (${file})`);
    }
    return "";
  }

  /** PEM from a file; empty where it cannot be used. */
  privateKey(name: ServiceSettingName, file: string): string {
    try {
      const pem = readBounded(file, limits.tokenFileBytesMax);
      if (isPrivateKey(pem)) return pem;
      this.errors.push(`${name} must name a file with a private key as PEM, without passphrase`);
    } catch (error) {
      this.errors.push(`${name} cannot be read: ${whyUnusable(error)} (${file})`);
    }
    return "";
  }

  /** Null where none of them is set; what is missing beside the others is an error. */
  together<N extends string>(
    given: Readonly<Record<N, string>>,
    what: string,
  ): Readonly<Record<N, string>> | null {
    const entries = Object.entries<string>(given);
    const missing = entries.filter(([, value]) => value === "").map(([name]) => name);
    if (missing.length === 0) return given;
    if (missing.length < entries.length)
      this.errors.push(`${what} needs ${missing.join(" and ")} too`);
    return null;
  }
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).type === "private";
  } catch {
    return false;
  }
}

function smtpIn(values: Values): SmtpAccount | null {
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
    dkim: dkimIn(values),
  };
}

function dkimIn(values: Values): DkimKey | null {
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

function telegramIn(values: Values): Accounts["telegram"] {
  const token = values.secret("PICKET_TELEGRAM_BOT_TOKEN");
  const baseUrl = values.url("PICKET_TELEGRAM_URL");
  return token === "" ? null : { token, baseUrl };
}

function twilioIn(values: Values, sender: Readonly<Record<string, string>>): TwilioAccount | null {
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
function smsIn(values: Values): Accounts["sms"] {
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

function whatsappIn(values: Values): WhatsappAccount | null {
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

function proxyingIn(values: Values): Proxying {
  const proxy = parseProxy(values.text("PICKET_NOTIFY_PROXY"));
  const exceptions = listOf(values.text("PICKET_NO_PROXY"))
    .map(parseNoProxy)
    .flatMap((one) => (one.ok ? one.value : []));
  return { proxy: proxy.ok ? proxy.value : null, exceptions };
}
