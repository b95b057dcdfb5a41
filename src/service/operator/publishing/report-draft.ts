import * as limits from "#limits/pages-limits";
import { counted } from "#web/page/format";
import { withoutOwnImpacts } from "#service/operator/publishing/report-impacts";
import { emptyDraft, type ReportDraft } from "#service/operator/publishing/report-fields";
import { stateOfComponent } from "#service/status-page/component-state";
import { impactNow } from "#service/status-page/impact-spans";
import type { Locale } from "#service/status-page/page-definition";
import type { ComponentFacts, PageFacts } from "#service/status-page/page-facts";
import type { Impact, ReportStatus } from "#service/status-page/report-words";
import { wordsIn } from "#service/status-site/view/words";
import type { Story } from "#service/store/alert-store";
import type { ComponentRow, PageContent } from "#service/store/page-store";

/* What the form of a new report offers: which components, how bad it is, and the first words, in the page's language. */

type NamedComponent = Pick<ComponentRow, "id" | "name">;
const troubles = ["major_outage", "degraded_performance"] as const satisfies readonly Impact[];
type Trouble = (typeof troubles)[number];

/** By what fails now and is in no report yet: those that are down, or else those that are slow. */
export function draftOfNow(facts: PageFacts): ReportDraft {
  const locale = facts.definition.defaultLocale;
  const unsaid = facts.components.filter(
    ({ id }) => impactNow(facts.reports, id, facts.now) === null,
  );
  const among = (state: ReturnType<typeof stateOfComponent>): readonly ComponentFacts[] =>
    unsaid.filter((one) => stateOfComponent(one, facts) === state);
  const down = among("major_outage");
  if (down.length > 0) return draftFor(down, "major_outage", locale);
  const slow = among("degraded");
  return slow.length > 0 ? draftFor(slow, "degraded_performance", locale) : bareDraft(locale);
}

/**
 * What readers may know of an incident, by the names that the page has for its components. Those of other monitors that fail
 * for the same cause are in it, too.
 */
export function draftOfIncident(
  { incident }: Pick<Story, "incident">,
  alike: ReadonlySet<number>,
  components: readonly ComponentRow[],
  locale: Locale,
): ReportDraft {
  const { subject, severity } = incident;
  const affected = components.filter(
    ({ monitor }) =>
      subject.kind === "monitor" &&
      monitor !== null &&
      (monitor === subject.id || alike.has(monitor)),
  );
  if (affected.length === 0) return bareDraft(locale);
  const isDown = severity === "error";
  return draftFor(affected, isDown ? "major_outage" : "degraded_performance", locale);
}

/** The first words for what a form has ticked; null if it is not said how badly that is affected. */
export function draftOfTicked(
  typed: URLSearchParams,
  { page, components }: PageContent,
): DraftWords | null {
  const locale = page.definition.defaultLocale;
  const ticked = new Set(typed.getAll("components"));
  const affected = components.filter(({ id }) => ticked.has(String(id)));
  const impact = troubles.find((one) => one === typed.get("impact"));
  if (affected.length === 0 || impact === undefined) return null;
  const { title, message } = draftFor(affected, impact, locale);
  return { title, message };
}

/** What an update of a state says at first, under any title. */
export const firstMessage = (status: ReportStatus, locale: Locale): string =>
  wordsIn(locale).texts.firstWords[status];

/** An update that takes back what the report says of components that work again; what was typed of it stays. */
export function withRecovered(
  typed: URLSearchParams,
  recovered: readonly NamedComponent[],
  locale: Locale,
): URLSearchParams {
  const filled = new URLSearchParams(typed);
  filled.delete("components");
  for (const { id } of recovered) filled.append("components", String(id));
  filled.set("impact", "operational");
  withoutOwnImpacts(filled);
  if ((typed.get("message") ?? "").trim() === "")
    filled.set("message", recoveredMessage(recovered, locale));
  return filled;
}

function recoveredMessage(recovered: readonly NamedComponent[], locale: Locale): string {
  const { texts, number } = wordsIn(locale);
  const count =
    locale === "en"
      ? counted(recovered.length, "component")
      : `${texts.components}${texts.colon}${number(recovered.length)}`;
  const names = namesOf(recovered, locale) ?? count;
  if (locale !== "en") return `${texts.state.operational}${texts.colon}${names}`;
  return `${names} ${recovered.length === 1 ? "works" : "work"} again.`;
}

const bareDraft = (locale: Locale): ReportDraft => ({
  ...emptyDraft,
  message: firstMessage("investigating", locale),
});

function draftFor(
  affected: readonly NamedComponent[],
  impact: Trouble,
  locale: Locale,
): ReportDraft {
  const components = affected.map(({ id }) => id);
  const words =
    locale === "en" ? englishWords(affected, impact) : translatedWords(affected, impact, locale);
  return { ...emptyDraft, ...words, components, impact };
}

type DraftWords = Pick<ReportDraft, "title" | "message">;

function englishWords(affected: readonly NamedComponent[], impact: Trouble): DraftWords {
  const names = namesOf(affected, "en") ?? counted(affected.length, "component");
  const what = impact === "major_outage" ? "not available" : "slow";
  const verb = affected.length === 1 ? "is" : "are";
  return {
    title: `${names} ${verb} ${what}`,
    message: `We are investigating why ${names} ${verb} ${what}.`,
  };
}

/** Names stand after a colon, so that no word is bent. */
function translatedWords(
  affected: readonly NamedComponent[],
  impact: Trouble,
  locale: Locale,
): DraftWords {
  const { texts, number } = wordsIn(locale);
  const names =
    namesOf(affected, locale) ?? `${texts.components}${texts.colon}${number(affected.length)}`;
  const state = impact === "major_outage" ? "major_outage" : "degraded";
  return {
    title: `${texts.state[state]}${texts.colon}${names}`,
    message: texts.firstWords.investigating,
  };
}

/** `Shop, Wiki and Registry`; null if they are too many for a title. */
const namesOf = (affected: readonly NamedComponent[], locale: Locale): string | null =>
  affected.length > limits.namesShown
    ? null
    : new Intl.ListFormat(locale === "en" ? "en-GB" : locale).format(
        affected.map(({ name }) => name),
      );
