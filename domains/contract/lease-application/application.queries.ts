import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { asSeen } from "../../../platform/server/database/versioned.ts";
import {
  amongWords,
  from,
  fromDay,
  initials,
  is,
  keyword,
  number,
  phone,
  phrase,
  to,
  toDay,
} from "../../../platform/server/lists/conditions.ts";
import { listOf, type RowOf } from "../../../platform/server/lists/list.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, seen } from "../../../platform/server/pipeline/scope.ts";
import { MONTHLY_PRICE } from "../../listing/room/room.service.ts";
import { isLateMoney } from "../../finance/bill/overdue.service.ts";
import { filesOf } from "../../system/file/file.service.ts";
import { layoutText, type RoomKind } from "../../listing/room/words.rules.ts";
import { listApplications } from "./application.contract.ts";
import {
  APPLICATION_STATES,
  type Applicant,
  type ApplicationState,
  insteadOf,
  priceRange,
} from "./application.rules.ts";

type Raw = Omit<RowOf<typeof listApplications>, "warnings"> & { black: boolean; owing: boolean };

/** Every room that is named, and what lies below it. */
const BELOW = sql`(with recursive below as (
  select id from room where id = any(a.room_ids)
  union all select r.id from room r join below b on r.parent_room_id = b.id) select id from below)`;
const WANTED = sql`daterange(a.want_start, (a.want_start + make_interval(months => a.want_months))::date, '[)')`;

/** Whether the reservation that was made for the request still keeps its room. */
const HELD = sql<boolean>`exists (select from reservation_brief v where v.id = a.reservation_id and reservation_keeps(v.state))`;

const COLUMNS = ({
  today,
}: Read) => sql<Raw>`a.id, a.apply_no "applyNo", a.name, a.firm_name "firmName", a.phone,
  a.party_type "partyType", a.village_id "villageId", v.name "villageName", a.room_ids "roomIds", a.product_id "productId",
  coalesce((select string_agg(r.full_name, '、' order by r.place, r.id) from room r where r.id = any(a.room_ids)), d.name, '') target,
  case when cardinality(a.room_ids) = 0 then null when exists (
    select from occupancy_row o left join room_held_over h on h.room_id = o.room_id and h.contract_id = o.contract_id
    where o.room_id in ${BELOW} and (o.period && ${WANTED} or h.room_id is not null)
      and not coalesce(o.reservation_id = a.reservation_id, false)
      and not coalesce(o.contract_id = a.contract_id, false)) then 'taken' else 'free' end "roomState",
  a.want_start "wantStart", a.want_months "wantMonths", a.occupants, a.budget,
  case when cardinality(a.room_ids) > 0 then (
    select round(sum(${MONTHLY_PRICE}))::bigint from room r left join lateral (select q.list_price, q.unit from room_price q
      where q.room_id = r.id and q.effective_day <= greatest(a.want_start, ${today}::date)
      order by q.effective_day desc limit 1) p on true where r.id = any(a.room_ids))
  else (select round(q.list_price * case d.price_unit when 'month' then 1 when 'day' then 365 / 12.0 end)::bigint
    from product_price q where q.product_id = a.product_id and q.effective_day <= greatest(a.want_start, ${today}::date)
      and (q.village_id = a.village_id or q.village_id is null)
    order by q.effective_day desc, q.village_id is null limit 1) end "listPrice",
  (select count(*)::int from stored_file f where f.target_kind = 'leaseApplication' and f.target_id = a.id) documents,
  exists (select from black_list b where b.active and b.enterprise_id = a.enterprise_id
    and (b.phone = a.phone or b.cert_no_hash = a.cert_no_hash)) black,
  exists (select from party p join contract c on c.party_id = p.id join bill b on b.contract_id = c.id
    where p.phone = a.phone and p.enterprise_id = a.enterprise_id and ${isLateMoney(today)}) owing,
  a.source, a.state, a.reviewer_id "reviewerId", coalesce(o.real_name, '') "reviewerName",
  a.created_at "createdAt", a.expires_on "expiresOn", a.contract_id "contractId", c.contract_no "contractNo",
  ${HELD} held, a.version`;
const BESIDE = sql`join village v on v.id = a.village_id left join product d on d.id = a.product_id
  left join operator o on o.id = a.reviewer_id left join contract c on c.id = a.contract_id`;

