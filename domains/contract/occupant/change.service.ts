import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { forbiddenOf } from "../../customer/blacklist/blacklist.service.ts";
import { changed } from "../../listing/occupancy/occupancy.service.ts";
import { permitOf } from "../terms/kind.rules.ts";
import { placesOf, staysIn, type CompanyPlace, type Lived } from "./occupant.queries.ts";
import { leavesOn, planStays, type Change, type Wish, type Wrong } from "./stay.rules.ts";

constraintSays("contract_occupant_once", { msg: "该证件号在合同内已有入住记录" });

/** Somebody who comes from outside, the number sealed already. */
export type Newcomer = {
  name: string;
  phone: string;
  certType: string;
  certNoCipher: Buffer;
  certNoMasked: string;
  certHash: Buffer;
  gender: "male" | "female" | null;
  relation: string;
  lockAccess: boolean;
  /** The file that brought them. */
  importId?: number;
};
export type PersonWish = Wish & {
  name: string;
  newcomer?: Newcomer;
  to: CompanyPlace | null;
  /** Why somebody comes whom the black list forbids. */
  blackListReason?: string;
};
export type Rooms = { places: CompanyPlace[]; stays: Lived[] };

/** The company's rooms and people. */
export const roomsOf = async (read: Read, companyId: number, day: Day, lock: boolean): Promise<Rooms> =>
  livedIn(read, await placesOf(read, companyId), day, lock);

/** Rooms with their people; with `lock` two clerks who fill the last bed come one after the other. */
export async function livedIn(read: Read, places: CompanyPlace[], day: Day, lock: boolean): Promise<Rooms> {
  if (lock) {
    const ids = [...new Set(places.map((p) => p.roomId))];
    await sql`select 1 from room where id = ${anyOf(ids)} order by id for no key update`.execute(read.tx);
  }
  const stays = await staysIn(read, places, day < read.today ? day : read.today);
  return { places, stays: stays.map((stay) => ({ ...stay, leaves: leavesOn(stay, placeAt(places, stay)) })) };
}

/** The contract that has a room on a day; else any of them, so that the day can be refused. */
export const placeOn = (
  places: readonly CompanyPlace[],
  roomId: number,
  day: Day,
): CompanyPlace | undefined =>
  places.find((p) => p.roomId === roomId && p.from <= day && (p.to === null || p.to >= day)) ??
  places.find((p) => p.roomId === roomId);

export const placeAt = (
  places: readonly CompanyPlace[],
  { contractId, roomId }: { contractId: number; roomId: number },
): CompanyPlace | undefined => places.find((p) => p.contractId === contractId && p.roomId === roomId);

/** Of those who come from outside whoever the black list forbids, with what is said of it. */
export async function forbiddenIn<W extends PersonWish>(
  read: Read,
  wishes: readonly W[],
): Promise<{ wish: W; msg: string }[]> {
  const enterpriseId = wishes.find((w) => w.to)?.to?.enterpriseId;
  if (enterpriseId === undefined) return [];
  const people = wishes.flatMap((wish) =>
    wish.newcomer ? [{ wish, phone: wish.newcomer.phone, certNoHash: wish.newcomer.certHash }] : [],
  );
  const hits = await forbiddenOf(read, enterpriseId, people);
  return hits.map(({ person: { wish }, reason }) => ({
    wish,
    msg: `${wish.name}在黑名单中，禁止入住：${reason}`,
  }));
}

/** Whom the black list forbids comes only by who may sign with them, and with a reason that stays on record. */
export async function refuseForbidden(
  act: Act,
  kind: "renter" | "company",
  wishes: readonly PersonWish[],
  reason: string | undefined,
): Promise<void> {
  const hits = await forbiddenIn(act, wishes);
  if (!hits.length) return;
  const [{ wish, msg }] = hits as [(typeof hits)[number]];
  if (!act.who.permits.has(permitOf(kind, "blackListed"))) throw new Refusal("blackListed", msg, 409);
  if (!reason)
    throw invalid({ field: "blackListReason", msg: `${wish.name}在黑名单中，请填写登记原因（2-200字）` });
  for (const hit of hits) hit.wish.blackListReason = reason;
}

