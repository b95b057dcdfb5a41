import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/status-limits";
import { nearest } from "#base/nearest";
import { isTimeZone } from "#base/time-zone";
import { isFileAddress } from "#service/status-page/icon-name";
import { type PageDefinition, shownDays } from "#service/status-page/page-definition";
import { domainRefusal } from "#service/status-page/typed-domain";
import { themeFaults } from "#service/status-page/theme-rules";
import { lineFault } from "#base/text";

/** What is wrong with one field of a page, by its name in the contract. */
interface PageFault {
  readonly field: string;
  readonly message: string;
  /** A constant by which a tool knows it. */
  readonly reason: PageFaultReason;
}
type PageFaultReason =
  | "INVALID_ARGUMENT"
  | "INVALID_CUSTOM_DOMAIN"
  | "INVALID_ICON_URL"
  | "PASSWORD_REQUIRED"
  | "AUTH_EMAIL_DOMAINS_REQUIRED";

/** What a page may not say; `password` is the one that it has or is given, empty if there is none. */
export const pageFaults = (page: PageDefinition, password: string): readonly PageFault[] => [
  ...textFaults(page),
  ...addressFaults(page),
  ...accessFaults(page, password),
  ...localeFaults(page),
  ...(isTimeZone(page.timeZone) ? [] : [fault("time_zone", zoneWanted)]),
  ...themeFaults(page.customTheme).map((message) => fault("custom_theme", message)),
  ...configurationFaults(page),
];

/** What a component or a group of a page may not be called, or say. */
export function partFaults({
  name,
  description,
}: {
  readonly name: string;
  readonly description: string;
}): readonly PageFault[] {
  const { nameCharsMax, descriptionCharsMax } = checkLimits;
  return [
    ...lengthFault("name", name.trim() === "" ? "" : name, 1, nameCharsMax),
    ...controlFault("name", name),
    ...lengthFault("description", description, 0, descriptionCharsMax),
  ];
}

/** What a page consists of, by the names that files and calls give its parts. */
interface PageParts {
  readonly groups: readonly { readonly name: string }[];
  readonly components: readonly {
    readonly name: string;
    readonly description: string;
    /** The name of its group; empty if it is in none. */
    readonly group: string;
  }[];
}

interface PartFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What is wrong with the groups and components of a page, each and together. */
export function partsFaults({ groups, components }: PageParts): readonly PartFault[] {
  const named = groups.map(({ name }) => ({ name, description: "" }));
  return [
    ...listFaults("groups", named, limits.pageGroupsMax),
    ...listFaults("components", components, limits.pageComponentsMax),
    ...components.flatMap(({ group }, index) =>
      group === "" || named.some(({ name }) => name === group)
        ? []
        : [{ path: ["components", index, "group"], message: noGroup(group, named) }],
    ),
  ];
}

function listFaults(
  list: string,
  parts: readonly { readonly name: string; readonly description: string }[],
  max: number,
): readonly PartFault[] {
  const names = parts.map(({ name }) => name);
  const count = `has ${parts.length} entries, more than ${max}`;
  return [
    ...(parts.length > max ? [{ path: [list], message: count }] : []),
    ...parts.flatMap((part, index) =>
      partFaults(part).map(({ field, message }) => ({ path: [list, index, field], message })),
    ),
    ...names.flatMap((name, index) => {
      const first = names.indexOf(name);
      const message = `is already the name of ${list}[${first}]`;
      return name !== "" && first < index ? [{ path: [list, index, "name"], message }] : [];
    }),
  ];
}

function noGroup(group: string, groups: readonly { readonly name: string }[]): string {
  const meant = nearest(
    group,
    groups.map(({ name }) => name),
  );
  return `is not the name of a group of this page${meant === null ? "" : `; did you mean ${meant}?`}`;
}

const fault = (
  field: string,
  message: string,
  reason: PageFaultReason = "INVALID_ARGUMENT",
): PageFault => ({ field, message, reason });

const zoneWanted = "must be an IANA name, for example Europe/Berlin";

const lengthFault = (field: string, text: string, min: number, max: number): readonly PageFault[] =>
  text.length >= min && text.length <= max
    ? []
    : [
        fault(
          field,
          min === 0 ? `is longer than ${max} characters` : `must be 1 to ${max} characters long`,
        ),
      ];

function controlFault(field: string, text: string): readonly PageFault[] {
  const wrong = lineFault(text);
  return wrong === null ? [] : [fault(field, wrong)];
}

