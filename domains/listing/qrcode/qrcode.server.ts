import { sql } from "kysely";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { originOf } from "../channel/send.service.ts";
import { areaCodes, roomCodes } from "./qrcode.contract.ts";
import { areaPage, roomPage } from "./sheet.rules.ts";
import { labelSheet, type Label } from "./sheet.service.ts";

type Spot = { id: number; name: string; place: string };
type Asked = { ids: readonly number[]; origin?: string | undefined };

/** The sheet of what was asked for, in the order of the places; one that is out of scope is not there at all. */
async function sheetOf(
  read: Read,
  { ids, origin }: Asked,
  spots: readonly Spot[],
  { page, title }: { page: (origin: string, id: number) => string; title: string },
) {
  if (spots.length !== new Set(ids).size) throw notFound();
  const at = read.settings.PUBLIC_URL ? originOf(read.settings) : (origin ?? originOf(read.settings));
  const labels = spots.map(({ id, name, place }): Label => ({ name, place, url: page(at, id) }));
  const name = `${title}_${labels.length}个.pdf`;
  return { name, type: "application/pdf", body: await labelSheet(labels, title), inline: true };
}

export default [
  serveRead(roomCodes, async (read, { body }) => {
    const { rows } = await sql<Spot>`
      select r.id, r.full_name name, v.name place from room r join village v on v.id = r.village_id
      where r.id = ${anyOf(body.ids)} and r.village_id = ${anyOf(read.who.villages)}
      order by r.village_id, r.place, r.id`.execute(read.tx);
    return sheetOf(read, body, rows, { page: roomPage, title: "房间二维码" });
  }),

  serveRead(areaCodes, async (read, { body }) => {
    const { rows } = await sql<Spot>`
      select a.id, a.name, concat_ws('·', v.name, b.name, f.name) place
      from public_area a join village v on v.id = a.village_id
      left join building b on b.id = a.building_id left join floor f on f.id = a.floor_id
      where a.id = ${anyOf(body.ids)} and a.village_id = ${anyOf(read.who.villages)}
      order by a.village_id, b.sort, f.number, a.name collate "zh-x-icu", a.id`.execute(read.tx);
    return sheetOf(read, body, rows, { page: areaPage, title: "公共区域二维码" });
  }),
];
