import type { FieldChange } from "#service/store/audit/field-change";
import type { SubscriberChange, SubscriberRow } from "#service/store/subscriber-store";

/** What an operator changes of a subscriber, with what the log calls the components before and after. */
export interface WantedChange extends SubscriberChange {
  readonly words: { readonly before: string; readonly after: string };
}

/** What of it differs, for the log. A name may be that of a person, so the log has its mark alone, as of a secret. */
export function subscriberChanges(
  { name }: SubscriberRow,
  wanted: WantedChange,
  markOf: (name: string) => string,
): readonly FieldChange[] {
  const { before, after } = wanted.words;
  return [
    ...(name === wanted.name
      ? []
      : [
          {
            field: "name",
            is: "secret",
            before: markOf(name),
            after: markOf(wanted.name),
          } as const,
        ]),
    ...(before === after ? [] : [{ field: "components", is: "text", before, after } as const]),
  ];
}
