import type { Day } from "../../../platform/kernel/day.ts";
import { revise } from "../../../platform/server/database/versioned.ts";
import {
  AMOUNT_MAX,
  halfUp,
  isAmount,
  ratio,
  times,
  TOO_LARGE,
  decimal,
  type Fen,
} from "../../../platform/kernel/fen.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { enterpriseOf } from "../config/config.service.ts";
import { anchorFor } from "../schedule/months.rules.ts";
import { firstRent } from "../schedule/steps.rules.ts";
import { isAttached } from "../terms/limits.rules.ts";
import type { ContractForm, Terms } from "../terms/terms.contract.ts";
import { payTextOf, termsOf } from "../terms/terms.rules.ts";
import { saveOccupants } from "./occupant.service.ts";
import { demand } from "./admit.queries.ts";
import { checkedFees } from "./fees.queries.ts";
import { createContract, saveContract } from "./draft.contract.ts";
import { KINDS, type ContractKind } from "./kind.rules.ts";
import { partyFact } from "./party-facts.queries.ts";
import { roomFacts, type RoomFact } from "./room-facts.queries.ts";

export type Saved = { id: number; contractNo: string; version: number; occupantIds: number[] };
type Row = Omit<Saved, "occupantIds">;

/** Writes a draft, a new one or over the version that the person saw. It may be unfinished; what it names must exist. */
export async function saveDraft(
  act: Act,
  form: ContractForm,
  at?: { id: number; version: number },
): Promise<Saved> {
  demand(act.who, form.kind, at ? saveContract.needs : createContract.needs);
  const villageId = inScope(act.who, form.villageId);
  const enterpriseId = await enterpriseOf(act, villageId);
  const rooms = await roomsOf(act, form);
  const party = form.partyId ? await partyFact(act, form.partyId, form.kind) : undefined;
  if (form.partyId && !party) throw invalid({ field: "partyId", msg: `请选择${KINDS[form.kind].party}` });
  const terms = await namedFees(act, enterpriseId, termsOf(form));
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
    remark: form.remark,
    updatedBy: act.who.operatorId,
    updatedAt: act.now,
  };
  const saved = at ? await overwrite(act, columns, at) : await insert(act, columns);
  await saveRooms(act, saved.id, form, rooms, rents);
  return { ...saved, occupantIds: await saveOccupants(act, saved.id, form) };
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
    .values({
      ...columns,
      contractNo: contractNo!,
      createdBy: act.who.operatorId,
      createdAt: act.now,
    })
    .returning(["id", "contractNo", "version"])
    .executeTakeFirstOrThrow();
  await act.note({
    kind: "contract",
    recordId: row.id,
    number: row.contractNo,
    villageId: columns.villageId,
    action: "新建草稿",
    summary: `新建${KINDS[columns.kind].title}草稿 ${row.contractNo}`,
  });
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
    anchorDate: form.start ? anchorFor(form.start, terms.calendarPeriods) : null,
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
