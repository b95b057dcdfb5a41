import type { Html } from "#web/page/html";
import { firstStepsMax, stepsDoneIn } from "#service/operator/first-start/first-steps";
import { firstStepsLine } from "#service/operator/first-start/first-start-view";
import {
  type KnownReader,
  mayChange,
  nextWords,
  type PageContext,
} from "#service/operator/page-request";

/** Leads whoever has just made something back to the first steps; null once all are done. */
export async function stepsNote(
  { rooms, pictures }: PageContext,
  query: URLSearchParams,
  reader: KnownReader,
): Promise<Html | null> {
  const isMade = /^made\b/.test(query.get("notice") ?? "") || query.has("shown");
  if (!mayChange(reader) || !(isMade || query.has("next"))) return null;
  return firstStepsLine(
    await stepsDoneIn(rooms, await pictures.now()),
    nextWords(query.get("next") ?? ""),
  );
}

/** Where the page of a new location leads on to while a step is missing; null once all are done. */
export async function stepsPath({ rooms, pictures }: PageContext): Promise<string | null> {
  const done = await stepsDoneIn(rooms, await pictures.now());
  return done === firstStepsMax ? null : "/start";
}
