/** Aliases can make a small file say an endless lot; reading ends there. */
export class TooManyValues extends Error {
  override readonly name = "TooManyValues";
}
