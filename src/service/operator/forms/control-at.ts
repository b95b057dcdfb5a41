import type { Control, FormFields } from "#check/form-field";

/** The control of `timeout` or `latency_assertions[0].target`; null if the form has none of this name. */
export function controlAt(fields: FormFields, name: string): Control | null {
  const [own = "", column] = /^([^[.]+)(?:\[\d+\])?(?:\.(.+))?$/.exec(name)?.slice(1) ?? [];
  const control = fields[own]?.control ?? null;
  if (control === null || column === undefined) return control;
  if (control.is === "section") return controlAt(control.fields, column);
  return control.is === "rows" || control.is === "pairs"
    ? controlAt(control.columns, column)
    : null;
}
