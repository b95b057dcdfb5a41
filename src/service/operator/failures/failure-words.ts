import { type FailureCode, isFailureCode, phaseInWords } from "#check/failure";
import { kinds } from "#check/monitor";
import { failureAdvice } from "#service/operator/failures/failure-advice";
import { html, type Html } from "#web/page/html";

/** A failure as the service keeps it: an agent may know codes that this version does not. */
interface NamedFailure {
  readonly code: string;
  readonly phase: string;
}

/** Its code, which leads to what it means and what to do, and where it was. */
export const failureName = ({ code, phase }: NamedFailure): Html =>
  html`${failureLink(code)} ${phaseInWords(phase)}`;

/** The code as words of a sentence, e.g. `connection refused` and `DNS timeout`. */
export const codeWords = (code: string): string =>
  code
    .split("_")
    .map((word) => (acronyms.has(word) ? word.toUpperCase() : word))
    .join(" ");

const acronyms: ReadonlySet<string> = new Set([...kinds, "ip", "tls"]);

const failureLink = (code: string): Html =>
  isFailureCode(code)
    ? html`<a href="/failures#${code}"><code>${code}</code></a>`
    : html`<code>${code}</code>`;

/** Likely causes, and what to do. What is between backticks is code. */
export const adviceWords = (code: FailureCode): readonly Html[] =>
  failureAdvice[code]
    .split("`")
    .map((words, index) => (index % 2 === 1 ? html`<code>${words}</code>` : html`${words}`));