/** Does what was asked of everybody, or nothing when a row does not fit; answers what is wrong. */
export async function changeStays(
  act: Act,
  { places, stays }: Rooms,
  wishes: readonly PersonWish[],
  day: Day,
  reason = "",
): Promise<Wrong[]> {
  const { wrong, changes } = planStays(stays, wishes, day);
  if (wrong.length) return wrong;
  // whoever leaves goes first: a bed is never two people's
  for (const change of changes) await leave(act, change, reason);
  for (const change of changes) await come(act, change);
  await note(act, places, changes, day);
  const rooms = new Map(
    changes.flatMap(({ wish: { stay, to } }) =>
      [stay && placeAt(places, stay), to].flatMap((p) => (p ? [[p.roomId, p.villageId] as const] : [])),
    ),
  );
  await changed(
    act,
    [...rooms].map(([roomId, villageId]) => ({ roomId, villageId })),
  );
  return [];
}

async function leave(act: Act, { wish: { stay }, last, place }: Change<PersonWish>, reason: string) {
  if (!stay) return;
  if (last) {
    // a stay that was changed is not the file's any more
    const left = { toDate: last, importId: null, ...(!place && { leaveReason: reason }) };
    await act.tx.updateTable("contractOccupant").set(left).where("id", "=", stay.id).execute();
  } else if (!place) await act.tx.deleteFrom("contractOccupant").where("id", "=", stay.id).execute();
}

async function come(act: Act, { wish, last, place }: Change<PersonWish>) {
  if (!place) return;
  const { contractId, roomId, from, to } = place;
  if (wish.newcomer) {
    const row = { ...wish.newcomer, contractId, roomId, fromDate: from, toDate: to };
    await act.tx.insertInto("contractOccupant").values(row).execute();
    return;
  }
  const { id } = wish.stay!;
  if (last === null) {
    // not there yet: simply expected elsewhere
    const there = { contractId, roomId, toDate: to, importId: null };
    await act.tx.updateTable("contractOccupant").set(there).where("id", "=", id).execute();
    return;
  }
  await sql`
    insert into contract_occupant (contract_id, room_id, renter_id, name, phone, cert_type, cert_no_cipher, cert_no_masked, cert_hash,
      gender, relation, lock_access, from_date, to_date, leave_reason)
    select ${contractId}, ${roomId}, renter_id, name, phone, cert_type, cert_no_cipher, cert_no_masked, cert_hash,
      gender, relation, lock_access, ${from}::date, ${to}::date, leave_reason
    from contract_occupant where id = ${id}`.execute(act.tx);
}

async function note(
  act: Act,
  places: readonly CompanyPlace[],
  changes: readonly Change<PersonWish>[],
  day: Day,
): Promise<void> {
  await act.note(
    changes.flatMap(({ wish }) => {
      const before = wish.stay && placeAt(places, wish.stay);
      const after = wish.to ?? undefined;
      const action = before && after ? "入住人换房" : after ? "新增入住人" : "入住人搬离";
      const way = before && after ? `${before.roomName} → ${after.roomName}` : (after ?? before)!.roomName;
      const listed = wish.blackListReason ? `；黑名单客户入住：${wish.blackListReason}` : "";
      const summary = after
        ? `${day} 起 ${wish.name} ${way}${listed}`
        : `${wish.name} 搬离 ${way}，${day} 起不再入住`;
      const touched = [before, after].filter((p) => p !== undefined);
      const contracts = new Map(touched.map((p) => [p.contractId, p]));
      const rooms = new Map(touched.map((p) => [p.roomId, p]));
      return [
        ...[...contracts.values()].map((p) => ({
          kind: "contract",
          recordId: p.contractId,
          number: p.contractNo,
          villageId: p.villageId,
          action,
          summary,
        })),
        ...[...rooms.values()].map((p) => ({
          kind: "room",
          recordId: p.roomId,
          number: p.roomName,
          villageId: p.villageId,
          action,
          summary,
        })),
      ];
    }),
  );
}
