/** What links lead to; a refusal's `headers[2].key` is a field's name. Forms of one page differ by their prefix. */
export const fieldId = (name: string, { idPrefix }: { readonly idPrefix: string }): string =>
  `${idPrefix}field-${name.replaceAll(/[^\w]+/g, "-")}`;
