import { sql } from "kysely";
import { type Day, addDays } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import { revise, stamp } from "../../../platform/server/database/versioned.ts";
import { type Act, type Read, entryOn } from "../../../platform/server/pipeline/act.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { ACT_KINDS, type ActState } from "../act/act.rules.ts";
import { answerTenant, requestFor } from "../act/request.service.ts";
import { configOf, enterpriseOf, startingTerms } from "../config/config.service.ts";
import { roomFacts } from "../contract/facts.queries.ts";
import { type ContractRecord, contractNote, contractRecord } from "../contract/record.queries.ts";
import { saveDraft } from "../drafting/draft.service.ts";
import { tooLong } from "../schedule/fee-errors.rules.ts";
import { agreed, rentsOn } from "../succession/agreed.rules.ts";
import { partyKept } from "../succession/fixed.queries.ts";
import { type Ways, successionRefusal, takeOverOf } from "../succession/succession.queries.ts";
import {
  dayRefusal,
  leavingTerms,
  renewalTerms,
  roomTerms,
  roomsLeft,
  tenantTerms,
  windowRefusal,
} from "../succession/succession.rules.ts";
import { SUCCESSIONS, type ContractForm, type Succession, type Terms } from "../terms/terms.contract.ts";
import type { ChangeAsk, RenewalAsk, SwapAsk } from "./successor.contract.ts";

export type Asked = {
  id: number;
  actNo: string;
  state: ActState;
  version: number;
  contractId: number;
  contractNo: string;
};

const ACT_OF = { renewal: "renew", changeRoom: "changeRoom", changeTenant: "changeTenant" } as const;
const TARGET_OF = { renewal: "renewal", changeRoom: "changeRoom", changeTenant: "changeRoom" } as const;

/** The contract that would come after, as far as its act fixes it. */
export type Next = {
  kind: Succession;
  start: Day;
  end: Day;
  partyId: number;
  terms: Terms;
  rooms: ContractForm["rooms"];
  ways: Ways;
  /** Where the new room lies, if that is another store. */
  villageId?: number;
  swapWith?: number;
  occupantIds?: readonly number[] | null | undefined;
};

/** What it takes over as things stand, with its rooms as they are on its first day. */
export async function takenOver(read: Pick<Read, "tx">, previous: ContractRecord, next: Next) {
  const { kind, start, end, terms, ways, swapWith } = next;
  const facts = await roomFacts(
    read,
    next.rooms.map((r) => r.roomId),
    start,
  );
  const rooms = next.rooms.map((room, i) => ({
    ...room,
    unitPrice: room.unitPrice ?? null,
    area: facts[i]?.area ?? null,
  }));
  return {
    takeOver: await takeOverOf(read, previous, { kind, start, end, terms, rooms, swapWith }, ways.deposit),
    facts,
  };
}

/** The draft of the contract that comes after, with the act that leads to it; the two name each other. */
async function draw(act: Act, previous: ContractRecord, next: Next): Promise<Asked> {
  const { kind, start, end, partyId, terms, rooms, ways } = next;
  const request = await requestFor(act, previous.id, ACT_OF[kind]);
  const why = await successionRefusal(act, previous, { id: null, kind, start, ...ways });
  if (why) throw new Refusal("notAllowed", why, 409);
  const { takeOver } = await takenOver(act, previous, next);
  const form: ContractForm = {
    ...terms,
    kind: previous.kind,
    villageId: next.villageId ?? previous.villageId,
    partyId,
    start,
    end,
    rooms,
    occupants: [],
    // who keeps contracts of one store need not work in the other
    managerId: next.villageId ? act.who.operatorId : previous.managerId,
    signerId: act.who.operatorId || previous.signerId,
    // another tenant came from somewhere else, and has titles of its own
    ...(kind !== "changeTenant" && {
      channel: previous.channel,
      agentId: previous.agentId,
      titleId: previous.titleId,
    }),
    remark: `${SUCCESSIONS[kind][0]}自 ${previous.contractNo}`,
  };
  const saved = await saveDraft(act, form, undefined, takeOver);
  if (kind !== "changeTenant") await moveAlong(act, previous, saved.id, next);
  const actNo = request?.actNo ?? (await act.numbers(ACT_KINDS[ACT_OF[kind]]))[0]!;
  const drawn = {
    state: "handling",
    effectiveOn: start,
    reason: ways.reason,
    payload: JSON.stringify(ways),
    resultContractId: saved.id,
    handlerId: act.who.operatorId || null,
    ...stamp(act),
  };
  const row = request
    ? await revise(act, "contractAct", request, drawn)
    : await act.tx
        .insertInto("contractAct")
        .values({
          ...drawn,
          actNo,
          kind: ACT_OF[kind],
          contractId: previous.id,
          villageId: previous.villageId,
          requestedOn: act.today,
          createdBy: act.who.operatorId || null,
        })
        .returning(["id", "version"])
        .executeTakeFirstOrThrow();
  await act.tx
    .insertInto("changeMoney")
    .values({ actId: row.id, rentBefore: rentBefore(previous, start) })
    .execute();
  const text = `新合同 ${saved.contractNo}，${start} 至 ${end}：${ways.reason}`;
  const title = `${SUCCESSIONS[kind][0]}申请`;
  await act.note([
    contractNote(previous, title, `${actNo} ${text}`),
    entryOn(TARGET_OF[kind], { id: row.id, villageId: previous.villageId }, actNo, title, text),
  ]);
  if (request) await answerTenant(act, previous, { id: row.id, kind: ACT_OF[kind], actNo });
  return {
    id: row.id,
    actNo,
    state: "handling",
    version: row.version,
    contractId: saved.id,
    contractNo: saved.contractNo,
  };
}

