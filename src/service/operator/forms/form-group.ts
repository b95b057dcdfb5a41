import type { Argument } from "#check/argument";
import type { Mistake } from "#check/findings";
import type { Html } from "#web/page/html";

/** A part of a form. A folded one opens by itself if something in it is wrong. */
export interface FormGroup {
  readonly key: string;
  readonly legend: string;
  /** Below the legend; empty: nothing is. */
  readonly help: string;
  readonly isFolded: boolean;
  /** What it says while it is folded and nothing in it is set; left out: that nothing is. */
  readonly none?: string;
  /** Buttons that fill its fields, above them; left out: there are none. */
  readonly fills?: Html;
  /** What is said instead of fields that it does not have yet; left out: without a field it is not shown. */
  readonly lacks?: string;
}

/** What a form shows: what was typed, or what is saved, and what is wrong with it. */
export interface FormState {
  readonly typed: URLSearchParams;
  readonly mistakes: readonly Mistake[];
  /** Whether no one sent it, so what is wrong is said at its fields alone; left out: someone did. */
  readonly isUnsent?: boolean;
}

/** What the reference says of an argument, as plain text. */
export const helpOf = ({ does, limit }: Pick<Argument<unknown>, "does" | "limit">): string =>
  `${does}${limit === "" ? "" : ` At most: ${limit}.`}`
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("`", "");

/** A group that is open from the start. */
export const openGroup = (key: string, legend: string, help = ""): FormGroup => ({
  key,
  legend,
  help,
  isFolded: false,
});

export const foldedGroup = (key: string, legend: string, help = ""): FormGroup => ({
  key,
  legend,
  help,
  isFolded: true,
});
