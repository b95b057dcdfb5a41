import { html, type Html } from "#web/page/html";
import * as limits from "#limits/pages-limits";
import type { Silence } from "#service/alerting/silence";
import type { Picture } from "#service/operator/picture";

type Coverage = Pick<Silence, "monitors" | "locations" | "labels">;

/** What planned work or a silence is about, by name; each name leads to what it is of. */
export function coveredNames(
  covered: Coverage,
  picture: Picture,
  most: number = limits.namesShown,
): Html {
  const { names, more } = namesOf(covered, picture, most);
  return html`${names.map(({ before, name, path }, index) => html`${index === 0 ? null : ", "}${before}${path === null ? name : html`<a href="${path}">${name}</a>`}`)}${more > 0 ? ` and ${more} more` : null}`;
}

/** The same for those who hear a button alone. */
export function coveredWords(covered: Coverage, picture: Picture): string {
  const { names, more } = namesOf(covered, picture, limits.namesShown);
  const words = names.map(({ before, name }) => `${before}${name}`).join(", ");
  return more > 0 ? `${words} and ${more} more` : words;
}

interface CoveredName {
  readonly before: string;
  readonly name: string;
  /** Null of what has no page. */
  readonly path: string | null;
}

function namesOf(
  { monitors, locations, labels }: Coverage,
  picture: Picture,
  most: number,
): { readonly names: readonly CoveredName[]; readonly more: number } {
  const pairs = Object.entries(labels);
  // A silence names a thousand: those that are not shown are not looked up.
  const names = [
    ...monitors.slice(0, most).map((id) => named(picture.monitors, id, "/monitors", "")),
    ...locations
      .slice(0, most)
      .map((id) => named(picture.locations, id, "/locations", "location ")),
    ...pairs
      .slice(0, most)
      .map(([key, value]) => ({ before: "label ", name: `${key}: ${value}`, path: null })),
  ].slice(0, most);
  return { names, more: monitors.length + locations.length + pairs.length - names.length };
}

function named(
  all: Picture["monitors"] | Picture["locations"],
  id: number,
  folder: string,
  before: string,
): CoveredName {
  const known = all.find((one) => one.id === id);
  return known === undefined
    ? { before, name: `${id}, deleted`, path: null }
    : { before, name: known.name, path: `${folder}/${id}` };
}
