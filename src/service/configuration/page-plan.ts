import { randomUUID } from "node:crypto";
import {
  type FieldDifference,
  fieldDifference,
  differencesByName,
} from "#service/configuration/field-difference";
import { planParts } from "#service/configuration/page-part-plan";
import { sorted } from "#service/configuration/place-plan";
import { byName, type Planning } from "#service/configuration/planning";
import type { WantedPage } from "#service/configuration/wanted-pages";
import type { StatusPages } from "#service/status-site/status-pages";
import { isFileAddress, withOwnIcon } from "#service/status-page/icon-name";
import { ownDomain, type PageDefinition } from "#service/status-page/page-definition";
import {
  namedConfiguration,
  namedFields,
  type PageFieldName,
} from "#service/status-page/page-field-names";
import type { PageContent, StatusPageRow } from "#service/store/page-store";
import type { EpochMillis } from "#base/units";

interface PagePlanning {
  readonly at: EpochMillis;
  readonly statusPages: StatusPages;
}

/** Plans the status pages, which are known by their slugs, and what stands on each. */
export function planPages(
  planning: Planning,
  wanted: readonly WantedPage[],
  scene: PagePlanning,
): void {
  const rows = planning.estate.pages.map((content) => {
    const { id, owner } = content.page;
    return { id, owner, content };
  });
  const slugOf = ({ content }: { readonly content: PageContent }): string =>
    content.page.definition.slug;
  const known = byName("status_page", rows, slugOf, wanted);
  for (const one of wanted) {
    const { row, notes, clear } = planning.find("status_page", one, known);
    if (clear) planPage(planning, one, { content: row?.content ?? null, notes, ...scene });
  }
}

/** The key of a page that is made; what stands on it has this before its name. */
const pageKey = (slug: string): string => `page ${slug}`;

function planPage(
  planning: Planning,
  one: WantedPage,
  {
    content,
    notes,
    at,
    statusPages,
  }: PagePlanning & { readonly content: PageContent | null; readonly notes: readonly string[] },
): void {
  const { name, password } = one;
  const row = content?.page ?? null;
  const definition = withKnownIcon(planning, one, row);
  const secret = passwordDifference(row, password, statusPages);
  const fields =
    row === null
      ? []
      : [...differencesByName(compared(row.definition), compared(definition)), ...secret];
  const isSame = row !== null && fields.length + notes.length === 0;
  const action = row === null ? "create" : isSame ? "same" : "update";
  planning.say(row?.id ?? null, { action, kind: "status_page", name, fields, notes });
  const parts = planParts(planning, one, content);
  const id = row?.id ?? null;
  planning.knowPage(name, { page: id ?? pageKey(name), components: parts.refs });
  const uid = row?.uid ?? randomUUID();
  const sealed = secret.length === 0 ? (row?.sealed ?? "") : statusPages.sealed(password, uid);
  const to = { uid, definition, sealed, owner: planning.owner, labels: row?.labels ?? {}, at };
  const { groups, components } = parts;
  if (isSame && groups.length + components.length === 0) return;
  planning.writes.pages.push({
    key: pageKey(name),
    id,
    to: isSame ? null : to,
    at,
    groups,
    components,
  });
}

/** An icon that is a file is the page's own, or there is none to show. */
function withKnownIcon(
  { conflicts }: Planning,
  { name, definition }: WantedPage,
  row: StatusPageRow | null,
): PageDefinition {
  const before = row?.definition.icon ?? "";
  const known = withOwnIcon(definition, before);
  if (known.icon !== before && isFileAddress(known.icon))
    conflicts.push(
      `The status page "${name}" has the icon "${known.icon}", a file that it does not have: write an https URL, or leave it out and choose the file on its Look tab.`,
    );
  return known;
}

/** A password that cannot be read here counts as another one. */
function passwordDifference(
  row: StatusPageRow | null,
  password: string,
  statusPages: StatusPages,
): readonly FieldDifference[] {
  const before = row === null ? "" : statusPages.passwordOf(row);
  return before === password ? [] : [fieldDifference("password", "", "")];
}

/** By the names that files have; what has no order is put into one. */
const compared = (page: PageDefinition): Readonly<Record<PageFieldName, unknown>> => ({
  ...namedFields(page),
  auth_email_domains: asSet(page.emailDomains),
  allowed_ip_ranges: asSet(page.addressRanges.map((one) => one.trim())),
  custom_theme: themeOf(page),
  locales: page.locales.join(", "),
  configuration: namedConfiguration(page.configuration),
});

const asSet = (all: readonly string[]): string => all.toSorted().join(", ");

/** Variables have no order. */
const themeOf = ({ customTheme: { light, dark } }: PageDefinition): string =>
  [light, dark].every((one) => Object.keys(one).length === 0)
    ? ""
    : JSON.stringify({ light: sorted(light), dark: sorted(dark) });

/** No two pages have one domain; the service says so of those that the files leave where they are. */
export function refuseTakenDomains(planning: Planning, wanted: readonly WantedPage[]): void {
  const gone = new Set(
    planning.writes.removals.flatMap(({ kind, id }) => (kind === "page" ? [id] : [])),
  );
  const others = planning.estate.pages.filter(
    ({ page }) => !planning.isTaken("status_page", page.id) && !gone.has(page.id),
  );
  for (const { name, definition } of wanted) {
    const domain = ownDomain(definition);
    const other =
      domain === "" ? undefined : others.find((one) => ownDomain(one.page.definition) === domain);
    if (other !== undefined)
      planning.conflicts.push(
        `The status page "${name}" has the custom domain "${domain}", which is that of "${other.page.definition.slug}".`,
      );
  }
}