const textFaults = ({ title, description, slug }: PageDefinition): readonly PageFault[] => [
  ...lengthFault("title", title.trim(), 1, checkLimits.nameCharsMax),
  ...controlFault("title", title),
  ...lengthFault("description", description, 0, checkLimits.descriptionCharsMax),
  ...lengthFault("slug", slug, 1, checkLimits.nameCharsMax),
  ...(hasSlugLetters(slug) || slug === "" ? [] : [fault("slug", slugWords)]),
];

/** What a page's name in the address may have. */
export const slugWords =
  "may have lower-case letters, digits and single hyphens inside, for example acme-shop";

const hasSlugLetters = (text: string): boolean => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text);

export const isSlug = (text: string): boolean =>
  text.length <= checkLimits.nameCharsMax && hasSlugLetters(text);

function addressFaults(page: PageDefinition): readonly PageFault[] {
  const { homepageUrl, contactUrl, icon, customDomain } = page;
  const faults: PageFault[] = [];
  if (!isLink(homepageUrl, ["http:", "https:"]))
    faults.push(
      fault("homepage_url", "must be an http or https URL, for example https://www.acme.example"),
    );
  if (!isLink(contactUrl, ["http:", "https:", "mailto:"]))
    faults.push(
      fault(
        "contact_url",
        "must be an http, https or mailto URL, for example mailto:help@acme.example",
      ),
    );
  const isIcon = isLink(icon, ["https:"]) || isFileAddress(icon);
  if (!isIcon || icon.length > limits.pageIconCharsMax)
    faults.push(
      fault(
        "icon",
        `must be an https URL of at most ${limits.pageIconCharsMax} characters, for example https://acme.example/icon.png`,
        "INVALID_ICON_URL",
      ),
    );
  if (customDomain !== "" && !isDomain(customDomain))
    faults.push(fault("custom_domain", domainRefusal(customDomain), "INVALID_CUSTOM_DOMAIN"));
  return faults;
}

/** Empty, or a URL of one of these schemes, with nothing in it that its reader should not send. */
function isLink(text: string, schemes: readonly string[]): boolean {
  if (text === "") return true;
  const url = text.length > checkLimits.targetCharsMax ? null : URL.parse(text);
  return url !== null && schemes.includes(url.protocol) && url.username + url.password === "";
}

const isDomain = (text: string): boolean =>
  text.length <= checkLimits.nameCharsMax &&
  !/^www\./i.test(text) &&
  /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(text);

function accessFaults(page: PageDefinition, password: string): readonly PageFault[] {
  const { access, emailDomains, addressRanges } = page;
  const faults: PageFault[] = [];
  if (password.length > checkLimits.nameCharsMax)
    faults.push(fault("password", `is longer than ${checkLimits.nameCharsMax} characters`));
  if (access === "password" && password.trim() === "")
    faults.push(fault("password", "is required if access is by password", "PASSWORD_REQUIRED"));
  const wrongDomain = emailDomains.find((one) => !isDomain(one));
  if (wrongDomain !== undefined)
    faults.push(
      fault("auth_email_domains", "must be domains with a dot, for example acme.example"),
    );
  if (emailDomains.length > limits.pageAccessEntriesMax)
    faults.push(
      fault("auth_email_domains", `has more than ${limits.pageAccessEntriesMax} entries`),
    );
  if (access === "email-domain" && emailDomains.length === 0)
    faults.push(
      fault(
        "auth_email_domains",
        "must name a domain if access is by e-mail",
        "AUTH_EMAIL_DOMAINS_REQUIRED",
      ),
    );
  if (access === "ip-restriction" && addressRanges.length === 0)
    faults.push(fault("allowed_ip_ranges", "must name a range if access is by address"));
  if (addressRanges.length > limits.pageAccessEntriesMax)
    faults.push(fault("allowed_ip_ranges", `has more than ${limits.pageAccessEntriesMax} entries`));
  return faults;
}

const localeFaults = ({ locales, defaultLocale }: PageDefinition): readonly PageFault[] =>
  locales.length === 0 || locales.includes(defaultLocale)
    ? []
    : [fault("default_locale", "must be one of locales")];

function configurationFaults({ configuration }: PageDefinition): readonly PageFault[] {
  return shownDays.some((one) => one === configuration.days)
    ? []
    : [fault("configuration.days", `must be one of ${shownDays.join(", ")}`)];
}
