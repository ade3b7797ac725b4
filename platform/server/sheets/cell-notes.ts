import { xml } from "./cell.ts";
import { columnNumber } from "./sheet-rows.ts";

/** What a cell says when the pointer rests on it; `at` is its place: B7. */
export type CellNote = { at: string; text: string };

export const commentsXml = (notes: readonly CellNote[]): string =>
  `<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><authors><author/></authors><commentList>${notes.map(({ at, text }) => `<comment ref="${at}" authorId="0"><text><r><t xml:space="preserve">${xml(text)}</t></r></text></comment>`).join("")}</commentList></comments>`;

/** Excel draws a note only where an old-fashioned drawing says how large it is: three columns, more rows for more text. */
export function notesDrawing(notes: readonly CellNote[]): string {
  const shapes = notes.map(({ at, text }, i) => {
    const [, letters = "A", digits = "1"] = /^([A-Z]+)(\d+)$/.exec(at) ?? [];
    const [column, row] = [columnNumber(letters) - 1, Number(digits) - 1];
    const lines = Math.min(12, 3 + Math.ceil(text.length / 14));
    return `<v:shape id="_x0000_s${1025 + i}" type="#_x0000_t202" style="position:absolute;z-index:${i + 1};visibility:hidden" fillcolor="infoBackground [80]" strokecolor="none [81]" o:insetmode="auto"><v:fill color2="infoBackground [80]"/><v:shadow color="none [81]" obscured="t"/><v:path o:connecttype="none"/><v:textbox style="mso-direction-alt:auto"><div style="text-align:left"/></v:textbox><x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${column + 1}, 6, ${row}, 14, ${column + 3}, 2, ${row + lines}, 16</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>${row}</x:Row><x:Column>${column}</x:Column></x:ClientData></v:shape>`;
  });
  return `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel"><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/></o:shapelayout><v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>${shapes.join("")}</xml>`;
}
