import {
  badge,
  type BadgeLook,
  badgeThemes,
  badgeVariants,
  shieldColours,
} from "#service/status-site/documents/badge";
import type { PageRoute } from "#service/status-site/page-path";
import { json } from "#service/status-site/page-writing";
import type { PageText } from "#service/status-site/published-pages";
import { wordsIn } from "#service/status-site/view/words";
import { componentsOf, headlineOf, type PageModel } from "#service/status-page/page-model";

/** How a badge is wanted; what is none of the words is as usual. */
export function badgeLookIn(query: URLSearchParams): BadgeLook {
  const sizes = ["sm", "md", "lg", "xl"] as const;
  return {
    theme: badgeThemes.find((one) => one === query.get("theme")) ?? "light",
    size: sizes.find((one) => one === query.get("size")) ?? "sm",
    variant: badgeVariants.find((one) => one === query.get("variant")) ?? "default",
    isNamed: query.get("label") === "name",
  };
}

/** A badge of the page or of one component; null if there is no such component. */
export function writtenBadge(
  model: PageModel,
  { component, isJson }: Extract<PageRoute, { kind: "badge" }>,
  look: BadgeLook,
): PageText | null {
  const { texts } = wordsIn(model.definition.defaultLocale);
  const shown =
    component === null
      ? {
          label: model.definition.title,
          state: model.overall,
          // As the page itself and its summary say it.
          message: headlineOf(model, texts),
        }
      : componentsOf(model)
          .filter(({ facts }) => facts.id === component)
          .map(({ facts, state }) => ({
            label: facts.name,
            state,
            message: texts.state[state],
          }))[0];
  if (shown === undefined) return null;
  const { label, state, message } = shown;
  if (isJson) return json({ schemaVersion: 1, label, message, color: shieldColours[state] });
  return { type: "image/svg+xml", body: badge(state, { label, message }, look) };
}
