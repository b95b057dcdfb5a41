/** The zone whose times a person sees: the one that they chose in their profile, else that of the browser. */
export const readerZone: string =
  document.documentElement.dataset["zone"] ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
