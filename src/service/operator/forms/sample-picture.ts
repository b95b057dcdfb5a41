import type { Sample } from "#check/form-field";
import { html, type Html } from "#web/page/html";

/** A look as a small page: its name and a link, a banner, and a component with its days. Words next to it name it. */
export const samplePicture = (sample: Sample): Html => {
  const { ground, card, line, text, quiet, link, up, isRound } = sample;
  const round = isRound ? 5 : 3;
  return html`<svg class="sample" viewBox="0 0 120 84" aria-hidden="true">
    <rect width="120" height="84" fill="${ground}" />
    <rect x="8" y="7" width="24" height="5" rx="2" fill="${text}" />
    <rect x="94" y="6" width="18" height="7" rx="${round - 1}" fill="${link}" />
    <rect x="8" y="18" width="104" height="14" rx="${round}" fill="${up}" />
    <rect x="15" y="23" width="46" height="4" rx="2" fill="${ground}" />
    <rect x="8.5" y="38.5" width="103" height="38" rx="${round}" fill="${card}" stroke="${line}" />
    <rect x="15" y="44" width="28" height="4" rx="2" fill="${text}" />
    <rect x="90" y="44" width="15" height="4" rx="2" fill="${up}" />
    ${bars.map((at) => bar(at, colourOf(at, sample)))}
    <rect x="15" y="69" width="16" height="3" rx="1.5" fill="${quiet}" />
    <rect x="93" y="69" width="12" height="3" rx="1.5" fill="${quiet}" />
  </svg>`;
};

const bars = Array.from({ length: 15 }, (_, at) => at);
const colourOf = (at: number, { up, slow, down }: Sample): string =>
  at === 6 ? slow : at === 11 ? down : up;

const bar = (at: number, colour: string): Html =>
  html`<rect x="${15 + 6.1 * at}" y="52" width="4.6" height="13" rx="1" fill="${colour}" />`;
