import { byName, type NamesOf } from "#check/field-names";

/** What a person says of a private location; which monitors it runs is apart. */
export interface LocationDefinition {
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>>;
}

const locationFieldNames = { name: "name", metadata: "metadata" } as const;
export type LocationFieldName = NamesOf<LocationDefinition, typeof locationFieldNames>;

export const namedLocation = (
  location: LocationDefinition,
): Readonly<Record<LocationFieldName, unknown>> => byName(location, locationFieldNames);
