/** Rows of a table, at most `most` together: a test of each part has its time limit alone, however long the table grows. */
export const inParts = <Row>(rows: readonly Row[], most: number): readonly (readonly Row[])[] =>
  Array.from({ length: Math.ceil(rows.length / most) }, (_, part) =>
    rows.slice(part * most, (part + 1) * most),
  );