/** The monthly rent of the contract before on its last day before the change. */
function rentBefore(previous: ContractRecord, start: Day): Fen {
  const rents = rentsOn(agreed(previous), addDays(start, -1));
  return [...rents.values()].reduce((sum, rent) => sum + rent, 0);
}

/** Who still lives there on the day before the change. */
const livingAt = (previous: ContractRecord, start: Day) => sql`
  from contract_occupant where contract_id = ${previous.id} and (to_date is null or to_date >= ${addDays(start, -1)}::date)`;

/** Who lives there and goes along; certificates are copied as they are sealed. */
async function moveAlong(act: Act, previous: ContractRecord, to: number, next: Next): Promise<void> {
  const [room] = next.rooms;
  await sql`
    insert into contract_occupant (contract_id, room_id, renter_id, name, phone, cert_type, cert_no_cipher, cert_no_masked,
      cert_hash, relation, lock_access, gender, from_date, to_date)
    select ${to}, case when ${next.kind} = 'changeRoom' then ${room!.roomId} else room_id end, renter_id, name, phone, cert_type,
      cert_no_cipher, cert_no_masked, cert_hash, relation, lock_access, gender, ${next.start}::date, ${next.end}::date
    ${livingAt(previous, next.start)}
      and (${next.occupantIds ?? null}::bigint[] is null or id = any(${next.occupantIds ?? null}::bigint[]))
    order by id`.execute(act.tx);
}

/** The lease goes on after its last day: a fresh term, and what the renewal form changes of it. */
export async function renewalOf(
  read: Pick<Read, "tx" | "today">,
  previous: ContractRecord,
  { end, rents, contractId: _, ...ways }: RenewalAsk,
): Promise<Next> {
  if (!previous.end) throw new Refusal("notAllowed", "草稿合同不能续租", 409);
  const { renewalWindowDays } = await configOf(read, previous);
  const early = windowRefusal(previous.end, read.today, renewalWindowDays);
  if (early) throw new Refusal("notAllowed", early, 409);
  const start = addDays(previous.end, 1);
  const wrong = end < start ? "结束日期不能早于开始日期" : tooLong(start, end);
  if (wrong) throw invalid({ field: "end", msg: wrong });
  const before = agreed(previous);
  const left = roomsLeft(before);
  const strange = rents.findIndex((r) => !left.some((room) => room.roomId === r.roomId));
  if (strange >= 0) throw invalid({ field: `rents.${strange}.roomId`, msg: "房间不在合同内" });
  const set = new Map(rents.map((r) => [r.roomId, r.monthlyRent]));
  const last = rentsOn(before, previous.end);
  // there the rent follows from a price per square metre, which the contract's form holds
  if (before.terms.pricing === "areaDay" && rents.some((r) => r.monthlyRent !== last.get(r.roomId)))
    throw invalid({ field: "rents", msg: "按面积计租的合同请在合同表单中修改单价" });
  const rooms = left.map(({ roomId, unitPrice }) => ({
    roomId,
    unitPrice,
    monthlyRent: set.get(roomId) ?? last.get(roomId)!,
  }));
  const terms = renewalTerms(before, start);
  return { kind: "renewal", start, end, partyId: (await partyKept(read, previous))!, terms, rooms, ways };
}

