/** A number of an address or a form: null where there is none, undefined for what is no whole number. */
export const wholeNumber = (text: string | null): number | null | undefined => {
  if (text === null || text === "") return null;
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
};
