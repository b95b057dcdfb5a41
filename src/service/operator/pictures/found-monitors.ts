import {
  overviewPart,
  type OverviewRows,
  overviewRows,
  rowsOf,
} from "#service/operator/overview-rows";
import type { OverviewQuery } from "#service/operator/overview-query";
import type { Picture } from "#service/operator/picture";
import type { Pictures } from "#service/operator/pictures";

/** What a query finds in a picture, and the picture that its lines are drawn from. */
export interface FoundMonitors {
  readonly found: OverviewRows;
  readonly picture: Picture;
  /** So many are in its rows at most. */
  readonly most: number;
}

/** `most` monitors of what a query finds. Of a large service, what is seen of them is read here, and of no other. */
export async function foundMonitors(
  pictures: Pictures,
  picture: Picture,
  query: OverviewQuery,
  most: number,
): Promise<FoundMonitors> {
  if (picture.detail === "whole")
    return { most, found: overviewRows(picture, query, most), picture };
  const { shown, ...found } = overviewPart(picture, query, most);
  const monitors = await pictures.detailed(picture, shown);
  return {
    most,
    found: { ...found, rows: rowsOf(monitors, query) },
    picture: { ...picture, monitors },
  };
}
