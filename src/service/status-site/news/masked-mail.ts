/** `a•••@example.com`. */
export const maskedMail = (address: string): string =>
  address.trim().replace(/^(.)[^@]*@/, (_all, first: string) => `${first}•••@`);
