import type { NamesOfIds } from "#cli/apply/exported-channel";
import { variable } from "#cli/apply/exported-monitor";
import type {
  PageComponent,
  PageComponentGroup,
  StatusPage,
} from "#contract/openstatus/status_page/v1/status_page_pb";
import {
  componentArguments,
  groupArguments,
  pageArguments,
} from "#service/resources/page-arguments";
import { unusualValues } from "#cli/apply/unusual-values";
import { namedComponent, namedGroup } from "#service/status-page/part-definitions";
import { newDefinition } from "#service/status-site/page-fields";
import { pageDefaults, type PageDefinition } from "#service/status-page/page-definition";
import {
  namedConfiguration,
  namedFields,
  type PageFieldName,
} from "#service/status-page/page-field-names";

interface PageOnService {
  readonly page: StatusPage;
  readonly components: readonly PageComponent[];
  readonly groups: readonly PageComponentGroup[];
}

/** A status page by the arguments of a file, with all that stands on it; its password is a reference to a variable. */
export function exportedPage(
  { page, components, groups }: PageOnService,
  names: NamesOfIds,
): Readonly<Record<string, unknown>> {
  const definition = newDefinition(page);
  const hasPassword = page.password !== "" || definition.access === "password";
  return {
    ...unusualValues(valuesOf(definition), pageArguments),
    ...(hasPassword ? { password: variable(definition.slug, "password") } : {}),
    ...(groups.length === 0 ? {} : { groups: groups.map(exportedGroup) }),
    ...(components.length === 0
      ? {}
      : { components: exportedComponents(components, groups, names) }),
  };
}

const valuesOf = (definition: PageDefinition): Readonly<Record<PageFieldName, unknown>> => ({
  ...namedFields(definition),
  allowed_ip_ranges: definition.addressRanges.join(","),
  custom_theme: themeOf(definition),
  configuration: showingOf(definition),
});

function themeOf({ customTheme }: PageDefinition): object | null {
  const schemes = Object.entries(customTheme).filter(([, one]) => Object.keys(one).length > 0);
  return schemes.length === 0 ? null : Object.fromEntries(schemes);
}

function showingOf({ configuration }: PageDefinition): object | null {
  const usual: Readonly<Record<string, unknown>> = namedConfiguration(pageDefaults.configuration);
  const said = Object.entries(namedConfiguration(configuration)).filter(
    ([name, value]) => value !== usual[name],
  );
  return said.length === 0 ? null : Object.fromEntries(said);
}

const exportedGroup = (group: PageComponentGroup): object =>
  unusualValues(namedGroup(group), groupArguments);

/** In the order of the page, so that only an order which is none of a list's has to be said. */
function exportedComponents(
  components: readonly PageComponent[],
  groups: readonly PageComponentGroup[],
  names: NamesOfIds,
): readonly object[] {
  const inGroup = new Map<string, number>();
  return components
    .toSorted((a, b) => a.order - b.order || a.groupOrder - b.groupOrder)
    .map((one, index) => {
      const { name, order, groupId, groupOrder } = one;
      const place = inGroup.get(groupId) ?? 0;
      inGroup.set(groupId, place + 1);
      const group = groups.find(({ id }) => id === groupId)?.name;
      const monitor = one.monitorId === "" ? null : names.monitor(one.monitorId);
      const values = {
        monitor,
        ...namedComponent(one),
        name: name === monitor ? null : name,
        group: group ?? null,
        order: order === index ? null : order,
        group_order: group === undefined || groupOrder === place ? null : groupOrder,
      };
      return unusualValues(values, componentArguments);
    });
}
