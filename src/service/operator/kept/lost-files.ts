import type { FormFields } from "#check/form-field";

interface SentWithFiles {
  readonly form: URLSearchParams;
  readonly files: ReadonlyMap<string, unknown>;
}

/** A form whose files are lost, since no page can send one again: each field says that it had one, so it is asked for again. */
export function withLostFiles({ form, files }: SentWithFiles): URLSearchParams {
  const copy = new URLSearchParams(form);
  for (const name of files.keys()) copy.set(name, "lost");
  return copy;
}

/** What the fields are called that had a file which is lost. */
export const lostFiles = (fields: FormFields, form: URLSearchParams): readonly string[] =>
  Object.entries(fields).flatMap(([name, { control, label }]) =>
    control.is === "file" && (form.get(name) ?? "") !== "" ? [label] : [],
  );
