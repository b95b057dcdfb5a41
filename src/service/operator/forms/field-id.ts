/** What links lead to; a refusal's `headers[2].key` is a field's name. */
export const fieldId = (name: string): string => `field-${name.replaceAll(/[^\w]+/g, "-")}`;