export async function askRenewal(act: Act, ask: RenewalAsk): Promise<Asked> {
  const previous = await contractRecord(act, ask.contractId, true);
  return draw(act, previous, await renewalOf(act, previous, ask));
}

/** Why a contract cannot change its room or its tenant at all, whatever the day, or nothing. */
export function changeRefusal(previous: ContractRecord, kind: ChangeAsk["kind"]): string | undefined {
  const { start, end, terms } = previous;
  if (!start || !end) return "草稿合同不能办理换房或转租";
  if (previous.kind === "company") return "企业合同换房请办理“调换房间”";
  if (terms.turnover && terms.turnover.rentKind !== "fixed")
    return "按营业额计租的合同不能换房或转租，请结清后重新签约";
  if (kind === "room" && roomsLeft(agreed(previous)).length !== 1)
    return "合同有多间房，请先结清附属房间再办理换房";
  if (kind === "tenant" && terms.pricing === "areaDay" && terms.steps.length)
    return "按面积计租且有调价的合同不能转租，请结清后重新签约";
  return undefined;
}

/** What can be changed at all, on that day. */
function changeable(act: Act, previous: ContractRecord, kind: ChangeAsk["kind"], start: Day) {
  const never = changeRefusal(previous, kind);
  if (never) throw new Refusal("notAllowed", never, 409);
  const before = agreed(previous);
  const wrong = dayRefusal(before, start, act.today);
  if (wrong) throw invalid({ field: "effectiveOn", msg: wrong });
  return before;
}

type Moving = Pick<Next, "start" | "end" | "ways"> & {
  /** The store of the room, where it is another one. */
  villageId?: number | null | undefined;
  roomId: number;
  monthlyRent?: Fen | null | undefined;
  /** Their fields in what was sent. */
  fields: { room: string; rent: string };
};

/** The lease in another room. In another store the terms of leaving and of late money are that store's. */
async function roomNext(act: Act, previous: ContractRecord, to: Moving): Promise<Next> {
  const { start, end, ways, roomId, fields } = to;
  const [room] = await roomFacts(act, [roomId], start);
  const villageId = to.villageId ?? previous.villageId;
  if (room?.villageId !== villageId) throw invalid({ field: fields.room, msg: "请选择该门店的房间" });
  const other = room.villageId === previous.villageId ? undefined : inScope(act.who, room.villageId);
  const monthlyRent = to.monthlyRent ?? room.listPrice;
  if (!monthlyRent) throw invalid({ field: fields.rent, msg: "请输入新月租" });
  const terms = roomTerms(agreed(previous), start);
  const partyId = (await partyKept(act, previous))!;
  // money of one record pays no bills of another
  if (partyId !== previous.partyId && ways.credit !== "refund")
    throw invalid({ field: "credit", msg: `${previous.partyName}已并入其他记录，未用租金须退还` });
  return {
    kind: "changeRoom",
    start,
    end,
    partyId,
    terms: {
      ...terms,
      pricing: "month",
      basis: terms.basis === "area" ? "actual" : terms.basis,
      ...(other && (await storeTerms(act, previous, other, ways))),
    },
    rooms: [{ roomId, monthlyRent, unitPrice: null }],
    ways,
    ...(other && { villageId: other }),
  };
}

/** What the other store agrees with its tenants. Money that was paid in one store pays no bills of another. */
async function storeTerms(act: Act, previous: ContractRecord, villageId: number, { credit }: Ways) {
  const enterpriseId = await enterpriseOf(act, villageId);
  if (enterpriseId !== previous.enterpriseId)
    throw new Refusal("notAllowed", "新房间的门店属于另一家企业，请退房后重新签约", 409);
  if (credit !== "refund")
    throw invalid({ field: "credit", msg: "跨门店换房的未用租金须退还，不能抵扣另一门店的账单" });
  return leavingTerms(startingTerms(await configOf(act, { enterpriseId, villageId })));
}

