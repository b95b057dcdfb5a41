import type { AssertionKind } from "#check/assertion";
import type { DefinitionOf, HttpDefinition } from "#check/definition";
import type { Kind } from "#check/monitor";

/** How a target of one kind is typed, at a terminal or into a form. */
export interface TypedTarget<K extends Kind> {
  /** What such a text begins with. */
  readonly scheme: RegExp;
  /** An example of it. */
  readonly shape: string;
  /** The monitor that a text and the options next to it stand for. */
  definition(text: string, options: TypedOptions): DefinitionOf<K>;
  /** What a text that was pasted into a form says, by the names of the form's fields. */
  pasted(text: string): ReadonlyMap<string, string>;
  /** The programs whose command lines ask such a target. */
  readonly commands: readonly TypedCommand[];
}

interface TypedCommand {
  readonly programs: readonly string[];
  /** Of the words after the program. */
  readonly read: (words: readonly string[], program: string) => CommandTarget | CommandFault;
}

/** Why there is no target in a command line, after the name of the field that it was typed into. */
export interface CommandFault {
  readonly fault: string;
}

/** What a command line says of a monitor. */
export interface CommandTarget {
  /** By the names of the form's fields. */
  readonly fields: ReadonlyMap<string, string>;
  readonly rows: readonly CommandRows[];
  /** A sentence for each part of it that is not taken over, and what to do. */
  readonly leftOut: readonly string[];
  /** What is to be known of what is checked, as a sentence; empty: nothing. */
  readonly note: string;
}

/** Rows of one field of the form, by the names of their columns. */
export interface CommandRows {
  readonly field: string;
  readonly values: readonly Readonly<Record<string, string>>[];
}

/** What is said next to a typed target. */
export interface TypedOptions {
  readonly common: Pick<
    HttpDefinition,
    "name" | "periodicity" | "timeout" | "retry" | "degradedAt"
  >;
  readonly request: Pick<HttpDefinition, "method" | "headers" | "body" | "followRedirects">;
  /** The typed assertions of one kind. */
  readonly rules: (kind: AssertionKind) => readonly NumberedRule[];
}

/** What an option --assert says: `SUBJECT [KEY] COMPARATOR [TARGET]`, split into words; the target is the rest as it stands. */
export interface TypedRule {
  readonly text: string;
  readonly subject: string;
  readonly key: string;
  readonly comparator: string;
  readonly target: string;
}

interface NumberedRule extends TypedRule {
  /** The target, of those that are numbers. */
  readonly number: number;
}

/** A text whose scheme says nothing but its kind. */
export const withoutScheme = (text: string): ReadonlyMap<string, string> =>
  new Map([["uri", text.replace(/^[a-z]+:(?:\/\/)?/i, "").replace(/\/$/, "")]]);
