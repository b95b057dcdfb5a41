import type {
  CreateStatusPageRequest,
  UpdateStatusPageRequest,
} from "#contract/openstatus/status_page/v1/status_page_pb";
import { parseBlock } from "#network/address-block";
import { refuseViolations } from "#service/edge/call-refusal";
import { configurationIn } from "#service/status-site/page-message";
import {
  locales,
  pageAccesses,
  pageDefaults,
  type PageDefinition,
  pageThemes,
} from "#service/status-page/page-definition";
import { namedFields, pageFieldNames } from "#service/status-page/page-field-names";
import { wordOf } from "#wire/enum-words";

/** The fields that all messages of a page have. */
type PageFields = Omit<CreateStatusPageRequest, "$typeName" | "$unknown" | "title" | "slug"> & {
  readonly title?: string | undefined;
  readonly slug?: string | undefined;
};

/** A new page as a request says it. */
export const newDefinition = (request: PageFields): PageDefinition =>
  merged(request, empty, (list) => list);

const empty: PageDefinition = { ...pageDefaults, title: "", slug: "" };

/** A page with what a request changes: what is absent stays, and an empty list that its mask does not name. */
export function changedDefinition(
  request: UpdateStatusPageRequest,
  before: PageDefinition,
): PageDefinition {
  const named = maskOf(request);
  const cleared = Object.fromEntries(
    [...named].flatMap((path) => {
      const own = defaultOf.get(path);
      return own === undefined ? [] : [own];
    }),
  );
  return merged(request, { ...before, ...cleared }, (list, old) => (list.length > 0 ? list : old));
}

/** Whether a request sets the password, and to what; null leaves it. */
export const changedPassword = (request: UpdateStatusPageRequest): string | null =>
  request.password ?? (maskOf(request).has("password") ? "" : null);

function merged(
  given: PageFields,
  before: PageDefinition,
  listOr: <T>(list: readonly T[], before: readonly T[]) => readonly T[],
): PageDefinition {
  const { customTheme: theme, configuration, allowedIpRanges: ranges } = given;
  const wanted: PageDefinition = {
    title: given.title ?? before.title,
    description: given.description ?? before.description,
    slug: given.slug ?? before.slug,
    customDomain: given.customDomain ?? before.customDomain,
    published: given.published ?? before.published,
    access: wordIn("access_type", pageAccesses, given.accessType) ?? before.access,
    emailDomains: listOr(given.authEmailDomains, before.emailDomains),
    addressRanges: ranges === undefined ? before.addressRanges : rangesIn(ranges),
    theme: wordIn("theme", pageThemes, given.theme) ?? before.theme,
    customTheme:
      theme === undefined ? before.customTheme : { light: theme.light, dark: theme.dark },
    homepageUrl: given.homepageUrl ?? before.homepageUrl,
    contactUrl: given.contactUrl ?? before.contactUrl,
    icon: given.icon ?? before.icon,
    defaultLocale: wordIn("default_locale", locales, given.defaultLocale) ?? before.defaultLocale,
    locales: listOr(
      [...new Set(given.locales.flatMap((one) => wordIn("locales", locales, one) ?? []))],
      before.locales,
    ),
    timeZone: given.timeZone ?? before.timeZone,
    allowIndex: given.allowIndex ?? before.allowIndex,
    configuration:
      configuration === undefined
        ? before.configuration
        : configurationIn(configuration, before.configuration),
  };
  return wanted;
}

/** Null if nothing is said; a number that is none of the contract's is refused. */
function wordIn<T extends string>(
  field: string,
  words: readonly T[],
  number: number | undefined,
): T | null {
  if (number === undefined) return null;
  const word = words[number - 1];
  if (word === undefined)
    refuseViolations([
      { field, message: `is ${wordOf(words, number, "number")}, which is not one of them` },
    ]);
  return word ?? null;
}

function rangesIn(text: string): readonly string[] {
  const ranges = rangesOf(text);
  if (ranges === null)
    refuseViolations([{ field: "allowed_ip_ranges", message: `must be ${rangesWanted}` }]);
  return ranges ?? [];
}

export const rangesWanted =
  "addresses or CIDR ranges with commas between, for example 10.0.0.0/8, 192.0.2.7";

/**
 * Null for what is none. A bare address is itself alone; IPv6 is taken too. Spaces stay, so that the text is shown as it
 * was written.
 */
export function rangesOf(text: string): readonly string[] | null {
  if (text.trim() === "") return [];
  const ranges = text.split(",");
  return ranges.every((one) => parseBlock(one.trim()) !== null) ? ranges : null;
}

/** What a field becomes that the mask names and the request leaves out. */
const defaultOf: ReadonlyMap<string, readonly [string, unknown]> = new Map(
  Object.entries(pageFieldNames).map(([field, name]) => [name, [field, namedFields(empty)[name]]]),
);

function maskOf({ updateMask }: UpdateStatusPageRequest): ReadonlySet<string> {
  const named = new Set(updateMask?.paths ?? []);
  const odd = [...named].filter((path) => !defaultOf.has(path) && path !== "password");
  const all = [...defaultOf.keys(), "password"].join(", ");
  refuseViolations(
    odd.map((path) => ({
      field: "update_mask",
      message: `names "${path.slice(0, 64)}", which is not one of ${all}`,
    })),
  );
  return named;
}
