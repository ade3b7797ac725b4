import { contractNote } from "../contract/record.queries.ts";
import { canonicalNumber, certificateOf } from "../../../platform/kernel/texts/certificate.ts";
import type { Day } from "../../../platform/kernel/day.ts";
import {
  AMOUNT_MAX,
  type Fen,
  TOO_LARGE,
  decimal,
  halfUp,
  isAmount,
  ratio,
  times,
} from "../../../platform/kernel/fen.ts";
import { maskCertificate } from "../../../platform/kernel/texts/mask.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import { revise } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { checkAgent } from "../../customer/commission/outlook.service.ts";
import { offered } from "../../system/dic/dic.service.ts";
import { namedDiscounts } from "../activity/use.service.ts";
import { enterpriseOf } from "../config/config.service.ts";
import { checkedFees, demand } from "../contract/contract.queries.ts";
import { type ContractKind, KINDS } from "../terms/kind.rules.ts";
import { type RoomFact, roomFacts, partyFact, signers, titlesFor } from "../contract/facts.queries.ts";
import { anchorFor } from "../schedule/months.rules.ts";
import { firstRent } from "../schedule/steps.rules.ts";
import { isAttached } from "../terms/product.rules.ts";
import type { ContractForm, TakeOver, Terms } from "../terms/terms.contract.ts";
import { payTextOf, termsOf } from "../terms/terms.rules.ts";
import { createContract, saveContract } from "./draft.contract.ts";

/**
 * Brings the stored occupants of a draft up to the form, and answers their ids in the form's order. Certificate numbers are sealed
 * as they come in; a row that comes without one keeps the number it has.
 */
export async function saveOccupants(act: Act, contractId: number, form: ContractForm): Promise<number[]> {
  const kept = form.occupants.flatMap((o) => (o.id ? [o.id] : []));
  await act.tx
    .deleteFrom("contractOccupant")
    .where("contractId", "=", contractId)
    .$if(kept.length > 0, (q) => q.where("id", "not in", kept))
    .execute();
  const room = form.rooms[0]?.roomId ?? null;
  const ids: number[] = [];
  for (const [i, { id, certNo, ...person }] of form.occupants.entries()) {
    const row = {
      ...person,
      certType: person.certType ?? null,
      gender: person.gender ?? null,
      roomId: room,
      fromDate: form.start ?? act.today,
      toDate: form.end,
      ...(certNo ? sealed(act, person.certType ?? "idCard", certNo, i) : {}),
    };
    const known = id
      ? await act.tx
          .updateTable("contractOccupant")
          .set(row)
          .where("id", "=", id)
          .where("contractId", "=", contractId)
          .returning("id")
          .executeTakeFirst()
      : undefined;
    const { id: now } =
      known ??
      (await act.tx
        .insertInto("contractOccupant")
        .values({ ...row, contractId })
        .returning("id")
        .executeTakeFirstOrThrow());
    ids.push(now);
  }
  return ids;
}

function sealed(act: Act, certType: string, typed: string, i: number) {
  const wrong = certificateOf(certType)(typed);
  if (wrong) throw invalid({ field: `occupants.${i}.certNo`, msg: wrong });
  const number = canonicalNumber(typed);
  return { certType, certNoCipher: act.cipher.seal(number), certNoMasked: maskCertificate(number) };
}

export type Saved = { id: number; contractNo: string; version: number; occupantIds: number[] };
type Row = Omit<Saved, "occupantIds">;

