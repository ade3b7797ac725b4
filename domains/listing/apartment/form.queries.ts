import { sql } from "kysely";
import type { z } from "zod";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";
import { checkHouseWords } from "../dictionary/words.queries.ts";
import { allowLowest, priceToday, usableProducts } from "../room/room.queries.ts";
import { type Gender, type RentMode, isDivided, kindOf } from "../room/words.rules.ts";
import type { addApartments, apartment } from "./apartment.contract.ts";
import { flatName, sourceName } from "./apartment.queries.ts";
import type { NewApartment } from "./apartment.service.ts";
import { type RoomMade, roomsOf } from "../room/divide.rules.ts";

export type FlatForm = Omit<z.output<typeof addApartments.body>, "names">;
type Divided = Pick<FlatForm, "rentMode" | "wholeToo" | "unit" | "rooms" | "whole">;

/** The rooms that a form asks for; refuses names, prices and products that cannot be. */
export async function roomsAsked(
  read: Read,
  form: Divided,
  flat: { name: string; grossArea: number },
  share: Parameters<typeof roomsOf>[2] = {},
): Promise<RoomMade[]> {
  const divided = isDivided(form.rentMode);
  const names = form.rooms.map((room) => room.name);
  if (divided && !names.length) throw invalid({ field: "rooms", msg: "请填写房间名" });
  const twice = divided && names.find((name, i) => names.indexOf(name) !== i);
  if (twice) throw invalid({ field: "rooms", msg: `房间名重复：${twice}` });
  if (divided && form.wholeToo && names.includes(flat.name))
    throw invalid({ field: "rooms", msg: `房间名不能与门牌相同：${flat.name}` });
  allowLowest(read, ...form.rooms, form.whole);
  const kind = kindOf(form.rentMode);
  await usableProducts(read, [
    ...form.rooms.map((room) => ({ productId: room.productId, kind })),
    { productId: form.whole?.productId, kind: divided ? "whole" : kind },
  ]);
  const whole = form.whole ?? undefined;
  const given = divided
    ? form.rooms
    : [{ area: flat.grossArea, ...form.rooms[0], ...whole, name: flat.name }];
  return roomsOf(
    { ...flat, rentMode: form.rentMode, wholeToo: form.wholeToo && divided },
    given.map((room) => ({ ...room, capacity: room.capacity ?? (kind === "bed" ? 1 : 2) })),
    { ...share, unit: form.unit },
    whole && { ...whole, capacity: whole.capacity ?? 2 },
  );
}

/** One flat of the form, behind one door. */
export async function flatOf(
  read: Read,
  form: FlatForm,
  villageId: number,
  name: string,
): Promise<NewApartment> {
  if (form.innerArea && form.innerArea > form.grossArea)
    throw invalid({ field: "innerArea", msg: "套内面积不能大于建筑面积" });
  await checkHouseWords(read, form, { villageId });
  const { facilities, tags, minTermMonths, firstDay, unit: _, whole: __, rooms: ___, ...flat } = form;
  const rooms = await roomsAsked(
    read,
    form,
    { name, grossArea: form.grossArea },
    {
      orientation: form.orientation,
      facilities,
      tags,
      minTermMonths: minTermMonths ?? null,
      ...(firstDay && { firstDay }),
    },
  );
  return {
    ...flat,
    villageId,
    name,
    unitId: form.unitId ?? null,
    innerArea: form.innerArea ?? null,
    headLeaseEnd: form.headLeaseEnd ?? null,
    wholeToo: form.wholeToo && isDivided(form.rentMode),
    rooms,
  };
}

/** A flat that the caller may see, as it is stored. */
export const apartmentSeen = async (read: Read, id: number) =>
  seen(read.who, await read.tx.selectFrom("apartment").selectAll().where("id", "=", id).executeTakeFirst());

type Detail = z.input<typeof apartment.reply>;

/** A flat with its rooms of today and later, parents first. */
export async function apartmentDetail(read: Read, id: number): Promise<Detail> {
  const row = await apartmentSeen(read, id);
  const [names, rooms] = await Promise.all([
    sql<{ villageName: string; fullName: string; sourceName: string }>`
      select v.name "villageName", ${flatName} "fullName", ${sourceName} "sourceName" from apartment a join village v on v.id = a.village_id
      join building b on b.id = a.building_id left join unit u on u.id = a.unit_id where a.id = ${id}`.execute(
      read.tx,
    ),
    sql<Detail["rooms"][number]>`
      select r.id, r.parent_room_id "parentRoomId", r.kind, r.name, r.is_leaf "isLeaf", r.area, r.capacity,
        p.list_price "listPrice", p.lowest_price "lowestPrice", r.first_day "firstDay", r.retired_day "retiredDay", r.version
      from room r left join lateral (${priceToday(read, sql`r.id`)}) p on true
      where r.apartment_id = ${id} and not_retired(r.retired_day, ${read.today})
      order by r.place, r.id`.execute(read.tx),
  ]);
  const seesLowest = read.who.permits.has("#601");
  return {
    ...row,
    ...names.rows[0]!,
    rentMode: row.rentMode as RentMode,
    gender: row.gender as Gender,
    rentModeFrom: row.rentModeFrom && row.rentModeFrom > read.today ? row.rentModeFrom : null,
    rooms: rooms.rows.map(({ lowestPrice, ...room }) => ({ ...room, ...(seesLowest && { lowestPrice }) })),
  };
}
