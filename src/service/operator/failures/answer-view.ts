import { STATUS_CODES } from "node:http";
import type {
  BatchResult,
  IngestHTTPRequest,
} from "#contract/private_location/v1/private_location_pb";
import { counted, showText } from "#base/text";
import { openUrl } from "#check/target";
import * as limits from "#limits/answer-limits";
import { reportedBodyBytesMax } from "#limits/check-limits";
import type { OwnSecrets } from "#service/monitors/own-secrets";
import { answerIn, type ServerAnswer } from "#service/monitors/server-answer";
import type { ShownEvidence } from "#service/operator/evidence-facts";
import { html, type Html } from "#web/page/html";

/**
 * What the server answered to an HTTP check that failed or was slow: its status, headers and the beginning of its body.
 * Null of every other check, and where nothing was answered. A reader sees the status alone: an answer may describe the
 * inside of a network.
 */
export function answerView(
  result: BatchResult["result"],
  secrets: OwnSecrets,
  shown: ShownEvidence,
): Html | null {
  if (result.case !== "http" || result.value.statusCode === 0n) return null;
  const { requestStatus, statusCode } = result.value;
  if (requestStatus !== "error" && requestStatus !== "degraded") return null;
  const answer = answerIn(result.value, secrets);
  return html`<div class="answered">
    <h3>What the server answered</h3>
    <p class="words"><strong>${statusWords(Number(statusCode))}</strong></p>
    ${
      shown === "whole"
        ? html`${headersView(answer)} ${bodyView(answer, result.value)}`
        : html`<p class="words">
            Headers and body are shown to responders, editors and owners: they may describe the
            inside of a network.
          </p>`
    }
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
  if (answer === null || answer.bodyBytes === 0)
    return requestStatus === "error"
      ? html`<p class="words">
          No body: agents send it with a degraded check only, not with one that failed. To see it,
          run <code>picket check --explain ${shellWord(url)}</code> on a machine of the location.
        </p>`
      : html`<p class="words">The body was empty.</p>`;
  return html`<p class="words">${bodyWords(answer.bodyBytes)}</p>
    <pre class="answer-body" tabindex="0" role="region" aria-label="Body of the answer">
${shownLines(answer.excerpt)}</pre>`;
}

/** The URL of a check, if it may be shown and a shell takes it as it is. */
function shellWord(url: string): string {
  const open = openUrl(url);
  return /^[\w:./%~[\]-]+$/.test(open) ? open : "URL";
}

/** `Body, 312 bytes`, or `Body, the first 2 KiB of 14 KiB`. Of a body that is as long as an agent sends, there may be more. */
function bodyWords(bodyBytes: number): string {
  if (bodyBytes <= limits.answerBodyBytesMax) return `Body, ${sizeWords(bodyBytes)}`;
  // A character that did not fit has up to three bytes.
  const least = bodyBytes > reportedBodyBytesMax - 4 ? "at least " : "";
  return `Body, the first ${sizeWords(limits.answerBodyBytesMax)} of ${least}${sizeWords(bodyBytes)}`;
}

/** `312 bytes`, `2.1 KiB`, `14 KiB`. */
function sizeWords(bytes: number): string {
  if (bytes < 1_024) return counted(bytes, "byte").replace(" ", "\u00a0");
  const kibibytes = bytes / 1_024;
  return `${Number(kibibytes.toFixed(kibibytes < 10 ? 1 : 0))}\u00a0KiB`;
}

/** Each line as it is, but for characters that would turn, break or hide it. */
const shownLines = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.split("\t").map(showText).join("\t"))
    .join("\n");