/** Two tenants take each other's room from a day on: two acts and two drafts that go on together. */
export async function askSwap(act: Act, ask: SwapAsk): Promise<Asked> {
  const { contractId, otherId, effectiveOn: start, deposit, rest, credit, reason } = ask;
  if (contractId === otherId) throw invalid({ field: "otherId", msg: "请选择另一份合同" });
  const found = new Map<number, ContractRecord>();
  for (const id of [contractId, otherId].toSorted((a, b) => a - b))
    found.set(id, await contractRecord(act, id, true));
  const [one, two] = [found.get(contractId)!, found.get(otherId)!];
  const ways: Ways = { deposit, rest, credit, arrearsReason: "", reason };
  const nextOf = async (
    from: ContractRecord,
    to: ContractRecord,
    rent: Fen | null | undefined,
    at: "" | "other",
  ) => {
    const { end } = changeable(act, from, "room", start);
    const fields = { room: at ? "contractId" : "otherId", rent: at ? "otherRent" : "monthlyRent" };
    const [room] = roomsLeft(agreed(to));
    const next = await roomNext(act, from, {
      start,
      end,
      ways,
      roomId: room!.roomId,
      villageId: to.villageId,
      monthlyRent: rent,
      fields,
    });
    return { ...next, swapWith: to.id };
  };
  changeable(act, two, "room", start);
  const nexts = [
    await nextOf(one, two, ask.monthlyRent, ""),
    await nextOf(two, one, ask.otherRent, "other"),
  ] as const;
  const [own, other] = [await draw(act, one, nexts[0]), await draw(act, two, nexts[1])];
  for (const [id, pairedId] of [
    [own.id, other.id],
    [other.id, own.id],
  ] as const)
    await act.tx.updateTable("contractAct").set({ pairedId }).where("id", "=", id).execute();
  return own;
}

/** The tenant moves into another room, or another tenant takes the lease over. */
export async function askChange(act: Act, ask: ChangeAsk): Promise<Asked> {
  const { contractId, kind, effectiveOn: start, deposit, rest, credit, arrearsReason, reason } = ask;
  const previous = await contractRecord(act, contractId, true);
  const before = changeable(act, previous, kind, start);
  const end = ask.end ?? before.end;
  const wrongEnd = end < start ? "结束日期不能早于生效日" : tooLong(start, end);
  if (wrongEnd) throw invalid({ field: "end", msg: wrongEnd });
  const ways: Ways = { deposit, rest, credit, arrearsReason, reason };
  const withFee = (terms: Terms): Terms => {
    if (!ask.fee) return terms;
    if (!ask.feeId) throw invalid({ field: "feeId", msg: "请选择手续费科目" });
    const fee = { feeId: ask.feeId, name: "", kind: "once" as const, amount: ask.fee, fromDate: start };
    return { ...terms, fees: [...terms.fees, fee] };
  };
  if (kind === "tenant") {
    if (!ask.partyId) throw invalid({ field: "partyId", msg: "请选择新租客" });
    if (ask.partyId === (await partyKept(act, previous)))
      throw invalid({ field: "partyId", msg: "新租客不能是原租客" });
    const { terms, rooms } = tenantTerms(before, start);
    const own = { kind: "changeTenant" as const, partyId: ask.partyId };
    return draw(act, previous, { ...own, start, end, terms: withFee(terms), rooms, ways });
  }
  const [main] = roomsLeft(before);
  if (!ask.roomId) throw invalid({ field: "roomId", msg: "请选择新房间" });
  if (ask.roomId === main!.roomId) throw invalid({ field: "roomId", msg: "新房间不能是原房间" });
  const ids = ask.occupantIds ?? [];
  const { rows: living } = await sql<{ id: number }>`select id ${livingAt(previous, start)}`.execute(act.tx);
  if (ids.some((id) => !living.some((o) => Number(o.id) === id)))
    throw invalid({ field: "occupantIds", msg: "请选择原合同在住的入住人" });
  const next = await roomNext(act, previous, {
    ...{ start, end, ways, roomId: ask.roomId, villageId: ask.villageId, monthlyRent: ask.monthlyRent },
    fields: { room: "roomId", rent: "monthlyRent" },
  });
  return draw(act, previous, { ...next, terms: withFee(next.terms), occupantIds: ask.occupantIds });
}