/** Writes a draft, a new one or over the version that the person saw. It may be unfinished; what it names must exist. */
export async function saveDraft(
  act: Act,
  form: ContractForm,
  at?: { id: number; version: number },
  takeOver: TakeOver | null = null,
): Promise<Saved> {
  if (at || !takeOver) demand(act.who, form.kind, at ? saveContract.needs : createContract.needs);
  const villageId = inScope(act.who, form.villageId);
  const enterpriseId = await enterpriseOf(act, villageId);
  const rooms = await roomsOf(act, form);
  const party = form.partyId ? await partyFact(act, form.partyId, form.kind) : undefined;
  if (form.partyId && !party) throw invalid({ field: "partyId", msg: `请选择${KINDS[form.kind].party}` });
  if (at || !takeOver) {
    await refuseStrangers(act, enterpriseId, villageId, form, at);
    await refuseBringers(act, { enterpriseId, villageId, form, at });
  }
  if (
    form.titleId &&
    !(form.partyId && (await titlesFor(act, form.partyId)).some((t) => t.id === form.titleId))
  )
    throw invalid({ field: "titleId", msg: `请选择该${KINDS[form.kind].party}的发票抬头` });
  const named = await namedFees(act, enterpriseId, { ...termsOf(form), takeOver });
  const terms = await namedDiscounts(act, enterpriseId, named);
  const rents = rentsOf(form, terms, rooms);
  const columns = {
    ...columnsOf(form, terms, rooms, rents),
    kind: form.kind,
    enterpriseId,
    villageId,
    partyId: form.partyId,
    partyName: party?.name ?? "",
    terms: JSON.stringify(terms),
    managerOperatorId: form.managerId ?? null,
    signerOperatorId: form.signerId ?? act.who.operatorId,
    channel: form.channel ?? "",
    agentId: form.agentId ?? null,
    invoiceTitleId: form.titleId ?? null,
    remark: form.remark,
    ...(takeOver && { previousId: takeOver.previousId, source: takeOver.kind }),
    updatedBy: act.who.operatorId,
    updatedAt: act.now,
  };
  const saved = at ? await overwrite(act, columns, at) : await insert(act, columns);
  await saveRooms(act, saved.id, form, rooms, rents);
  return { ...saved, occupantIds: await saveOccupants(act, saved.id, form) };
}

/** Who signs and who keeps a contract work in its store; whom the draft names already may stay. */
async function refuseStrangers(
  act: Act,
  enterpriseId: number,
  villageId: number,
  form: Pick<ContractForm, "signerId" | "managerId">,
  at: { id: number } | undefined,
): Promise<void> {
  const before =
    at && (await theRow(act, "contract", ["signerOperatorId", "managerOperatorId"], { id: at.id }));
  const there = new Set((await signers(act, enterpriseId, villageId)).map((s) => s.operatorId));
  const strange = (id: number | null | undefined, kept: number | null | undefined) =>
    id && id !== kept && !there.has(id);
  if (strange(form.signerId, before?.signerOperatorId))
    throw invalid({ field: "signerId", msg: "请选择在该门店任职的签约人" });
  if (strange(form.managerId, before?.managerOperatorId))
    throw invalid({ field: "managerId", msg: "请选择在该门店任职的管家" });
}

/** The word for where the tenant came from is offered, and the agent may bring tenants to the store; what the draft has may stay. */
async function refuseBringers(
  act: Act,
  of: { enterpriseId: number; villageId: number; form: ContractForm; at: { id: number } | undefined },
): Promise<void> {
  const { form, at, enterpriseId, villageId } = of;
  const before = at && (await theRow(act, "contract", ["channel", "agentId"], { id: at.id }));
  if (form.channel && form.channel !== before?.channel) {
    const words = await offered(act, "customer", "source");
    if (!words.some(({ name }) => name === form.channel))
      throw invalid({ field: "channel", msg: `来源渠道中没有“${form.channel}”` });
  }
  const kept = before?.agentId ?? null;
  await checkAgent(act, form.agentId, { enterpriseId, villageId, partyId: form.partyId, kept });
}

type Columns = ReturnType<typeof columnsOf> & {
  kind: ContractKind;
  enterpriseId: number;
  villageId: number;
  partyId: number | null;
  partyName: string;
  terms: string;
};

async function insert(act: Act, columns: Columns): Promise<Row> {
  const [contractNo] = await act.numbers("HT");
  const row = await act.tx
    .insertInto("contract")
    .values({ ...columns, contractNo: contractNo!, createdBy: act.who.operatorId, createdAt: act.now })
    .returning(["id", "contractNo", "version"])
    .executeTakeFirstOrThrow();
  await act.note(
    contractNote(
      { ...row, villageId: columns.villageId },
      "新建草稿",
      `新建${KINDS[columns.kind].title}草稿 ${row.contractNo}`,
    ),
  );
  return row;
}

