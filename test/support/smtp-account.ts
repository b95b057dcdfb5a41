import type { SmtpAccount } from "#service/notify/accounts";

/** A mail server on this machine as the environment says it: without a login, and with TLS if it offers that. */
export const smtpOnThisMachine = (
  port: number,
  from: string,
  more: Partial<SmtpAccount> = {},
): SmtpAccount => ({
  host: "127.0.0.1",
  port,
  tls: "if-offered",
  login: null,
  dkim: null,
  from,
  isGiven: false,
  ...more,
});
