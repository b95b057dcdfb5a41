import { fieldPath, type Path, type Reading, shownPath } from "#check/argument";
import type { Mistake as Fault } from "#check/findings";
import type { Mapping } from "#base/json";
import type { Mistake } from "#cli/apply/mistake";
import { TooManyValues } from "#cli/apply/too-many-values";
import type { SecretSource } from "#cli/apply/secret-reference";
import type { YamlText } from "#cli/apply/yaml-text";
import * as limits from "#limits/cli-limits";

/** What was found wrong while a file is read, and how much was read. */
export class FileReading implements Reading {
  readonly mistakes: Mistake[] = [];
  readonly #yaml: YamlText;
  readonly #secrets: SecretSource;
  readonly #defaulted: ReadonlySet<string>;
  readonly #mistaken = new Set<string>();
  readonly #said = new Set<string>();
  #valuesLeft: number = limits.monitorsFileValuesMax;

  /** `defaulted` are the paths of arguments that stand in the file's defaults, and nowhere else. */
  constructor(yaml: YamlText, secrets: SecretSource, defaulted: ReadonlySet<string>) {
    this.#yaml = yaml;
    this.#secrets = secrets;
    this.#defaulted = defaulted;
  }

  report(path: Path, message: string, part: "key" | "value" = "value"): void {
    const place = this.#written(path);
    const shown = shownPath(place);
    this.#mistaken.add(shown);
    // A default is read once for itself, and once for each monitor that it is for.
    const said = `${shown}: ${message}`;
    if (this.#said.has(said)) return;
    this.#said.add(said);
    this.mistakes.push({ ...this.#yaml.placeOf(place, part), path: shown, message });
  }

  reportKey(path: Path, message: string): void {
    this.report(path, message, "key");
  }

  follow(reference: Mapping, path: Path): string | null {
    const found = this.#secrets(reference);
    if (found === null) return null;
    if (found.ok) return found.value;
    this.report(path, found.message);
    return "";
  }

  count(): void {
    this.#valuesLeft -= 1;
    if (this.#valuesLeft < 0) throw new TooManyValues();
  }

  isMistaken(path: Path): boolean {
    return this.#mistaken.has(shownPath(this.#written(path)));
  }

  /** What the rules find wrong below a path. Nothing more is said of a value that could not be read. */
  judge(path: Path, faults: readonly Fault[]): void {
    for (const { field, message } of faults) {
      const at = [...path, ...fieldPath(field)];
      if (!this.isMistaken(at)) this.report(at, message);
    }
  }

  /** Where what is meant by a path stands in the file. */
  #written(path: Path): Path {
    const [list, index, key, ...rest] = path;
    if (list === undefined || index === undefined || key === undefined) return path;
    return this.#defaulted.has(shownPath([list, index, key]))
      ? ["defaults", list, key, ...rest]
      : path;
  }
}
