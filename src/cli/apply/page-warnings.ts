import type { WrittenPage } from "#cli/apply/written-pages";
import { quote } from "#cli/apply/shown-plan";
import { faintPairs, faintWords } from "#service/status-site/view/faint-colours";

/** What files may say and people should look at again: colours of status pages that are hard to read. */
export const pageWarnings = (pages: readonly WrittenPage[]): readonly string[] =>
  pages.flatMap(({ definition }) => {
    const faint = faintPairs(definition);
    const [first] = faint;
    if (first === undefined) return [];
    const more = faint.length === 1 ? "" : `, and ${faint.length - 1} more like that`;
    return [`status page ${quote(definition.slug)} is hard to read: ${faintWords(first)}${more}`];
  });
