import { linkColours, linkGrounds, type MailBrand } from "#service/notify/mail-document";
import { plainText } from "#service/notify/message/plain";
import { canContrast, contrast } from "#service/status-page/contrast";
import { iconHref, isKeptIcon } from "#service/status-page/icon-name";
import type { PageDefinition } from "#service/status-page/page-definition";
import { coloursOf } from "#service/status-site/view/status-style";

/** A page's name, icon and colour, as its mails have them at the top. */
export function mailBrand(definition: PageDefinition, address: string): MailBrand {
  const colours = coloursOf(definition);
  const accent = {
    light: accentIn(colours.light, linkColours.light),
    dark: accentIn(colours.dark, linkColours.dark),
  };
  return {
    name: plainText(definition.title),
    icon: iconOf(definition, address),
    accent,
    links: { light: readableIn(accent, "light"), dark: readableIn(accent, "dark") },
  };
}

/**
 * Only a file that the service has itself: an icon elsewhere would show that host who reads the mail. A closed page gives
 * its icon to no mail program, and programs do not draw SVG or ICO.
 */
function iconOf(definition: PageDefinition, address: string): string | null {
  const { icon, access } = definition;
  const isDrawn = /\.(png|jpg|webp)$/.test(icon) && isKeptIcon(icon);
  return isDrawn && access === "public" && address.startsWith("https://")
    ? iconHref(definition, address)
    : null;
}

/** A colour that mail programs may not know, for example one that refers to another, is that of links in mails. */
function accentIn(colours: ReadonlyMap<string, string>, otherwise: string): string {
  const accent = colours.get("--primary") ?? "";
  return canContrast(accent) ? accent : otherwise;
}

/** An accent may be pale, as a line may: links in it have the contrast of WCAG AA, or keep their own colour. */
function readableIn(accent: MailBrand["accent"], scheme: keyof MailBrand["accent"]): string {
  const isRead = linkGrounds[scheme].every(
    (ground) => (contrast(accent[scheme], ground) ?? 0) >= contrastMin,
  );
  return isRead ? accent[scheme] : linkColours[scheme];
}

/** WCAG 2.2, 1.4.3. */
const contrastMin = 4.5;
