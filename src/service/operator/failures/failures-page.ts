import { capital } from "#base/text";
import { failureCodes, isFailureCode } from "#check/failure";
import { failureParts } from "#service/operator/failures/failure-advice";
import { adviceWords } from "#service/operator/failures/failure-words";
import { listHead } from "#service/operator/lists/list-head";
import { framed, type OperatorPage } from "#service/operator/page-request";
import { html, type Html } from "#web/page/html";

/** `/failures`: what each code of a failure means, and what to do. Every code on the pages leads here. */
export const failuresPage: OperatorPage = {
  role: "reader",
  path: /^\/failures$/,
  answer: async ({ rooms }, request) =>
    framed(request, {
      title: "What a failure means · Picket",
      section: "incidents",
      document: null,
      at: rooms.clock.wall(),
      content: failuresView(),
    }),
};

const failuresView = (): Html =>
  html`${listHead({
      title: "What a failure means",
      count: null,
      sentence: "Each failed check has a code. Here is what it means, and what to do.",
      acts: null,
    })}
    <p class="words">
      On the agent’s machine, <code>picket check TARGET --explain</code> shows the exchange itself,
      and <code>picket doctor</code> whether the agent works.
    </p>
    ${failureParts.map(
      ([title, codes], index) =>
        html`<section aria-labelledby="part-${index}">
          <h2 id="part-${index}">${title}</h2>
          <dl class="failures">
            ${codes.filter(isFailureCode).map(
              (code) =>
                html`<div id="${code}">
                  <dt><code>${code}</code></dt>
                  <dd>
                    <p><strong>${capital(failureCodes[code])}.</strong></p>
                    <p>${adviceWords(code)}</p>
                  </dd>
                </div>`,
            )}
          </dl>
        </section>`,
    )}`;
