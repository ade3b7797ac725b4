import { sql } from "kysely";
import { type Day, addDays } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { aRow } from "../../../platform/server/database/row.ts";
import { refuseFrozen } from "../../approval/examine/propose.service.ts";
import type { Bill } from "../../finance/bill/bill.rules.ts";
import { type CutLine, cutLines, withinBills } from "../../finance/setoff/setoff.rules.ts";
import { standingOf } from "../../finance/setoff/setoff.service.ts";
import type { ActKind, ActState } from "../act/act.rules.ts";
import { closingOf, cutsTo, paidToOf } from "../act/cut.queries.ts";
import { configOf } from "../config/config.service.ts";
import { overdueBills } from "../contract/contract.queries.ts";
import { type ContractRecord, recordById } from "../contract/record.queries.ts";
import { agreedDeposit } from "../schedule/bills.rules.ts";
import type { Succession, TakeOver, Terms } from "../terms/terms.contract.ts";
import { type LetRoom, scheduleOf } from "../terms/terms.rules.ts";
import { type MoneyWay, type RestWay, arrearsRefusal, carriedOver } from "./succession.rules.ts";
import { isInForce } from "../contract/contract.rules.ts";

/** What was agreed about the money when one contract follows another. */
export type Ways = {
  /** The deposit that is held, and rent that was paid beyond the day of change. */
  deposit: MoneyWay;
  credit: MoneyWay;
  /** Why the party before may leave with arrears, which stay on its contract. */
  arrearsReason: string;
  reason: string;
  /** What of the deposit the next contract does not ask for any more, where the deposit goes over. */
  rest?: RestWay;
};

export type SuccessionAct = {
  id: number;
  actNo: string;
  kind: ActKind;
  state: ActState;
  payload: Ways;
  refundId: number | null;
  /** The act that is carried out with it: of the contract whose tenant takes this one's room. */
  pairedId: number | null;
  version: number;
};

/** The act that led to a contract which comes after another. */
export async function actBehind(
  read: Pick<Read, "tx">,
  contractId: number,
): Promise<SuccessionAct | undefined> {
  const { rows } = await sql<SuccessionAct>`
    select id, act_no "actNo", kind, state, payload, refund_id "refundId", paired_id "pairedId", version from contract_act
    where result_contract_id = ${contractId} order by id desc limit 1`.execute(read.tx);
  return rows[0];
}

/** While rooms are being swapped: the contract that is drawn for who takes the room of this one's tenant. */
export async function swapOf(read: Pick<Read, "tx">, contractId: number): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`
    select p.result_contract_id id from contract_act a join contract_act p on p.id = a.paired_id
    where a.result_contract_id = ${contractId} and a.state in ('handling', 'approving', 'signing')`.execute(
    read.tx,
  );
  return rows[0]?.id ?? null;
}

type Of = Pick<ContractRecord, "partyId">;
/** How money goes over to another room: what one record paid pays no bills of another, so unused rent goes back where they differ. */
export const waysBetween = <W extends Ways>(kind: Succession, ways: W, previous: Of, next: Of): W =>
  kind === "changeRoom" && previous.partyId !== next.partyId ? { ...ways, credit: "refund" } : ways;

/** Whether the part of a deposit that the next contract does not ask for pays its bills. */
export const spendsRest = ({ deposit, rest }: Ways): boolean => deposit === "carry" && rest === "bills";

export const depositHeld = async (read: Pick<Read, "tx">, contractId: number): Promise<Fen> =>
  (await aRow(read, "depositBalance", ["held"], { contractId, kind: "deposit" }))?.held ?? 0;

type After = {
  kind: Succession;
  start: Day;
  end: Day;
  terms: Terms;
  rooms: readonly LetRoom[];
  swapWith?: number | null | undefined;
};

/** What a contract takes over from the one before it, as that stands now. */
export async function takeOverOf(
  read: Pick<Read, "tx">,
  previous: ContractRecord,
  after: After,
  way: MoneyWay,
): Promise<TakeOver> {
  const { kind, start, end, terms, rooms, swapWith } = after;
  const held = await depositHeld(read, previous.id);
  const before = { ...previous, start: previous.start!, end: previous.end! };
  const inherited =
    kind === "renewal"
      ? { anchorDate: null, carriedDays: null, carried: null }
      : { ...carriedOver(before, kind, start, rooms) };
  const own: TakeOver = {
    kind,
    previousId: previous.id,
    previousNo: previous.contractNo,
    ...inherited,
    carried: inherited.carried ?? null,
    deposit: 0,
    held,
    ...(swapWith && { swapWith }),
  };
  const agreed = agreedDeposit(scheduleOf({ start, end, terms: { ...terms, takeOver: own }, rooms }));
  return { ...own, deposit: way === "carry" ? Math.min(held, agreed) : 0 };
}

