import type { Day } from "../../platform/kernel/day.ts";
import type { Database } from "../../platform/server/database/database.ts";
import type { Cipher } from "../../platform/server/secrets/cipher.ts";
import { changeStays, roomsOf, type PersonWish } from "../../domains/contract/occupant/change.service.ts";
import { newcomerOf } from "../../domains/contract/occupant/list.service.ts";
import { acting } from "../acting.ts";
import { fullName, idCard, mobile } from "../names.ts";
import { chanceOf } from "../random.ts";

/** Phones and certificates of colleagues lie behind those of everybody else. */
const SEQUENCE = 830_000;
const EVERY = 2;

/** Colleagues share some of the rooms that companies let, as far as there are beds. */
export async function makeOccupants(
  store: Pick<Database, "pool" | "db"> & { cipher: Cipher },
  manager: number,
  today: Day,
): Promise<void> {
  const { rows } = await store.pool.query<{ id: number }>(
    "select distinct party_id id from contract where kind = 'company' and state = 'effective' order by 1 limit 20",
  );
  const chance = chanceOf(SEQUENCE);
  let sequence = SEQUENCE;
  for (const { id } of rows)
    await acting(store, manager, new Date(`${today}T09:30:00+08:00`), async (act) => {
      const rooms = await roomsOf(act, id, today, true);
      const free = rooms.places.filter((place) => {
        const living = rooms.stays.filter((s) => s.roomId === place.roomId).length;
        return place.from <= today && place.gender === "any" && living < place.capacity;
      });
      const wishes = free.flatMap((to, row): PersonWish[] => {
        if (row % EVERY) return [];
        const person = newcomerOf(act, {
          name: fullName(chance),
          phone: mobile(++sequence),
          certType: "idCard",
          certNo: idCard(chance, sequence, chance.yes(0.5)),
          relation: "员工",
          lockAccess: true,
        });
        return "msg" in person
          ? []
          : [{ row, name: person.name, gender: person.gender, newcomer: person, to }];
      });
      if (wishes.length) await changeStays(act, rooms, wishes, today);
    });
}
