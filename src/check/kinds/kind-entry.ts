import type { KindForm } from "#check/kinds/form-columns";
import type { Assertion, AssertionKind } from "#check/assertion";
import { assertionWords } from "#check/assertion-words";
import type { Arguments, ValuesOf } from "#check/argument";
import type { CommonFields, DefinitionOf } from "#check/definition";
import type { Detail, Fact } from "#check/fact";
import type { Findings } from "#check/findings";
import type { ArgumentsOf } from "#check/kinds/common-arguments";
import type { TypedTarget } from "#check/kinds/typed-kind";
import type { Header, Kind, TargetOf } from "#check/monitor";
import type { AnswerOf, OutcomeOf } from "#check/outcome";

/** What the arguments of one monitor read as. */
export type MonitorValues<K extends Kind> = ValuesByKind[K];
type ValuesByKind = { readonly [K in Kind]: ValuesOf<ArgumentsOf<DefinitionOf<K>>> };

/** Takes secrets out of a text. At the end of a whole one no secret was cut off. */
export type Cut = (text: string, isWhole?: boolean) => string;

/** All that is said of one kind of check, apart from how it is sent, probed and measured. */
export interface KindEntry<K extends Kind> {
  /** As people write it: `gRPC`. */
  readonly label: string;
  /** What a check without any assertion demands of the answer, as a clause. */
  readonly passesIf: string;
  /** What a trial shows besides its verdict. */
  readonly trialShows: string;
  /** The lines of its picture: the path of an SVG that is 20 by 20. */
  readonly glyph: string;
  /** As a sentence names its target: `an HTTP target`. */
  readonly noun: string;
  /** What its list in a file holds, as a sentence without a subject. */
  readonly does: string;
  readonly arguments: ArgumentsOf<DefinitionOf<K>>;
  /** What a definition is when a person leaves everything out that may be left out. */
  readonly defaults: DefinitionOf<K>;
  /** A part of a file, for docs/reference/monitors.md. */
  readonly example: string;
  /** How each of its own arguments is typed into a form. */
  readonly form: KindForm<K>;
  /** What its arguments read as. */
  values(read: <A extends Arguments>(table: A) => ValuesOf<A>): MonitorValues<K>;
  /** The definition that these say. */
  written(values: MonitorValues<K>, common: CommonFields): DefinitionOf<K>;
  /** What only its outcome has, of an attempt that saw nothing. */
  readonly unseen: AnswerOf<K>;
  readonly typed: TypedTarget<K>;
  /** The kinds of assertions that a person can type for it. */
  readonly judgedBy: readonly AssertionKind[];
  /** The one field that says where to look. */
  uri(definition: DefinitionOf<K>): string;
  /** That field as everyone may read it, of a target that could not be read: it may hold a password anyway. */
  shownUri(uri: string): string;
  read(definition: DefinitionOf<K>, findings: Findings): TargetOf<K> | null;
  assertions(definition: DefinitionOf<K>, findings: Findings): readonly Assertion[];
  /** The target as everyone may read it: without query and user-info, whatever was written. */
  shown(target: TargetOf<K>): string;
  /** What everyone has to know wherever its target is shown; empty: nothing. */
  caution(definition: DefinitionOf<K>): string;
  /** The target as other checkers' metrics name it: without what is asked of it. */
  name(target: TargetOf<K>): string;
  /** Whom it asks; null if that is not for the target to say. Port null is none. */
  server(target: TargetOf<K>): Server | null;
  /** Whether a check goes through the proxy that the agent has. */
  readonly isProxied: boolean;
  /** What is sent under names that a monitor chooses: headers, metadata. Their values are secrets. Null: nothing is. */
  readonly sent: SentHeaders<K> | null;
  /** The outcome with each text that a target wrote cut; a body only if it is reported. */
  cut(outcome: OutcomeOf<K>, cut: Cut, reportsBody: boolean): OutcomeOf<K>;
  /** What it is asked to do, in addition to what every monitor is, without a secret. */
  lines(definition: DefinitionOf<K>): readonly Fact[];
  /** What its answer was. */
  facts(outcome: OutcomeOf<K>, detail: Detail): readonly Fact[];
  /** The same for a program, in addition to what all kinds have; null: nothing. */
  readonly json: ((outcome: OutcomeOf<K>) => object) | null;
}

interface SentHeaders<K extends Kind> {
  headers(target: TargetOf<K>): readonly Header[];
  with(target: TargetOf<K>, headers: readonly Header[]): TargetOf<K>;
  /** Whether the certificate of whoever gets them is verified. */
  isVerified(target: TargetOf<K>): boolean;
}

export interface Server {
  readonly host: string;
  readonly port: number | null;
}

/** A line for each assertion of a list, which are written as reports write them. */
export const assertionLines = (texts: readonly string[]): readonly Fact[] =>
  texts.map((text) => ({ label: "Assertion", value: assertionWords(text) }));
