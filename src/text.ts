/** Text from the network, cut to a length; what is cut off is shown by an ellipsis. */
export function cutText(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax - 1).toWellFormed()}…`;
}
