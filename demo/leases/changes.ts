import { sql } from "kysely";
import { addDays, firstOf, lastOf, monthOf, type Day } from "../../platform/kernel/day.ts";
import type { Fen } from "../../platform/kernel/fen.ts";
import { Refusal } from "../../platform/kernel/refusal.ts";
import { nobody, type Act } from "../../platform/server/pipeline/act.ts";
import { actOf } from "../../platform/server/pipeline/pipeline.ts";
import type { Cipher } from "../../platform/server/secrets/cipher.ts";
import type { Database } from "../../platform/server/database/database.ts";
import { stepsOf } from "../../domains/contract/act/act.service.ts";
import type { Part, Weighed } from "../../domains/contract/act/part.service.ts";
import { amendDraft, type AmendDraft } from "../../domains/contract/amendment/amendment.contract.ts";
import { AMEND } from "../../domains/contract/amendment/amendment.service.ts";
import { contractRecord } from "../../domains/contract/contract/record.queries.ts";
import { makeOffer, openOffer, refuseOffer } from "../../domains/contract/renewal/offer.service.ts";
import { endOfTerm } from "../../domains/contract/renewal/renewal.rules.ts";
import { decline, handIn } from "../../domains/contract/renewal/renewal.service.ts";
import { weighRenewal } from "../../domains/contract/renewal/weigh.service.ts";
import { ADD_ROOMS, RETURN_ROOMS } from "../../domains/contract/room-change/room-change.service.ts";
import { addDraft, returnDraft } from "../../domains/contract/room-change/room-change.contract.ts";
import { askChange, askRenewal, askSwap, type Asked } from "../../domains/contract/successor/ask.service.ts";
import {
  changeAsk,
  changes,
  renewalAsk,
  swapAsk,
} from "../../domains/contract/successor/successor.contract.ts";
import { acting, houseAt } from "../acting.ts";
import { lettable } from "./offers.ts";
import { heard } from "../serving.ts";

type Store = Pick<Database, "pool" | "db"> & { cipher: Cipher };
type Running = {
  id: number;
  villageId: number;
  end: Day;
  rent: Fen;
  roomId: number;
  last4: string;
  lowest: Fen;
};

/** Leases of people in the stores of somebody that end so many days from today, in which nothing is under way; every few of them. */
async function running(
  { db }: Pick<Store, "db">,
  operatorId: number,
  today: Day,
  { from, to, most }: { from: number; to: number; most: number },
): Promise<Running[]> {
  const { rows } = await sql<Running>`
    select c.id, c.village_id "villageId", c.end_date "end", c.current_rent rent, k.room_id "roomId", right(r.cert_no_masked, 4) last4, k.lowest_price lowest
    from contract c join contract_room k on k.contract_id = c.id join renter r on r.id = c.party_id
    join party p on p.id = r.id
    where c.state = 'effective' and c.kind = 'renter' and c.handover_on is not null and c.next_id is null and c.source <> 'import'
      and c.end_date between ${addDays(today, from)}::date and ${addDays(today, to)}::date
      and c.start_date < ${addDays(today, -40)}::date and k.kind in ('whole', 'room')
      and c.current_rent > k.lowest_price * 1.02
      and c.village_id = any(array(select unnest(village_ids) from operator where id = ${operatorId}))
      and r.verify = 'verified' and r.cert_no_masked ~ '[0-9X]{4}$' and p.phone ~ '^1[3-9][0-9]{9}$'
      and (r.birthday is null or r.birthday < ${addDays(today, -7000)}::date)
      and not exists (select from contract_act a where a.contract_id = c.id)
      and not exists (select from refund f where f.contract_id = c.id or f.party_id = c.party_id)
      and not exists (select from reservation f where f.party_id = c.party_id)
      and not exists (select from renewal_follow f where f.contract_id = c.id and f.intent = 'leaving')
      and not exists (select from occupancy_row o where o.room_id = k.room_id and lower(o.period) > c.end_date)
      and not exists (select from bill b where b.contract_id = c.id and b.outstanding > 0 and b.due_date < ${addDays(today, 10)}::date)
    order by c.village_id, c.id`.execute(db);
  const every = Math.max(1, Math.min(5, Math.floor(rows.length / most)));
  return rows.filter((_, i) => i % every === every - 1).slice(0, most);
}

