import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import {
  addHeld,
  addPrepaid,
  keepContractMoney,
  lockDeposits,
  lockPrepaid,
  prepaidRow,
} from "../balance/balance.service.ts";
import { makeBills, type NewBill } from "../bill/bill.service.ts";
import { entriesOf, mirrorOf, post } from "../journal/journal.service.ts";
import { heldEntry, type OpenBill, type Opening } from "./opening.rules.ts";

export type { OpenBill, Opening } from "./opening.rules.ts";

/**
 * Brings in what running contracts had when the business was taken over (E30, against 3999): arrears as bills of
 * source opening, deposits held, prepaid money. One entry for each bill and one for what is held, so that each shows on
 * its own record and can be taken back by its mirror.
 */
export async function openBalances(act: Act, openings: readonly Opening[], takenOn: Day): Promise<void> {
  const prepaid = openings.filter((o) => o.prepaid > 0);
  const held = openings.filter((o) => o.deposit > 0);
  await addOpening(act, prepaid, takenOn);
  await lockDeposits(
    act,
    held.map((o) => o.contractId),
  );
  await addHeld(
    act,
    held.map(({ contractId, villageId, deposit }) => ({
      contractId,
      villageId,
      kind: "deposit" as const,
      amount: deposit,
    })),
  );
  await makeBills(
    act,
    openings.flatMap((o) => o.owed.map((owed) => openBill(o, owed, takenOn))),
  );
  await post(
    act,
    openings.flatMap((o) => heldEntry(o, takenOn)),
  );
  await keepContractMoney(
    act,
    openings.map((o) => o.contractId),
  );
}

const openBill = (o: Opening, owed: OpenBill, takenOn: Day): NewBill => ({
  villageId: o.villageId,
  roomId: owed.roomId ?? o.roomId,
  contractId: o.contractId,
  partyId: o.partyId,
  title: owed.title,
  dueDate: owed.dueDate,
  periodStart: owed.from,
  periodEnd: owed.to,
  source: "opening",
  openedOn: takenOn,
  graceDays: o.graceDays,
  lateFeeRate: o.lateFeeRate,
  lateFeeCap: o.lateFeeCap,
  remark: owed.remark,
  // no slices: it was earned in the books before these and is never recognised again; no period: it answers to no period
  // of the contract's own plan
  lines: [
    {
      subject: owed.subject,
      roomId: owed.roomId ?? o.roomId,
      amount: owed.amount,
      periodStart: null,
      periodEnd: null,
      slices: [],
      explain: { rule: "opening", formula: formulaOf(owed, takenOn) },
    },
  ],
});

function formulaOf({ amount, paid }: OpenBill, takenOn: Day): string {
  const before = paid ? `：原金额 ${yuan(amount + paid)} − 接管前已收 ${yuan(paid)} = ${yuan(amount)}` : "";
  return `接管日 ${takenOn} 前的欠费，按导入表格${before}`;
}

/** Balances in the order of their keys, each one locked by its own insert or update. */
async function addOpening(act: Act, openings: readonly Opening[], takenOn: Day): Promise<void> {
  if (!openings.length) return;
  await sql`
    insert into party_balance (village_id, party_id, kind, balance, opening, opening_on)
    select r."villageId", r."partyId", 'prepaid', sum(r.prepaid), sum(r.prepaid), ${takenOn}::date
    from json_to_recordset(${JSON.stringify(openings)}::json) r("villageId" bigint, "partyId" bigint, prepaid bigint)
    group by 1, 2 order by 1, 2
    on conflict (village_id, party_id, kind) do update set balance = party_balance.balance + excluded.balance,
      opening = party_balance.opening + excluded.opening,
      opening_on = least(party_balance.opening_on, excluded.opening_on)`.execute(act.tx);
}

export type Closing = { contractId: number; villageId: number; partyId: number; deposit: Fen; prepaid: Fen };

/**
 * Takes deposits and prepaid money of an opening back (E30, mirrored); its bills are voided by whoever calls. Refused
 * when a deposit is no longer held; answers the contracts whose prepaid money has been used, and then changes nothing.
 */
export async function closeBalances(act: Act, closings: readonly Closing[]): Promise<number[]> {
  const wanted = new Map<string, Closing>();
  for (const c of closings.filter((each) => each.prepaid > 0)) {
    const key = `${c.villageId} ${c.partyId}`;
    wanted.set(key, { ...c, prepaid: c.prepaid + (wanted.get(key)?.prepaid ?? 0) });
  }
  const parties = [...wanted.values()].toSorted((a, b) => a.villageId - b.villageId || a.partyId - b.partyId);
  const used: number[] = [];
  for (const { villageId, partyId, contractId, prepaid } of parties) {
    await lockPrepaid(act, villageId, partyId);
    if ((await openingOf(act, villageId, partyId)) < prepaid) used.push(contractId);
  }
  if (used.length) return used;
  for (const { villageId, partyId, prepaid } of parties)
    await addPrepaid(act, villageId, partyId, -prepaid, -prepaid);
  const ids = closings.map((c) => c.contractId);
  await lockDeposits(act, ids);
  await addHeld(
    act,
    closings
      .filter((c) => c.deposit > 0)
      .map(({ contractId, villageId, deposit }) => ({
        contractId,
        villageId,
        kind: "deposit" as const,
        amount: -deposit,
      })),
  );
  const posted = await entriesOf(act, { sourceType: "contract", sourceIds: ids, events: ["E30"] });
  await post(
    act,
    posted.map((entry) =>
      mirrorOf(entry, {
        event: "E30",
        sourceType: "contract",
        sourceId: entry.sourceId,
        businessDate: act.today,
        seq: 1,
        memo: "撤销期初导入",
      }),
    ),
  );
  await keepContractMoney(act, ids);
  return [];
}

const openingOf = async (act: Act, villageId: number, partyId: number): Promise<Fen> =>
  (await prepaidRow(act, { villageId, partyId }))?.opening ?? 0;
