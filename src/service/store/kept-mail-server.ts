/** The setting that an owner gives on the pages: by which server mails are sent. */
export const mailServerSetting = "mail server";

/** What the setting says, as JSON. Its password is sealed for this server alone, so that it never goes to another. */
export interface KeptMailServer {
  readonly host: string;
  readonly port: number;
  readonly security: "implicit" | "starttls" | "if-offered";
  /** Empty if the server asks for none. */
  readonly user: string;
  readonly sender: string;
  /** Empty without a user. */
  readonly sealed: string;
  /** Equal for equal passwords. */
  readonly fingerprint: string;
}

export function keptMailServer(value: string): KeptMailServer {
  const kept: KeptMailServer = JSON.parse(value);
  return kept;
}