const shown = ({ black, owing, ...row }: Raw): RowOf<typeof listApplications> => ({
  ...row,
  phone: maskPhone(row.phone),
  warnings: [...(black ? ["black" as const] : []), ...(owing ? ["owing" as const] : [])],
});

export const applications = listOf(listApplications, {
  id: "a.id",
  from: sql`lease_application a`,
  village: "a.village_id",
  where: {
    state: amongWords("a.state"),
    // digits alone are a phone: names are not looked through for them
    keyword: keyword(
      (text) => (/^\d+$/.test(text) ? undefined : phrase("a.name", "a.firm_name")(text)),
      (text) => (/^zl\d/i.test(text) ? number("a.apply_no")(text) : undefined),
      initials("a.pinyin"),
      phone("a.phone"),
    ),
    from: fromDay("a.created_at"),
    to: toDay("a.created_at"),
    startFrom: from("a.want_start"),
    startTo: to("a.want_start"),
    source: amongWords("a.source"),
    productId: is("a.product_id"),
    reviewerId: is("a.reviewer_id"),
    leadId: is("a.lead_id"),
  },
  sort: {
    createdAt: { by: "a.created_at", indexed: true },
    wantStart: { by: "a.want_start", indexed: true },
  },
  // what waits for its review is taken in turn
  order: ({ state }) => ({
    sort: "createdAt",
    order: state?.length === 1 && state[0] === "submitted" ? "asc" : "desc",
  }),
  columns: COLUMNS,
  join: sql`join lease_application a on a.id = page.id ${BESIDE}`,
  plannedAnew: true,
  rows: (raws: Raw[]) => raws.map(shown),
});

export async function countsOf(read: Read, filter: Parameters<typeof applications.countsBy>[1]) {
  const none = Object.fromEntries(Object.keys(APPLICATION_STATES).map((state) => [state, 0]));
  const counts: Record<string, number> = {
    ...none,
    ...(await applications.countsBy(read, filter, "a.state")),
  };
  return { ...counts, "cancelled,expired": counts["cancelled"]! + counts["expired"]! };
}

export async function applicationDetail(read: Read, id: number) {
  const row = await applications.one(read, id);
  const more = await read.tx
    .selectFrom("leaseApplication as a")
    .leftJoin("lead as l", "l.id", "a.leadId")
    .leftJoin("reservation as r", "r.id", "a.reservationId")
    .select(["a.certType", "a.certNoMasked as certNo", "a.creditCode", "a.leadId", "l.number as leadNumber"])
    .select(["a.reservationId", "r.number as reservationNo", "a.reviewNote", "a.reviewedAt", "a.remark"])
    .where("a.id", "=", id)
    .executeTakeFirstOrThrow();
  const papers = (await filesOf(read, "leaseApplication", [id])).get(id) ?? [];
  return { ...row, ...more, certType: more.certType as "idCard" | null, papers };
}

/** A request as acts work with it. */
export type Application = {
  id: number;
  applyNo: string;
  enterpriseId: number;
  villageId: number;
  villageName: string;
  partyType: Applicant;
  name: string;
  firmName: string;
  phone: string;
  certNoCipher: Buffer | null;
  certNoHash: Buffer | null;
  certType: string | null;
  creditCode: string | null;
  roomIds: number[];
  productId: number | null;
  target: string;
  occupants: number;
  wantStart: Day;
  wantMonths: number;
  budget: Fen | null;
  remark: string;
  leadId: number | null;
  reservationId: number | null;
  contractId: number | null;
  reviewerId: number | null;
  status: ApplicationState;
  held: boolean;
  version: number;
};

