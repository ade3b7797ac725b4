import { addDays } from "../../../platform/kernel/day.ts";
import { invalid, notFound, type FieldError } from "../../../platform/kernel/refusal.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveImport } from "../../system/import/serve.service.ts";
import {
  changeStays,
  placeAt,
  placeOn,
  refuseForbidden,
  roomsOf,
  type PersonWish,
} from "./change.service.ts";
import { occupantImport } from "./import.contract.ts";
import { OCCUPANTS } from "./import.service.ts";
import { judgeList, newcomerOf } from "./list.service.ts";
import {
  addOccupants,
  applyOccupantList,
  checkOccupantList,
  companyRooms,
  leaveOccupants,
  moveOccupants,
} from "./occupant.contract.ts";
import { gridOf } from "./occupant.queries.ts";
import { exportOccupants } from "./roster.contract.ts";
import { roster } from "./roster.queries.ts";
import type { Wrong } from "./stay.rules.ts";

/** Refuses with every row that does not fit, by the names of the form's fields. */
function refuse(wrong: readonly Wrong[], list: string): void {
  const fields = wrong.map(({ row, field, msg }): FieldError => ({ field: `${list}.${row}.${field}`, msg }));
  if (fields.length) throw invalid(...fields);
}

export default [
  serveRead(companyRooms, (read, { query }) => gridOf(read, query.companyId)),
  serveList(roster),
  exportList(exportOccupants),
  ...serveImport(occupantImport, OCCUPANTS),

  serve(addOccupants, async (act, { body: { companyId, day, people, blackListReason } }) => {
    const rooms = await roomsOf(act, companyId, day, true);
    const hashes = new Map<string, string>();
    for (const stay of rooms.stays)
      if (stay.certHash)
        hashes.set(Buffer.from(stay.certHash).toString("hex"), placeAt(rooms.places, stay)!.roomName);
    const wrong: FieldError[] = [];
    const wishes = people.map((person, row): PersonWish => {
      const to = placeOn(rooms.places, person.roomId, day);
      if (!to) throw invalid({ field: `people.${row}.roomId`, msg: "房间不在合同内" });
      const newcomer = newcomerOf(act, person);
      const say = (msg: string) => wrong.push({ field: `people.${row}.certNo`, msg });
      const base = { row, name: person.name, to };
      if ("msg" in newcomer) {
        say(newcomer.msg);
        return { ...base, gender: null };
      }
      const key = newcomer.certHash.toString("hex");
      const lives = hashes.get(key);
      if (lives !== undefined) say(lives ? `该证件号已入住 ${lives}，请用换房` : "证件号重复");
      hashes.set(key, lives ?? "");
      return { ...base, gender: newcomer.gender, newcomer };
    });
    if (wrong.length) throw invalid(...wrong);
    await refuseForbidden(act, "company", wishes, blackListReason);
    refuse(await changeStays(act, rooms, wishes, day), "people");
    return { made: wishes.length };
  }),

  serve(moveOccupants, async (act, { body: { companyId, day, moves } }) => {
    const rooms = await roomsOf(act, companyId, day, true);
    const wishes = moves.map((move, row): PersonWish => {
      const stay = rooms.stays.find((s) => s.id === move.id);
      if (!stay) throw notFound();
      const to = placeOn(rooms.places, move.roomId, day);
      if (!to) throw invalid({ field: `moves.${row}.roomId`, msg: "房间不在合同内" });
      return { row, name: stay.name, gender: stay.gender, stay, to };
    });
    refuse(await changeStays(act, rooms, wishes, day), "moves");
    return { moved: wishes.length };
  }),

  serve(leaveOccupants, async (act, { body: { companyId, lastDay, ids, reason } }) => {
    const day = addDays(lastDay, 1);
    const rooms = await roomsOf(act, companyId, day, true);
    const wishes = [...new Set(ids)].map((id, row): PersonWish => {
      const stay = rooms.stays.find((s) => s.id === id);
      if (!stay) throw notFound();
      return { row, name: stay.name, gender: stay.gender, stay, to: null };
    });
    const late = wishes.find(({ stay }) => stay!.to !== null && stay!.to < lastDay);
    if (late) throw invalid({ field: "lastDay", msg: `${late.name} 的入住到 ${late.stay!.to} 为止` });
    await changeStays(act, rooms, wishes, day, reason);
    return { left: wishes.length };
  }),

  serveRead(checkOccupantList, async (read, { body: { companyId, day, rows } }) => {
    const { rows: judged, errors } = await judgeList(
      read,
      await roomsOf(read, companyId, day, false),
      rows,
      day,
    );
    return { rows: judged, errors };
  }),

  serve(applyOccupantList, async (act, { body: { companyId, day, rows } }) => {
    const rooms = await roomsOf(act, companyId, day, true);
    const { wishes, errors } = await judgeList(act, rooms, rows, day);
    if (errors.length)
      throw invalid(...errors.map((e) => ({ field: "rows", msg: `第 ${e.row} 行 ${e.header}：${e.msg}` })));
    await changeStays(act, rooms, wishes, day);
    return { changed: wishes.length };
  }),
];