/** What the product refuses on a day like this stays undone: a demo begins on any day. */
async function ifMay(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

/** How far the renewal of each lease that ends soon has come; the most telling first, where a company is small. */
const RENEWALS = [
  "signing",
  "offered",
  "handling",
  "below",
  "opened",
  "declined",
  "signing",
  "leaving",
  "expired",
  "signing",
  "offered",
  "handling",
] as const;
type Fate = (typeof RENEWALS)[number];
const WAYS = { deposit: "carry", credit: "carry", arrearsReason: "" } as const;

async function renewOne(act: Act, { id, end, rent, roomId, lowest }: Running, fate: Fate): Promise<void> {
  const start = addDays(end, 1);
  const monthlyRent = fate === "below" ? lowest - 10_000 : Math.round((rent * 1.03) / 1000) * 1000;
  const ask = renewalAsk.parse({
    ...{ contractId: id, end: endOfTerm(start, 12), rents: [{ roomId, monthlyRent }], ...WAYS },
    reason: fate === "below" ? "老租客一次付清半年，申请优惠续租" : "租客申请续租一年",
  });
  if (fate === "handling") return void (await askRenewal(act, ask));
  await handIn(act, ask, (await weighRenewal(act, ask)).previewHash);
}

const choicesOf = (rent: Fen) => [
  { months: 12, monthlyRent: rent },
  { months: 6, monthlyRent: Math.round((rent * 1.05) / 1000) * 1000 },
];

/** Leases that end soon: asked about, offered terms, renewed in part, or given up. */
export async function makeRenewals(store: Store, clerk: number, today: Day): Promise<void> {
  const at = (ago: number, clock: string) => new Date(`${addDays(today, -ago)}T${clock}:00+08:00`);
  const soon = { from: 4, to: 55, most: RENEWALS.length };
  const found = await running(store, clerk, today, soon);
  const goOn = async (lease: Running, fate: Fate, i: number): Promise<void> => {
    if (fate === "leaving")
      return void (await acting(store, clerk, at(1, "11:05"), (act) =>
        decline(act, lease.id, "换到外地工作，到期退房"),
      ));
    if (fate === "signing" || fate === "handling" || fate === "below")
      return acting(store, clerk, at(1 + (i % 3), "14:20"), (act) => renewOne(act, lease, fate));
    const ago = fate === "expired" ? 6 : 1;
    const { path } = await acting(store, clerk, at(ago, "10:40"), (act) =>
      makeOffer(act, lease.id, choicesOf(lease.rent)),
    );
    if (fate === "offered" || fate === "expired") return;
    const token = path.split("/").at(-1)!;
    await asTenant(store, at(0, "09:10"), async (act) => {
      await openOffer(act, token, lease.last4);
      if (fate === "declined") await refuseOffer(act, token, lease.last4, "公司搬迁，住得太远了");
    });
  };
  for (const [i, lease] of found.entries()) await ifMay(goOn(lease, RENEWALS[i]!, i));
}

/** Somebody without a login, on a page of one use. */
const asTenant = <R>(store: Store, now: Date, work: (act: Act) => Promise<R>): Promise<R> =>
  store.db
    .transaction()
    .execute((tx) =>
      work(actOf(houseAt(store, now), tx, nobody, { requestId: "demo", ip: "", userAgent: "demo" })),
    );

/** Of changes that are under way now: what is changed, and how far it has come. */
const CHANGES = [
  ["room", "signing"],
  ["tenant", "signing"],
  ["room", "handling"],
  ["tenant", "handling"],
  ["room", "cancelled"],
] as const;
/** A store keeps so many free rooms for everybody else. */
const KEPT = 3;

/** People who rent nothing now, one for each store of somebody. */
async function newcomers({ db }: Store, operatorId: number): Promise<Map<number, number>> {
  const { rows } = await sql<{ villageId: number; partyId: number }>`
    select v.village_id "villageId", min(p.id) "partyId"
    from party_village v join party p on p.id = v.party_id join renter r on r.id = p.id
    where v.village_id = any(array(select unnest(village_ids) from operator where id = ${operatorId}))
      and r.merged_into_id is null and r.verify = 'verified' and not exists (
        select from contract c where c.party_id = p.id and (in_force(c.state) or c.state in ('draft', 'signing')))
    group by 1`.execute(db);
  return new Map(rows.map((row) => [row.villageId, row.partyId]));
}

/** Tenants who are about to move within their store or to pass their lease on. */
export async function makeMovings(store: Store, clerk: number, today: Day): Promise<void> {
  const at = (clock: string) => new Date(`${addDays(today, -1)}T${clock}:00+08:00`);
  const leases = await running(store, clerk, today, { from: 100, to: 900, most: CHANGES.length * 6 });
  const free = Map.groupBy(
    await lettable(store, addDays(today, -1), today, CHANGES.length * 3, KEPT),
    (room) => room.villageId,
  );
  const people = await newcomers(store, clerk);
  for (const [kind, upTo] of CHANGES) {
    const has = ({ villageId }: Running) =>
      kind === "room" ? free.get(villageId)?.length : people.has(villageId);
    const i = leases.findIndex(has);
    if (i < 0) continue;
    const [lease] = leases.splice(i, 1) as [Running];
    const { id: contractId, villageId } = lease;
    const room = kind === "room" ? free.get(villageId)!.shift()! : undefined;
    const ask = changeAsk.parse({
      ...{ contractId, kind, effectiveOn: addDays(today, 9), ...WAYS },
      ...(room ? { roomId: room.roomId, monthlyRent: room.rent } : { partyId: people.get(villageId) }),
      reason: room ? "想换大一点的户型" : "工作调动，转给同事",
    });
    if (!room) people.delete(villageId);
    await ifMay(
      (async () => {
        const asked = await acting(store, clerk, at("16:10"), (act) => askChange(act, ask));
        if (upTo !== "handling") await acting(store, clerk, at("16:30"), (act) => next(act, asked, upTo));
      })(),
    );
  }
}

async function next(act: Act, { id, version }: Asked, upTo: "signing" | "cancelled"): Promise<void> {
  if (upTo === "cancelled") {
    await heard(changes.cancel)(act, { params: { id }, body: { version, reason: "租客改变主意，不换房了" } });
    return;
  }
  const { previewHash } = await heard(changes.preview)(act, { params: { id }, body: {} });
  await heard(changes.submit)(act, { params: { id }, body: { version, previewHash } });
}

const amend = stepsOf(AMEND);
/** What is agreed anew in the demo, and how far it has come. */
const AMENDMENTS = ["signing", "begun", "handling", "rentDone", "feeDone"] as const;

/** Terms that are being agreed anew: a rent that falls or rises, days that are free, a later end. */
export async function makeAmendments(store: Store, clerk: number, today: Day): Promise<void> {
  const at = (ago: number, clock: string) => new Date(`${addDays(today, -ago)}T${clock}:00+08:00`);
  const month = firstOf(monthOf(addDays(lastOf(monthOf(today)), 1)));
  const long = { from: 120, to: 900, most: AMENDMENTS.length };
  const { rows: cleaning } = await store.pool.query<{ id: number }>(
    "select id from fee_subject where code = 'cleaning' order by id limit 1",
  );
  for (const [i, lease] of (await running(store, clerk, today, long)).entries()) {
    const upTo = AMENDMENTS[i]!;
    const all = drafts(lease, firstOf(monthOf(today)), month, Number(cleaning[0]!.id));
    const draft = amendDraft.parse(all[upTo]);
    await ifMay(
      (async () => {
        const asked = await acting(store, clerk, at(2, "10:50"), (act) =>
          amend.ask(act, { contractId: lease.id, ...draft }),
        );
        if (upTo === "handling") return;
        await acting(store, clerk, at(1, "17:05"), (act) => submitAmendment(act, lease.id, asked, draft));
        if (upTo !== "rentDone" && upTo !== "feeDone") return;
        await acting(store, clerk, at(0, "09:20"), (act) => carryOut(act, AMEND, lease.id, asked.id, draft));
      })(),
    );
  }
}

async function submitAmendment(
  act: Act,
  contractId: number,
  { id, version }: { id: number; version: number },
  draft: AmendDraft,
) {
  const { previewHash } = await AMEND.weigh(act, await contractRecord(act, contractId), draft);
  return amend.submit(act, id, { version, previewHash });
}

/** The supplement is signed by both: what was agreed is carried out as it comes to now. */
async function carryOut<D extends { effectiveOn: Day; reason: string }, W extends Weighed>(
  act: Act,
  part: Part<D, W>,
  contractId: number,
  id: number,
  draft: D,
): Promise<void> {
  const { previewHash } = await part.weigh(act, await contractRecord(act, contractId), draft);
  await stepsOf(part).signed(act, id, { note: "双方签署补充协议", previewHash });
}

/** A company's contract gives a room back and takes another in its place, each by a supplement of its own. */
export async function makeRoomChanges(store: Store, clerk: number, today: Day): Promise<void> {
  const { rows } = await sql<{ id: number; villageId: number; roomId: number; rent: Fen }>`
    select c.id, c.village_id "villageId", k.room_id "roomId", k.monthly_rent rent
    from contract c join contract_room k on k.contract_id = c.id
    where c.kind = 'company' and c.state = 'effective' and c.village_id = any(array(select unnest(village_ids) from operator where id = ${clerk}))
      and (select count(*) from contract_room where contract_id = c.id) > 2
    order by c.id desc, k.seq desc limit 1`.execute(store.db);
  const [held] = rows;
  if (!held) return;
  const free = await lettable(store, today, today, 30, KEPT);
  const room = free.find((r) => r.villageId === held.villageId);
  const at = new Date(`${today}T08:50:00+08:00`);
  const done = <D extends { effectiveOn: Day; reason: string }, W extends Weighed>(
    part: Part<D, W>,
    draft: D,
  ) =>
    ifMay(
      acting(store, clerk, at, async (act) => {
        const asked = await stepsOf(part).ask(act, { contractId: held.id, ...draft });
        const { previewHash } = await part.weigh(act, await contractRecord(act, held.id), draft);
        await stepsOf(part).submit(act, asked.id, { version: asked.version, previewHash });
        await carryOut(act, part, held.id, asked.id, draft);
      }),
    );
  if (room) {
    const joins = [{ roomId: room.roomId, monthlyRent: room.rent }];
    await done(ADD_ROOMS, addDraft.parse({ effectiveOn: today, reason: "新增两名员工", rooms: joins }));
  }
  const leaves = { effectiveOn: today, reason: "员工调回总部", roomIds: [held.roomId] };
  await done(RETURN_ROOMS, returnDraft.parse(leaves));
}

/** Two tenants of a store who take each other's room in nine days: their papers wait for both signatures. */
export async function makeSwap(store: Store, clerk: number, today: Day): Promise<void> {
  const at = (clock: string) => new Date(`${addDays(today, -1)}T${clock}:00+08:00`);
  const leases = await running(store, clerk, today, { from: 100, to: 900, most: 40 });
  const pair = [...Map.groupBy(leases, (lease) => lease.villageId).values()].find((of) => of.length > 1);
  if (!pair) return;
  const [one, other] = pair as [Running, Running];
  const ask = swapAsk.parse({
    ...{ contractId: one.id, otherId: other.id, effectiveOn: addDays(today, 9) },
    ...{ monthlyRent: other.rent, otherRent: one.rent, reason: "两位租客协商对调房间" },
  });
  await ifMay(
    (async () => {
      const asked = await acting(store, clerk, at("15:10"), (act) => askSwap(act, ask));
      await acting(store, clerk, at("15:40"), (act) => next(act, asked, "signing"));
    })(),
  );
}

const drafts = (
  { rent, end }: Running,
  begun: Day,
  month: Day,
  cleaning: number,
): Record<(typeof AMENDMENTS)[number], object> => ({
  signing: {
    ...{ effectiveOn: month, reason: "换装新家具，协商调整租金" },
    rises: [{ fromDate: month, rent: Math.round((rent * 1.03) / 1000) * 1000 }],
  },
  begun: {
    ...{ effectiveOn: begun, reason: "本月起含网络与保洁服务" },
    rises: [{ fromDate: begun, rent: Math.round((rent * 1.1) / 1000) * 1000 }],
  },
  rentDone: {
    ...{ effectiveOn: month, reason: "老租客协商降租" },
    rises: [{ fromDate: month, rent: Math.round((rent * 0.99) / 1000) * 1000 }],
  },
  feeDone: {
    ...{ effectiveOn: month, reason: "加订每周保洁" },
    fees: [{ feeId: cleaning, kind: "recurring", amount: 12_000 }],
  },
  handling: {
    ...{ effectiveOn: month, reason: "孩子上学，延长至学期结束" },
    end: addDays(end, 60),
  },
});
