import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { renterInput } from "../../customer/renter/renter.contract.ts";
import { createRenter } from "../../customer/renter/renter.service.ts";
import { makeBills } from "../../finance/bill/bill.service.ts";
import type { NewBill } from "../../finance/bill/make.rules.ts";
import { linkParties } from "../../party/party/party.service.ts";
import { type ContractRecord, contractNote, recordById } from "../contract/record.queries.ts";
import { type ContractMonth, contractMonths } from "../schedule/months.rules.ts";
import { shareOf } from "../signing/bills.rules.ts";
import { scheduleOf } from "../terms/terms.rules.ts";
import { type Lived, type OccupantShare, monthsOver, occupantShares } from "./occupant-fee.rules.ts";

type Person = Lived & {
  renterId: number | null;
  name: string;
  phone: string;
  certType: string | null;
  certNoCipher: Buffer | null;
  certHash: Buffer | null;
};

/** Contracts whose occupants pay fees of their own, with months that are over and were not billed. */
export async function dueOccupantFees(act: Act): Promise<{ id: number; contractNo: string }[]> {
  const { rows } = await sql<{ id: number; contractNo: string }>`
    select c.id, c.contract_no "contractNo" from contract c
    where c.terms @> '{"fees": [{"payer": "occupant"}]}' and c.signed_on is not null and c.state <> 'voided'
      and c.start_date < ${act.today}::date
      and not exists (select from occupant_fee_month m where m.contract_id = c.id
        and m.month_to >= least(c.leave_date, c.end_date))
    order by c.id`.execute(act.tx);
  return rows;
}

/**
 * Bills the occupants of a contract for its months that are over, a bill for each person and month. Each month is billed once: who moves
 * in or out afterwards, with effect for a month that was billed, changes nothing. Answers how many bills were made.
 */
export async function billOccupants(act: Act, contractId: number): Promise<number> {
  const contract = (await recordById(act, contractId, true))!;
  const { start, end, terms } = contract;
  if (!start || !end) return 0;
  const { leaveDate, months: billed } = await standing(act, contractId);
  const input = scheduleOf({ ...contract, start, end });
  const last = leaveDate && leaveDate < end ? leaveDate : end;
  const over = monthsOver(contractMonths(input), last, act.today, billed);
  const fees = terms.fees.filter((fee) => fee.payer === "occupant");
  let made = 0;
  for (const month of over) {
    const people = await livedIn(act, contractId, month);
    const shares = occupantShares(month, contract.rooms, fees, people).filter((s) => s.amount > 0);
    const bills = await billsOf(act, contract, month, shares, people);
    await makeBills(act, bills);
    const amount = shares.reduce((sum, s) => sum + s.amount, 0);
    await act.tx
      .insertInto("occupantFeeMonth")
      .values({ contractId, monthFrom: month.from, monthTo: month.to, bills: bills.length, amount })
      .execute();
    if (bills.length)
      await act.note(
        contractNote(
          contract,
          "入住人费用出账",
          `${month.from} 至 ${month.to}，向入住人出账 ${bills.length} 张，合计 ${yuan(amount)} 元`,
        ),
      );
    made += bills.length;
  }
  return made;
}

async function standing(act: Act, contractId: number) {
  const { rows } = await sql<{ leaveDate: Day | null; from: Day | null }>`
    select c.leave_date "leaveDate", m.month_from "from" from contract c
    left join occupant_fee_month m on m.contract_id = c.id where c.id = ${contractId}`.execute(act.tx);
  return { leaveDate: rows[0]!.leaveDate, months: new Set(rows.flatMap((row) => row.from ?? [])) };
}

async function livedIn(act: Act, contractId: number, { from, to }: ContractMonth): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select id, room_id "roomId", from_date "from", to_date "to", renter_id "renterId", name, phone, cert_type "certType",
      cert_no_cipher "certNoCipher", cert_hash "certHash" from contract_occupant
    where contract_id = ${contractId} and room_id is not null and from_date <= ${to}::date
      and (to_date is null or to_date >= ${from}::date)
    order by id`.execute(act.tx);
  return rows;
}

/** A bill for each person: his fees of the month, in every room that he lived in. */
async function billsOf(
  act: Act,
  contract: ContractRecord,
  month: ContractMonth,
  shares: readonly OccupantShare[],
  people: readonly Person[],
): Promise<NewBill[]> {
  const { id, villageId, contractNo, terms } = contract;
  const of = new Map(people.map((person) => [person.id, person]));
  const byParty = new Map<number, OccupantShare[]>();
  const parties = new Map<number, number>();
  for (const share of shares) {
    const { stayId } = share;
    const partyId = parties.get(stayId) ?? (await payerOf(act, contract, of.get(stayId)!));
    parties.set(stayId, partyId);
    byParty.set(partyId, [...(byParty.get(partyId) ?? []), share]);
  }
  await linkParties(
    act,
    [...byParty.keys()].map((partyId) => ({
      ...{ partyId, villageId, because: "contract" as const, firstDay: month.from },
    })),
  );
  return [...byParty].map(([partyId, own]) => ({
    villageId,
    roomId: own[0]!.roomId,
    // it is no debt of the company's: its account is closed without it
    contractId: null,
    partyId,
    title: `入住人费用 ${contractNo}`,
    dueDate: act.today,
    periodStart: month.from,
    periodEnd: month.to,
    source: "schedule",
    sourceId: id,
    graceDays: terms.graceDays,
    lateFeeRate: shareOf(terms.lateFeeDailyRate),
    lateFeeCap: shareOf(terms.lateFeeCapPercent),
    lines: own.map(({ feeId, roomId, amount, from, to, explain }) => ({
      subject: feeId,
      roomId,
      amount,
      kind: "normal",
      periodStart: from,
      periodEnd: to,
      slices: [{ from, to, amount }],
      explain,
    })),
  }));
}

/**
 * Whose bill it is: the renter whom the occupant is, found by certificate or registered now. What cannot be registered by itself, as of a
 * minor or of who has no certificate, the company pays.
 */
async function payerOf(act: Act, contract: ContractRecord, person: Person): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select coalesce(r.merged_into_id, r.id) id from renter r
    where r.id = ${person.renterId} or r.enterprise_id = ${contract.enterpriseId} and r.cert_no_hash = ${person.certHash}
    order by r.id = ${person.renterId} desc limit 1`.execute(act.tx);
  const id = rows[0]?.id ?? (await registered(act, contract, person));
  if (!id) return contract.partyId!;
  if (id !== person.renterId)
    await act.tx.updateTable("contractOccupant").set({ renterId: id }).where("id", "=", person.id).execute();
  return id;
}

async function registered(act: Act, contract: ContractRecord, person: Person): Promise<number | undefined> {
  if (!person.certNoCipher) return undefined;
  const typed = renterInput.safeParse({
    name: person.name,
    phone: person.phone,
    certType: person.certType,
    certNo: act.cipher.open(person.certNoCipher),
    source: "other",
    homeVillageId: contract.villageId,
  });
  if (!typed.success) return undefined;
  try {
    return (await createRenter(act, typed.data)).id;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
