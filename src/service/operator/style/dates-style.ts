/** The times of planned work in a list, each with its act. On a phone the act stays in the line of its time, which may have two. */
export const datesStyle: string = `
.windows { margin: 0; padding: 0; list-style: none; font-size: var(--normal); line-height: 1.8; }
@media (max-width: 40rem) {
  .windows > .title-line { flex-wrap: nowrap; gap: calc(var(--u) * 2); margin-bottom: var(--u); line-height: 1.4; }
  .windows > .title-line form { flex: none; margin: 0; }
}
.form:not(:has([name="repeat"] [value="rule"]:checked)) .field:not(.wrong):has(> [name="recurrence"]:placeholder-shown) { display: none; }
`;
