import { capital } from "#base/text";
import { fineLatency } from "#check/echo-spread";
import { checkAge } from "#service/operator/monitors/check-age";
import { checkView, shownTo } from "#service/operator/check-view";
import type { IncidentEvidence } from "#service/operator/incidents/incident-evidence";
import type { KnownReader } from "#service/operator/page-request";
import { hasChecks, latencySvg, pastWords } from "#service/operator/past-view";
import { choiceQuery } from "#service/operator/charts/range-choice";
import type { Picture } from "#service/operator/picture";
import type { ResultWithDetail } from "#service/store/result-store";
import { latencyWords } from "#web/page/format";
import type { ChartMark } from "#web/page/chart/chart-marks";
import { html, type Html } from "#web/page/html";

/** What the colours of its chart are. */
function legendOf({ marks }: IncidentEvidence): string {
  const has = (kind: ChartMark["kind"]): boolean => marks.some((mark) => mark.kind === kind);
  const parts = [
    ...(has("error") ? ["in red time it was down"] : []),
    ...(has("degraded") ? ["in amber time it was slow"] : []),
    ...(has("planned") ? ["blue time is planned work"] : []),
    ...(has("gap") ? ["in grey time a location measured nothing"] : []),
    "a cross is a failed check",
  ];
  return `${capital(inWords(parts))}.`;
}

const inWords = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")}, and ${parts.at(-1) ?? ""}`;

/** Latency around an incident, with its time marked. Without a script: the same chart with a pointer is on the monitor's page. */
export function chartSection(evidence: IncidentEvidence): Html | null {
  const { monitor, range, story } = evidence;
  if (!hasChecks(story)) return null;
  const words = pastWords(evidence);
  const choice = choiceQuery({ range, location: null, other: null, earlier: null });
  return html`<section class="past" aria-labelledby="around">
    <details id="latency-around" class="part" open>
      <summary><h2 id="around">Latency around it</h2></summary>
      ${latencySvg(evidence, words)}
      <p class="words">
        ${legendOf(evidence)} ${words}.
        <a href="/monitors/${monitor.id}?${choice}#past">Show on the monitor’s page</a>
      </p>
    </details>
  </section>`;
}

/** The last check that failed in it, without what was `said` above; and the first, if that is another one. */
export function checkSection(
  evidence: IncidentEvidence,
  picture: Picture,
  reader: KnownReader,
  said: string | null,
): Html | null {
  const { check, first } = evidence;
  if (check === null && first === null) return null;
  // The one that comes first is open, and names the section.
  const one = (which: "Last" | "First", result: ResultWithDetail): Html => {
    const isHead = which === "Last" || check === null;
    return html`<details
      id="${which === "Last" ? "bad" : "first"}-check"
      class="part"
      ${isHead ? html` open` : null}
    >
      <summary>
        <h2 ${isHead ? html` id="bad"` : null}>${which} ${summaryOf(result, picture)}</h2>
      </summary>
      ${checkOf(evidence, result, picture, reader, said)}
    </details>`;
  };
  return html`<section class="check" aria-labelledby="bad">
    ${check === null ? null : one("Last", check)} ${first === null ? null : one("First", first)}
  </section>`;
}

/** `failing check: 12 ms, 3 min ago`. */
const summaryOf = (check: ResultWithDetail, { at }: Picture): string =>
  `${check.status === "error" ? "failing" : "slow"} check: ${latencyWords(fineLatency(check))}, ${checkAge(check, at)}`;

function checkOf(
  { definition }: IncidentEvidence,
  check: ResultWithDetail,
  { locations, at }: Picture,
  reader: KnownReader,
  said: string | null,
): Html {
  const place = locations.find(({ id }) => id === check.location)?.name;
  const plan = { said, assertions: "here", answer: "last" } as const;
  return checkView(check, place ?? String(check.location), at, shownTo(reader, definition), plan);
}
