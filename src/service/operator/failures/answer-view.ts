import { STATUS_CODES } from "node:http";
import type {
  BatchResult,
  IngestHTTPRequest,
} from "#contract/private_location/v1/private_location_pb";
import { counted, showText } from "#base/text";
import { openUrl } from "#check/target";
import * as limits from "#limits/answer-limits";
import type { OwnSecrets } from "#service/monitors/own-secrets";
import {
  answerIn,
  openReceived,
  sentAnswer,
  type ServerAnswer,
} from "#service/monitors/server-answer";
import type { ShownEvidence } from "#service/operator/evidence-facts";
import { html, type Html } from "#web/page/html";

/**
 * What the server answered to an HTTP check: its status, headers and the beginning of its body. Null where nothing was
 * answered, and of a check that passed: but for a trial, whose agent sends the body, and of which it is folded. A reader sees
 * the status alone: an answer may describe the inside of a network.
 */
export function answerView(
  { result, detail }: Pick<BatchResult, "result" | "detail">,
  secrets: OwnSecrets,
  shown: ShownEvidence,
): Html | null {
  if (result.case !== "http" || result.value.statusCode === 0n) return null;
  const { requestStatus, statusCode } = result.value;
  const isWell = requestStatus !== "error" && requestStatus !== "degraded";
  if (isWell && detail?.answer === undefined) return null;
  const answer = answerIn(sentAnswer(result.value, detail), secrets);
  const seen = html`<p class="words"><strong>${statusWords(Number(statusCode))}</strong></p>
    ${
      shown === "whole"
        ? html`${headersView(answer)} ${bodyView(answer, result.value)}`
        : html`<p class="words">
            Headers and body are shown to responders, editors and owners: they may describe the
            inside of a network.
          </p>`
    }`;
  return isWell
    ? html`<details class="answered">
        <summary>What the server answered</summary>
        ${seen}
      </details>`
    : html`<div class="answered">
        <h3>What the server answered</h3>
        ${seen}
      </div>`;
}

/** `500 Internal Server Error`; a code without a name is itself. */
const statusWords = (code: number): string =>
  [code, STATUS_CODES[code]].filter((one) => one !== undefined).join(" ");

function headersView(answer: ServerAnswer | null): Html {
  if (answer === null || answer.headers.length === 0)
    return html`<p class="words">It sent no headers.</p>`;
  const left = answer.headerCount - answer.headers.length;
  return html`<dl class="facts">
      ${answer.headers.map(
        ({ name, value }) =>
          html`<dt>${showText(name)}</dt>
            <dd>
              ${value === null ? html`<span class="quiet">not kept</span>` : showText(value)}
            </dd>`,
      )}
    </dl>
    ${left === 0 ? null : html`<p class="words">${counted(left, "more header")} not kept.</p>`}`;
}

function bodyView(answer: ServerAnswer | null, { requestStatus, url }: IngestHTTPRequest): Html {
  const body = answer?.body ?? null;
  if (body === null && requestStatus === "error")
    return html`<p class="words">The agent sent no body. Upgrade the agent, or ${toSee(url)}</p>`;
  if (body === null || (body.bytes === 0 && !body.isCut))
    return html`<p class="words">The body was empty.</p>`;
  if (body.bytes === 0)
    return html`<p class="words">Nothing of the body could be read. To see it, ${toSee(url)}</p>`;
  if (body.excerpt === "")
    return html`<p class="words">
      Body, ${sizeWords(body.bytes)}. It stayed with the agent, whose
      <code>PICKET_EVIDENCE</code> is <code>off</code>. To see it, ${toSee(url)}
    </p>`;
  return html`<p class="words">${bodyWords(body)}</p>
    <pre class="answer-body" tabindex="0" role="group" aria-label="Body of the answer">
${shownLines(body.excerpt)}</pre>`;
}

const toSee = (url: string): Html =>
  html`run <code>picket check --explain ${shellWord(url)}</code> on a machine of the location: it
    asks by GET, without the headers and body of the monitor.`;

/** What an assertion received of a header or a body, in one line; null if it may be a credential. */
export function shownReceived(
  evaluation: Parameters<typeof openReceived>[0],
  secrets: OwnSecrets,
): string | null {
  const open = openReceived(evaluation, secrets);
  return open === null ? null : showText(open.replaceAll(/\s+/g, " ").trim());
}

/** The URL of a check, if it may be shown and a shell takes it as it is. */
function shellWord(url: string): string {
  const open = openUrl(url);
  return /^[\w:./%~[\]-]+$/.test(open) ? open : "URL";
}

/** `Body, 312 bytes`, or `Body, the first 2 KiB of 14 KiB`. */
function bodyWords({ bytes, isCut }: { readonly bytes: number; readonly isCut: boolean }): string {
  if (bytes <= limits.answerBodyBytesMax)
    return `Body, ${isCut ? "the first " : ""}${sizeWords(bytes)}`;
  const least = isCut ? "at least " : "";
  return `Body, the first ${sizeWords(limits.answerBodyBytesMax)} of ${least}${sizeWords(bytes)}`;
}

/** `312 bytes`, `2.1 KiB`, `14 KiB`, `1.2 MiB`. */
function sizeWords(bytes: number): string {
  if (bytes < 1_024) return counted(bytes, "byte").replace(" ", "\u00a0");
  const [size, unit] = bytes < 1_048_576 ? [bytes / 1_024, "KiB"] : [bytes / 1_048_576, "MiB"];
  return `${Number(size.toFixed(size < 10 ? 1 : 0))}\u00a0${unit}`;
}

/** Each line as it is, but for characters that would turn, break or hide it. */
const shownLines = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.split("\t").map(showText).join("\t"))
    .join("\n");
