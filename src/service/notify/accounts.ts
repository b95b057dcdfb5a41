/** What the service itself has at providers, from its settings. All of it is secret; null is not set. */
export interface Accounts {
  readonly smtp: SmtpAccount | null;
  /** What signs mails by whichever server they go. */
  readonly dkim: DkimKey | null;
  readonly telegram: TelegramAccount | null;
  readonly sms: SmsAccount | null;
  readonly whatsapp: WhatsappAccount | null;
  /** Another for accounts in the EU. */
  readonly pagerdutyUrl: string;
  /** Messages to phones in a month, by SMS and WhatsApp together. */
  readonly phoneMonthlyMax: number;
  readonly opsgenieUrls: { readonly us: string; readonly eu: string };
}

export interface SmtpAccount {
  readonly host: string;
  readonly port: number;
  /** From the first byte, by STARTTLS, or as the server likes: then no certificate is checked. */
  readonly tls: "implicit" | "starttls" | "if-offered";
  readonly login: { readonly user: string; readonly password: string } | null;
  /** An address, or a name and an address in angle brackets. */
  readonly from: string;
  /** By which receivers see that a mail is the sender's; null signs none. */
  readonly dkim: DkimKey | null;
  /** Whether an owner gave it on the pages; else the environment says it. */
  readonly isGiven: boolean;
}

export interface DkimKey {
  readonly domain: string;
  readonly selector: string;
  /** PEM. */
  readonly privateKey: string;
}

interface TelegramAccount {
  readonly token: string;
  readonly baseUrl: string;
}

export interface TwilioAccount {
  readonly accountSid: string;
  /** The account's SID and token, or the SID of an API key and its secret. */
  readonly user: string;
  readonly password: string;
  readonly baseUrl: string;
}

interface SmsAccount extends TwilioAccount {
  readonly from:
    | { readonly by: "number"; readonly number: string }
    | { readonly by: "messaging-service"; readonly sid: string };
}

/** A business may write first only by a template that was approved. */
export type WhatsappAccount =
  | (TwilioAccount & {
      readonly by: "twilio";
      readonly number: string;
      readonly contentSid: string;
    })
  | {
      readonly by: "meta";
      readonly phoneNumberId: string;
      readonly token: string;
      readonly template: string;
      readonly language: string;
      /** With its version, e.g. https://graph.facebook.com/v23.0. */
      readonly baseUrl: string;
    };

export const noAccounts: Accounts = {
  smtp: null,
  dkim: null,
  telegram: null,
  sms: null,
  whatsapp: null,
  phoneMonthlyMax: 1_000,
  pagerdutyUrl: "https://events.pagerduty.com",
  opsgenieUrls: { us: "https://api.opsgenie.com", eu: "https://api.eu.opsgenie.com" },
};
