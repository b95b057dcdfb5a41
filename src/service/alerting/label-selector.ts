/** Labels that something has to have, each with this value; an empty value asks only for the label. */
export type LabelSelector = Readonly<Record<string, string>>;

export const selects = (
  selector: LabelSelector,
  labels: Readonly<Record<string, string>>,
): boolean =>
  Object.entries(selector).every(
    ([label, value]) => Object.hasOwn(labels, label) && (value === "" || labels[label] === value),
  );
