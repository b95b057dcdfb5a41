import { percentDecoded } from "#base/text";

/** One address without a name; what else may be wrong with it, its server says. */
export const addressPattern: RegExp = /^[^\s@<>,;:"()[\]\\]{1,64}@[^\s@<>,;:"()[\]\\]{1,253}$/;

/** The same of a reader of a status page, whose mail goes to another network: what follows the @ has a dot. */
export const isReaderAddress = (text: string): boolean =>
  addressPattern.test(text) && /[^.]\.[^.]+$/.test(text.slice(text.indexOf("@") + 1));

/**
 * The address in what people paste: `mailto:ops@example.com?subject=x`, `Ops <ops@example.com>`, `<ops@example.com>`. What is
 * none of these stays as it is.
 */
export function pastedAddress(text: string): string {
  const bare = text
    .trim()
    .replace(/^mailto:/i, "")
    .replace(/[,;]$/, "");
  const [, inside = percentDecoded(bare.replace(/\?.*$/s, ""))] =
    /^[^<>]*<([^<>]*)>$/.exec(bare) ?? [];
  const address = inside.trim().replace(/^mailto:/i, "");
  return addressPattern.test(address) ? address : text;
}

/** The domain of an address, or of a name with an address in angle brackets. */
export const mailDomain = (text: string): string =>
  /@([^>@\s]+)>?$/.exec(text)?.[1]?.toLowerCase() ?? "picket.invalid";

export const noMailServer =
  "mail needs a server: set one in Settings → Mail, or by PICKET_SMTP_URL and PICKET_SMTP_FROM at the service";