export async function readApplications(
  read: Pick<Read, "tx">,
  ids: readonly number[],
  lock = false,
): Promise<Application[]> {
  if (lock)
    await sql`select from lease_application where id = ${anyOf(ids)} order by id for no key update`.execute(
      read.tx,
    );
  const { rows } = await sql<Application>`
    select a.id, a.apply_no "applyNo", a.enterprise_id "enterpriseId", a.village_id "villageId", v.name "villageName",
      a.party_type "partyType", a.name, a.firm_name "firmName", a.phone, a.cert_no_cipher "certNoCipher",
      a.cert_no_hash "certNoHash", a.cert_type "certType", a.credit_code "creditCode", a.room_ids "roomIds",
      a.product_id "productId", a.occupants, a.want_start "wantStart", a.want_months "wantMonths", a.budget, a.remark,
      coalesce((select string_agg(r.full_name, '、' order by r.place, r.id) from room r where r.id = any(a.room_ids)), d.name, '') target,
      a.lead_id "leadId", a.reservation_id "reservationId", a.contract_id "contractId", a.reviewer_id "reviewerId",
      a.state status, ${HELD} held, a.version
    from lease_application a join village v on v.id = a.village_id left join product d on d.id = a.product_id
    where a.id = ${anyOf(ids)} order by a.id`.execute(read.tx);
  return rows;
}

/** The request when it lies in scope, locked and as its reader saw it. */
export async function lockApplication(act: Act, id: number, version: number): Promise<Application> {
  const application = seen(act.who, (await readApplications(act, [id], true))[0]);
  asSeen(application, version);
  return application;
}

type Offered = {
  id: number;
  fullName: string;
  kind: RoomKind;
  bedrooms: number;
  halls: number;
  baths: number;
  area: number;
  orientation: string;
  capacity: number;
  listPrice: Fen | null;
};

/** What one of the rooms that are applied for costs a month on the first day. */
async function priceOf(read: Read, id: number, roomId: number): Promise<Fen | null> {
  const { rows } = await sql<{ fen: Fen | null }>`
    select round(${MONTHLY_PRICE})::bigint fen from lease_application a join room r on r.id = ${roomId}
    left join lateral (select q.list_price, q.unit from room_price q
      where q.room_id = r.id and q.effective_day <= greatest(a.want_start, ${read.today}::date)
      order by q.effective_day desc limit 1) p on true
    where a.id = ${id}`.execute(read.tx);
  return rows[0]?.fen ?? null;
}

/** Rooms of the store that are free over the wanted term and like what was asked for; the nearest in price first. */
export async function roomsFor(read: Read, id: number, insteadId?: number) {
  const row = await applications.one(read, id);
  const instead = insteadOf(row.roomIds, insteadId);
  const several = row.roomIds.length > 1;
  if (several && instead === undefined) throw invalid({ field: "insteadId", msg: "请选择要换的房间" });
  // budget and price of several are those of all together
  const like = several ? { budget: null, listPrice: await priceOf(read, id, instead!) } : row;
  const { from: least, to: most } = priceRange(like);
  const near = like.listPrice ?? like.budget ?? 0;
  const { rows } = await sql<Offered>`
    select x.* from lease_application a cross join lateral (
      select r.id, r.full_name "fullName", r.kind, f.bedrooms, f.halls, f.baths, r.area,
        coalesce(nullif(r.orientation, ''), f.orientation) orientation, r.capacity, round(${MONTHLY_PRICE})::bigint "listPrice", r.place
      from room r join apartment f on f.id = r.apartment_id join village g on g.id = r.village_id
      left join lateral (select q.list_price, q.unit from room_price q
        where q.room_id = r.id and q.effective_day <= greatest(a.want_start, ${read.today}::date)
        order by q.effective_day desc limit 1) p on true
      where r.village_id = a.village_id and r.is_leaf and g.state <> 'closed' and r.id <> all(a.room_ids)
        and r.first_day <= a.want_start and not_retired(r.retired_day, upper(${WANTED}) - 1)
        and r.kind in (select kind from room where id = ${instead ?? null}::bigint union all select kind from product where id = a.product_id)
        and (cardinality(a.room_ids) > 1 or r.capacity >= a.occupants)
        and not exists (select from occupancy_row o where o.room_id = r.id and o.period && ${WANTED})
        and not exists (select from room_held_over h where h.room_id = r.id)
        and (${most}::bigint is null or ${MONTHLY_PRICE} between ${least} and ${most})) x
    where a.id = ${id} order by abs(coalesce(x."listPrice", 0) - ${near}), x.place, x.id limit 50`.execute(
    read.tx,
  );
  return rows.map(({ bedrooms, halls, baths, ...room }) => ({
    ...room,
    layout: layoutText({ bedrooms, halls, baths }),
  }));
}
