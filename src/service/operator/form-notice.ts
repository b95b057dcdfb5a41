import { html, type Html } from "#web/page/html";
import { type Standing, verdictMark } from "#web/page/verdict-mark";
import { Refusal } from "#service/edge/call-refusal";

/** What became of a form. */
export interface FormNotice {
  readonly words: string | Html;
  readonly isFault: boolean;
  /** Whether it was done, but has to be looked at. */
  readonly isDoubtful?: boolean;
}

export const noticeLine = (notice: FormNotice | null): Html | null =>
  notice === null
    ? null
    : html`<p
        class="notice ${notice.isFault ? "bad" : notice.isDoubtful === true ? "warn" : "good"}"
        role="${notice.isFault ? "alert" : "status"}"
      >
        ${verdictMark(standingOf(notice), notice.words)}
      </p>`;

const standingOf = ({ isFault, isDoubtful = false }: FormNotice): Standing =>
  isFault ? "error" : isDoubtful ? "degraded" : "success";

/** What went well, or null if no form was sent. */
export const doneNotice = (words: string | null): FormNotice | null =>
  words === null ? null : { words, isFault: false };

/** What is wrong with a form, as a sentence that begins with `what`; any other error is a fault of ours. */
export function faultNotice(error: unknown, what: string): FormNotice {
  if (!(error instanceof Refusal)) throw error;
  return { words: `${what}: ${error.message}.`, isFault: true };
}
