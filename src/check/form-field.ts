/*
 * A form is a table: a field for each setting, under the name that the setting has in a file and in refusals. Type the table
 * by the keys of the resource's arguments, and a setting without a field does not compile:
 *
 *   const fields: FieldsOf<LocationArguments> = { name: { group: "what", … }, … }
 *
 * In the forms of the service, form-view.ts draws it, form-reading.ts reads what was posted, form-submission.ts answers it.
 */

/** The fields of a form or of a row by their names, in their order. */
export type FormFields<K extends string = string> = { readonly [N in K]: FormField };

/** A field for every setting of a resource, apart from what people do elsewhere. */
export type FieldsOf<A, Elsewhere extends keyof A = never> = FormFields<
  Extract<Exclude<keyof A, Elsewhere>, string>
>;

export interface FormField {
  /** The key of the group that it is shown in. Rows and sections are shown as a whole, so theirs have none: "". */
  readonly group: string;
  /** A noun with which a refusal can begin: "Timeout must be …". */
  readonly label: string;
  /** Shown below the field; empty: nothing is. */
  readonly help: string;
  readonly control: Control;
}

/** How wide a field is: as what is typed into it. */
type Width = "figure" | "word" | "name" | "line";

/** One of those that a person chooses among: what is sent, and what is read. */
export type Choice = readonly [value: string, words: string];

/** How a setting is typed, shown and read. */
export type Control =
  | { readonly is: "text"; readonly width: Width; readonly example?: string }
  /** An address that may hold a password or a query, which are not shown once they are saved. One that grows takes several lines. */
  | { readonly is: "address"; readonly example?: string; readonly grows?: boolean }
  /** `empty`, of this and the next: what holds while nothing is typed, which the field shows then. */
  | { readonly is: "number"; readonly unit: string; readonly empty?: string }
  /** A length of time, typed as people write it. Files write it as a number of milliseconds, or in words: `5m`. */
  | {
      readonly is: "duration";
      readonly written: "ms" | "words";
      readonly example: string;
      readonly empty?: string;
    }
  | { readonly is: "long"; readonly lines: number }
  /** Never shown once it is saved; left alone, it is kept. `lines` above 1 is a box. */
  | { readonly is: "secret"; readonly lines: number }
  /** A secret of one line that is not shown while it is typed, either. */
  | { readonly is: "password" }
  /** A list that opens; the first is chosen unless another is. With a sentence for each, it is cards that are all seen. */
  | {
      readonly is: "choice";
      readonly choices: readonly Choice[];
      /** Whether a folded group says nothing of it while the empty one is chosen. */
      readonly isQuiet?: boolean;
      readonly sentences?: Readonly<Record<string, string>>;
      /** How each looks, as colours of what is drawn of it: a choice with them is one of samples. */
      readonly samples?: Readonly<Record<string, readonly Sample[]>>;
    }
  /**
   * `off`: what its group says while it is not ticked, if that is more than its label with a no. One that is locked is not
   * ticked, and cannot be: its help says why.
   */
  | { readonly is: "flag"; readonly off?: string; readonly isLocked?: boolean }
  /** A colour of CSS, with the browser's own picker; `example` is the one that there is without it. */
  | { readonly is: "colour"; readonly example: string }
  /** A file, which is chosen or dropped; `accept` is what the browser offers, and `bytesMax` is what a script says at once. */
  | { readonly is: "file"; readonly accept: string; readonly bytesMax: number }
  /** A time of day, typed as people write one. */
  | { readonly is: "time" }
  /** A day and a time of day, by the browser's own picker. Of the reader it is UTC, and by a script the reader's own zone. */
  | { readonly is: "moment"; readonly zone?: "reader" }
  /** Boxes to tick; what there is to choose comes with each view, under the field's name. */
  | { readonly is: "several" }
  /** Text, an entry a line. */
  | { readonly is: "lines" }
  /** Rows of fields, which people add and take away; `one` is what a row is called: "header". `none` says what holds without any. */
  | {
      readonly is: "rows";
      readonly one: string;
      readonly columns: FormFields;
      readonly none?: string;
    }
  /** Rows of a key and a value, which a file writes as a mapping. */
  | { readonly is: "pairs"; readonly one: string; readonly columns: PairColumns }
  /** Fields of a mapping by themselves; none of them typed: nothing is said. */
  | { readonly is: "section"; readonly fields: FormFields };

interface PairColumns extends FormFields {
  readonly key: FormField;
  readonly value: FormField;
}

/** What a row or a section is shown by, whose fields have no group. */
export const column = (label: string, control: Control, help = ""): FormField => ({
  group: "",
  label,
  help,
  control,
});

/** The colours of a small picture of a look: behind all, of a card on it, and of what is on both. */
export interface Sample {
  readonly ground: string;
  readonly card: string;
  readonly line: string;
  readonly text: string;
  readonly quiet: string;
  readonly link: string;
  readonly up: string;
  readonly slow: string;
  readonly down: string;
  readonly isRound: boolean;
}
