import { pairWords } from "#service/operator/lists/label-words";
import type { Choice } from "#check/form-field";
import { grouped } from "#web/page/format";
import type { PicturedMonitor } from "#service/operator/picture";
import { labelsOf } from "#service/operator/pictures/label-pairs";
import type { PageContent } from "#service/store/page-store";

type LabelledMonitor = Pick<PicturedMonitor, "id" | "labels">;

/** Monitors that a page does not show yet. */
export function offeredTo<M extends LabelledMonitor>(
  { components }: PageContent,
  monitors: readonly M[],
): readonly M[] {
  const there = new Set<number>(components.flatMap(({ monitor }) => monitor ?? []));
  return monitors.filter(({ id }) => !there.has(id));
}

const everyOne = "all";

/** What can be added without a tick for each: `All 12`, and `All 3 with team:web` for each label. None if there is one to add. */
export function batchChoices(offered: readonly LabelledMonitor[]): readonly Choice[] {
  if (offered.length < 2) return [];
  const labelled = labelsOf(offered).map((label): Choice => [
    label,
    `All ${grouped(monitorsOf(label, offered).length)} with ${pairWords(label)}`,
  ]);
  return [["", "Those ticked below"], [everyOne, `All ${grouped(offered.length)}`], ...labelled];
}

/** The ids of what was chosen; a label may have none any more. A label has a colon. */
export const monitorsOf = (
  chosen: string,
  offered: readonly LabelledMonitor[],
): readonly string[] =>
  offered
    .filter(({ labels }) => chosen === everyOne || labelsOf([{ labels }]).includes(chosen))
    .map(({ id }) => String(id));
