import type { PageDefinition } from "#service/status-page/page-definition";

/*
 * A page's icon lies elsewhere, or is a file that the service keeps. Then the definition has its path below the page,
 * `icon/HASH.png`: another picture has another path, so browsers may keep each one.
 */

/** The kinds of pictures that every browser shows as an icon, by the end of a file's name. */
export const iconTypes = {
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
  ico: "image/x-icon",
  svg: "image/svg+xml",
} as const;
export type IconKind = keyof typeof iconTypes;

const nameText = `[0-9a-f]{32}\\.(?:${Object.keys(iconTypes).join("|")})`;
const endingInName = new RegExp(`(?:^|/)icon/(${nameText})$`);
const keptPath = new RegExp(`^icon/${nameText}$`);

/** The name of the file in a page's icon, or in an address of it; null if it can be none. */
export const iconNameIn = (icon: string): string | null => endingInName.exec(icon)?.[1] ?? null;

/** Whether a definition has a file, and not an address elsewhere. */
export const isKeptIcon = (icon: string): boolean => keptPath.test(icon);

export const keptIcon = (name: string): string => `icon/${name}`;

/** What a file is sent as. */
export function iconTypeOf(name: string): string {
  const end = name.slice(name.lastIndexOf(".") + 1);
  return Object.entries(iconTypes).find(([kind]) => kind === end)?.[1] ?? "";
}

/** The address of a page's icon for its readers: that of a file is below the page. */
export const iconHref = ({ icon }: Pick<PageDefinition, "icon">, base: string): string =>
  isKeptIcon(icon) ? `${base}/${icon}` : icon;

/** What is said of a page's icon from outside: the address of its own file is that file. */
export function withOwnIcon(given: PageDefinition, before: string): PageDefinition {
  const own = isKeptIcon(before) ? iconNameIn(before) : null;
  return own !== null && iconNameIn(given.icon) === own ? { ...given, icon: before } : given;
}

/** Whether an icon names a file without saying at which service: only the page that has it can mean it. */
export const isFileAddress = (icon: string): boolean =>
  iconNameIn(icon) !== null && ["http:", undefined].includes(URL.parse(icon)?.protocol);
