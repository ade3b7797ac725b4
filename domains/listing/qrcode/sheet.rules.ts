/** A4 in points, cut into twelve labels. */
export const PAGE = { width: 595.28, height: 841.89 };
export const COLUMNS = 3;
export const ROWS = 4;
const MARGIN = 30;
export const LABEL = {
  width: (PAGE.width - 2 * MARGIN) / COLUMNS,
  height: (PAGE.height - 2 * MARGIN) / ROWS,
};
/** Side of a code: about 4 cm, read from an arm's length. */
export const CODE_SIDE = 120;

/** On which page a label stands, and where its upper left corner is. */
export function labelAt(n: number): { page: number; x: number; y: number } {
  const each = COLUMNS * ROWS;
  const at = n % each;
  return {
    page: Math.floor(n / each),
    x: MARGIN + (at % COLUMNS) * LABEL.width,
    y: MARGIN + Math.floor(at / COLUMNS) * LABEL.height,
  };
}

/** What a code opens: a page of the console. */
export const roomPage = (origin: string, id: number) =>
  `${origin}/sams/configuration/ApartmentManage?view=room&id=${id}`;
export const areaPage = (origin: string, id: number) => `${origin}/sams/configuration/addPublicArea?id=${id}`;
