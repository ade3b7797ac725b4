import { idCard } from "../../../platform/kernel/texts/certificate.ts";

/** The columns of a pasted list, in the order people keep them. */
export const LIST_COLUMNS = { name: "姓名", phone: "手机号", certNo: "证件号", room: "房间" } as const;
export type ListKey = keyof typeof LIST_COLUMNS;
export type ListRow = Record<ListKey, string>;

/** Most rows of one list. */
export const MOST_LISTED = 500;

/** What stands in the room column of somebody who moves out. */
const GONE = ["搬离", "搬出", "离开", "退房"];
export const leaves = (room: string): boolean => GONE.includes(room.trim());

/**
 * Rows of a spreadsheet or of plain text: columns by tabs, commas, or two blanks and more. A line of heads is left out. Cells stay as
 * they are, so that a blank before a name is told, not cut off in silence.
 */
export function rowsOf(text: string): ListRow[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim());
  const cells = lines.map((line) => line.split(line.includes("\t") ? "\t" : /[,，;；]|(?<=\S) {2,}/));
  const heads = cells[0]?.[0]?.trim() === LIST_COLUMNS.name ? 1 : 0;
  return cells.slice(heads).map(([name = "", phone = "", certNo = "", room = ""]) => ({
    name,
    phone: phone.trim(),
    certNo: certNo.trim(),
    room: room.trim(),
  }));
}

/** A list has no column for the kind: what is written like an identity card is one. */
export const certTypeOf = (certNo: string): "idCard" | "other" =>
  /^\d{15}$|^\d{17}[\dXx]$/.test(certNo) || !idCard(certNo) ? "idCard" : "other";

/** The one room that a name means: written in full, or by its last part when only one ends so. */
export function roomCalled<P extends { roomName: string; roomId: number }>(
  places: readonly P[],
  name: string,
): P | { msg: string } {
  const whole = places.filter((p) => p.roomName === name);
  const found = whole.length ? whole : places.filter((p) => p.roomName.endsWith(name));
  const [place] = found;
  if (!name || !place) return { msg: name ? "房间不在合同内" : "请填写房间" };
  return found.every((p) => p.roomId === place.roomId) ? place : { msg: "有多间房间符合，请写全名" };
}