/** A draft with what it takes over as that is now; one that comes after none is left as it is. */
export async function withTakeOver(
  read: Pick<Read, "tx">,
  contract: ContractRecord,
): Promise<ContractRecord> {
  const { previousId, start, end, terms } = contract;
  if (!previousId || !start || !end || !terms.takeOver) return contract;
  const previous = (await recordById(read, previousId))!;
  const act = (await actBehind(read, contract.id))!;
  const { kind, swapWith } = terms.takeOver;
  const after = { ...contract, kind, swapWith, start, end };
  const takeOver = await takeOverOf(read, previous, after, act.payload.deposit);
  return { ...contract, terms: { ...terms, takeOver } };
}

/** What is open as it stands of a contract's bills due by a day. */
export async function arrearsUntil(read: Pick<Read, "tx">, contractId: number, day: Day): Promise<Fen> {
  const { rows } = await sql<{ fen: Fen }>`
    select coalesce(sum(outstanding), 0)::bigint fen from bill
    where contract_id = ${contractId} and voided_at is null and due_date < ${day}::date`.execute(read.tx);
  return rows[0]!.fen;
}

/** What is open of bills due before a day once they are cut: what is cut off is not owed, nor is a deposit that was never paid. */
export function owedBefore(bills: readonly Bill[], cut: readonly CutLine[], day: Day): Fen {
  const late = new Set(bills.flatMap((bill) => (bill.dueDate < day ? bill.id : [])));
  return cut.reduce((fen, c) => (late.has(c.billId) ? fen + c.open : fen), 0);
}

/** What the party of a contract in force will still owe when somebody else takes its place on a day. */
async function arrearsLeft(read: Read, previous: ContractRecord, day: Day): Promise<Fen> {
  const standing = await standingOf(read, closingOf(previous));
  const { backs } = await cutsTo(read, previous, standing, addDays(day, -1));
  return owedBefore(standing.bills, withinBills(cutLines(standing.bills, backs)), day);
}

/** What of a contract is overdue today. */
async function overdueOf(read: Pick<Read, "tx" | "today">, contractId: number): Promise<Fen> {
  const { rows } = await sql<{ fen: Fen }>`
    select coalesce((select sum(b.outstanding) ${overdueBills(read.today)}), 0)::bigint fen
    from contract c where c.id = ${contractId}`.execute(read.tx);
  return rows[0]!.fen;
}

/** Why a contract cannot come after another any more, or nothing. Refused (409 frozen) where the other waits for an approval. */
export async function successionRefusal(
  read: Read,
  previous: ContractRecord,
  after: { id: number | null; kind: Succession; start: Day; arrearsReason: string },
): Promise<string | undefined> {
  const { state, nextId, end, contractNo } = previous;
  await refuseFrozen(read, "contract", [previous.id]);
  if (nextId !== null && nextId !== after.id) return `${contractNo} 已有后续合同`;
  if (after.kind === "renewal") {
    if (!isInForce(state)) return `${contractNo} 不在租，不能续租`;
    if (after.start !== addDays(end!, 1)) return `续租须从 ${addDays(end!, 1)} 起`;
    const { renewNeedsPaid } = await configOf(read, previous);
    return arrearsRefusal(renewNeedsPaid, renewNeedsPaid ? await overdueOf(read, previous.id) : 0);
  }
  if (state === "expired") return `到期未退的合同不能${after.kind === "changeRoom" ? "换房" : "转租"}`;
  if (state !== "effective") return `${contractNo} 不在租，不能办理`;
  // what was paid before the take-over is on no bill that could be cut
  const paidTo = await paidToOf(read, previous.id);
  if (paidTo && after.start <= paidTo) return `生效日须晚于接管时的已付至日 ${paidTo}`;
  if (after.kind === "changeTenant" && !after.arrearsReason) {
    const owed = await arrearsLeft(read, previous, after.start);
    if (owed) return `原租客欠费 ${yuan(owed)} 元，请先结清，或填写欠费留在原合同的原因`;
  }
  return undefined;
}

/** The same for a draft that comes after another; nothing for one that comes after none. */
export async function whyNotAfter(read: Read, contract: ContractRecord): Promise<string | undefined> {
  const { previousId, start, terms } = contract;
  if (!previousId || !start || !terms.takeOver) return undefined;
  const previous = (await recordById(read, previousId))!;
  const { arrearsReason } = (await actBehind(read, contract.id))!.payload;
  return successionRefusal(read, previous, {
    id: contract.id,
    kind: terms.takeOver.kind,
    start,
    arrearsReason,
  });
}
