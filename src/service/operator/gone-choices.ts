import { refuseViolations } from "#service/edge/call-refusal";

/** What was deleted in another tab since the form was shown is refused, so that the rest of it is kept. */
export function refuseGone(
  field: string,
  chosen: readonly string[],
  there: readonly { readonly id: number | string }[],
): void {
  const known = new Set(there.map(({ id }) => String(id)));
  const gone = chosen.filter((id) => !known.has(id));
  if (gone.length === 0) return;
  const count = gone.length === 1 ? "one" : String(gone.length);
  const message = `has ${count} that was deleted meanwhile: it is no longer in the list`;
  refuseViolations([{ field, message }]);
}