/** Only a draft may be written over, and it stays of its kind. */
const overwrite = (act: Act, columns: Columns, at: { id: number; version: number }): Promise<Row> =>
  revise(act, "contract", { ...at, state: "draft", kind: columns.kind }, columns);

/** The first rent of each room: as typed, or from its price per square metre. */
function rentsOf(form: ContractForm, terms: Terms, rooms: readonly RoomFact[]): Fen[] {
  const rents = form.rooms.map((r, i) =>
    firstRent(terms, { ...r, unitPrice: r.unitPrice ?? null, area: rooms[i]!.area }),
  );
  const high = rents.findIndex((rent) => !isAmount(rent));
  const typed = terms.pricing === "areaDay" ? "unitPrice" : "monthlyRent";
  if (high >= 0) throw invalid({ field: `rooms.${high}.${typed}`, msg: TOO_LARGE });
  return rents;
}

/** The figures that lists show. Out-of-range ones of an unfinished draft are left open. */
function columnsOf(form: ContractForm, terms: Terms, rooms: readonly RoomFact[], rents: readonly Fen[]) {
  const rent = rents.reduce((a, b) => a + b, 0);
  const fits = (sum: Fen) => (sum > 0 && sum <= AMOUNT_MAX ? sum : null);
  const deposit =
    terms.deposit.mode === "amount"
      ? terms.deposit.amount
      : rents.reduce(
          (sum, r) => sum + halfUp(times(ratio(r), decimal((terms.deposit as { months: string }).months))),
          0,
        );
  return {
    startDate: form.start,
    endDate: form.end && form.start && form.end < form.start ? null : form.end,
    anchorDate: form.start
      ? (terms.takeOver?.anchorDate ?? anchorFor(form.start, terms.calendarPeriods))
      : null,
    cycleMonths: terms.cycleMonths,
    payText: payTextOf(terms),
    monthlyRent: fits(rent),
    currentRent: fits(rent),
    depositAmount: deposit <= AMOUNT_MAX ? deposit : null,
    roomNames: rooms.map((r) => r.name).join("、"),
  };
}

/** The rooms as they stand, in the order of the form; they must lie in the village. */
async function roomsOf(act: Act, form: ContractForm): Promise<RoomFact[]> {
  const rooms = await roomFacts(
    act,
    form.rooms.map((r) => r.roomId),
    form.start ?? act.today,
  );
  const strange = form.rooms.findIndex((_, i) => rooms[i]?.villageId !== form.villageId);
  if (strange >= 0) throw invalid({ field: `rooms.${strange}.roomId`, msg: "请选择该门店的房间" });
  const gone = rooms.find((r) => r.retiredDay !== null && r.retiredDay <= (form.end ?? act.today));
  if (gone) throw invalid({ field: "rooms", msg: `${gone.name} 已停止使用` });
  return rooms;
}

async function saveRooms(
  act: Act,
  contractId: number,
  form: ContractForm,
  rooms: readonly RoomFact[],
  rents: readonly Fen[],
) {
  await act.tx.deleteFrom("contractRoom").where("contractId", "=", contractId).execute();
  if (!rooms.length) return;
  const joinDate: Day = form.start ?? act.today;
  await act.tx
    .insertInto("contractRoom")
    .values(
      rooms.map((room, seq) => ({
        contractId,
        roomId: room.roomId,
        seq,
        name: room.name,
        kind: room.kind,
        role: isAttached(room.kind) ? "attached" : "main",
        joinDate,
        monthlyRent: rents[seq]!,
        unitPrice: form.rooms[seq]!.unitPrice ?? null,
        area: room.area,
        capacity: room.capacity,
        listPrice: room.listPrice,
        lowestPrice: room.lowestPrice,
      })),
    )
    .execute();
}

/** Fees are copied with their name; they must be what the enterprise's dictionary offers. */
async function namedFees(act: Act, enterpriseId: number, terms: Terms): Promise<Terms> {
  const { errors, names } = await checkedFees(act, enterpriseId, terms.fees);
  if (errors.length) throw invalid(...errors);
  return { ...terms, fees: terms.fees.map((f) => ({ ...f, name: names.get(f.feeId)! })) };
}
