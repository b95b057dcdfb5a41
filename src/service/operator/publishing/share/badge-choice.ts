import { html, type Html } from "#web/page/html";
import { choiceField } from "#service/operator/form-fields";
import { type BadgeLook, badgeHeights } from "#service/status-site/documents/badge";
import { badgeLookIn } from "#service/status-site/badge-writing";
import type { ComponentRow } from "#service/store/page-store";

/** A badge that is chosen to be copied: of what it is, and how it looks. */
interface BadgeChoice {
  /** Null: of the page as a whole. */
  readonly component: Pick<ComponentRow, "id" | "name"> | null;
  readonly look: BadgeLook;
}

/** As the address of the tab says it; it names what it is about, unless only the state is wanted. */
export function badgeChoiceIn(
  query: URLSearchParams,
  components: readonly ComponentRow[],
): BadgeChoice {
  return {
    component: components.find(({ id }) => String(id) === query.get("of")) ?? null,
    look: { ...badgeLookIn(query), isNamed: query.get("text") !== "state" },
  };
}

/** Where it is below its page. What is as usual is not said. */
export function badgePath({ component, look }: BadgeChoice): string {
  const { isNamed, theme, size } = look;
  const query = new URLSearchParams([
    ...(isNamed ? [["label", "name"]] : []),
    ...(theme === "light" ? [] : [["theme", theme]]),
    ...(size === "sm" ? [] : [["size", size]]),
  ]);
  const asked = query.size === 0 ? "" : `?${query.toString()}`;
  return `/badge${component === null ? "" : `/${component.id}`}${asked}`;
}

/** A form that shows the tab again with another badge: at once, if scripts may run. The box that is chosen, `box`, stays. */
export const badgeChoiceForm = (
  action: string,
  { component, look }: BadgeChoice,
  components: readonly ComponentRow[],
  box: string,
): Html =>
  html`<form
    role="search"
    class="filter instant"
    method="get"
    action="${action}"
    aria-label="Choose a badge"
  >
    ${choiceField(
      "State of",
      "of",
      [["", "The whole page"], ...components.map(({ id, name }) => [String(id), name] as const)],
      component === null ? "" : String(component.id),
    )}
    ${choiceField("Text", "text", texts, look.isNamed ? "" : "state")}
    ${choiceField("Size", "size", sizes, look.size)}
    ${choiceField("Theme", "theme", themes, look.theme)}
    <input type="hidden" name="box" value="${box}" />
    <button type="submit">Show</button>
  </form>`;

const texts = [
  ["", "Name and state"],
  ["state", "State alone"],
] as const;
const themes = [
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

const sized = (size: BadgeLook["size"], words: string) =>
  [size, `${words}, ${badgeHeights[size]}\u00a0px`] as const;
const sizes = [
  sized("sm", "Small"),
  sized("md", "Medium"),
  sized("lg", "Large"),
  sized("xl", "Largest"),
];
