import type { CommandRows } from "#check/kinds/typed-kind";
import type { Kind } from "#check/monitor";
import type { HttpRequest } from "#service/operator/pasted/http-request";

/** The fields that a pasted text says. */
export interface PastedMonitor {
  readonly kind: Kind;
  /** The program whose command it was; empty: it was none. */
  readonly program: string;
  /** By the names of the form's fields. */
  readonly fields: ReadonlyMap<string, string>;
  readonly rows: readonly CommandRows[];
  /** Null: it says nothing of redirects. */
  readonly followRedirects: boolean | null;
  /** A sentence for each part of it that is not taken over, and what to do. */
  readonly leftOut: readonly string[];
  /** What is checked of it, as a sentence; empty: what was pasted. */
  readonly note: string;
}

/** What a command line of one program says, before what follows it in the line. */
export interface CommandMonitor extends Omit<PastedMonitor, "program"> {
  /** What the command prints: the body, its status code alone, or what no assertion is on. */
  readonly prints: HttpRequest["prints"];
}
