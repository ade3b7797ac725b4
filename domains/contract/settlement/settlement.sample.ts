import { randomUUID } from "node:crypto";
import type { TestHouse } from "../../../platform/server/process/house.sample.ts";
import { checkLedger } from "../../finance/check/check.service.ts";
import { type Accounts, someAccounts, take } from "../../finance/flow/flow.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aForm, aRoom, aScan, aRenter, aShop, signed } from "../contract/contract.sample.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import { type SettleDraft, getSettlement, settlementActs } from "./settlement.contract.ts";

/** What a clerk holds who may do everything about leavings but set a penalty. */
export const PERMITS = ["query", "get", "add", "edit", "export"].map((act) => `72.${act}`);

/** Everything that an undo must bring back, without ids and numbers; corrections that cancel out are nothing. */
export async function everythingOf(pool: TestHouse["database"]["pool"], contractId: number) {
  const ask = async (text: string) => (await pool.query(text, [contractId])).rows;
  return {
    bills: await ask(`select title, due_date::text, amount + adjusted net, settled, outstanding from bill
      where contract_id = $1 and voided_at is null order by due_date, title, net, settled`),
    lines:
      await ask(`select l.fee_subject_id, l.period_start::text, l.amount + l.adjusted net, l.settled from bill_line l
      join bill b on b.id = l.bill_id where b.contract_id = $1 and b.voided_at is null and l.kind = 'normal'
      order by 1, 2, 3, 4`),
    deposit: await ask(
      "select held from deposit_balance where contract_id = $1 and kind = 'deposit' and held <> 0",
    ),
    prepaid: await ask(
      "select balance from party_balance p join contract c on c.party_id = p.party_id where c.id = $1 and balance <> 0",
    ),
    contract: await ask("select state, leave_date::text, end_reason from contract where id = $1"),
    rooms: await ask("select period::text from occupancy_row where contract_id = $1"),
    journal:
      await ask(`select j.account, sum(j.debit - j.credit) from journal_line j join contract c on c.party_id = j.party_id
      where c.id = $1 group by 1 having sum(j.debit - j.credit) <> 0 order by 1`),
  };
}

/** A village in March 2026 whose clerk settles leases, with the steps of a settlement as one line each. */
export async function aSettler(house: TestHouse, more: { village?: string } = {}) {
  house.setClock("2026-03-12T10:00:00+08:00");
  const shop = await aShop(house, {
    permits: [...PERMITS, "#7201", "#7202", "#7203", "#7204"],
    ...more,
  });
  const as = shop.clerk;
  const { db, pool } = house.database;
  const accounts: Accounts = await someAccounts(house, shop as never);
  const { rows: subjects } = await pool.query<{ id: number; code: string }>(
    "select id, code from fee_subject where enterprise_id = $1",
    [house.enterpriseId],
  );
  const subject = (code: string) => Number(subjects.find((s) => s.code === code)!.id);
  let rooms = 0;
  /** Another room of the shop. */
  const another = () => aRoom(house, shop.building, `T${++rooms}`);

  /** E3 with 物业费 100.00 a month, signed in March and moved into, paid up to the quarter that is named. */
  async function lease(more: Partial<ContractForm> = {}, paidQuarters = 2) {
    house.setClock("2026-03-12T10:00:00+08:00");
    const roomId = await another();
    const partyId = await aRenter(house, shop.villageId);
    const form = aForm(
      { ...shop, roomId, partyId },
      {
        fees: [{ feeId: subject("property"), name: "物业费", kind: "recurring", amount: 10_000 }] as never,
        penaltyRule: "months",
        penaltyMonths: "1",
        graceDays: 30,
        ...more,
      },
    );
    const { id, contractNo } = await signed(house, as, form, "2026-03-12");
    const { rows: bills } = await pool.query<{ id: number; outstanding: string }>(
      "select id, outstanding from bill where contract_id = $1 order by due_date, id",
      [id],
    );
    const first = bills.filter((_, i) => i <= paidQuarters);
    const amount = first.reduce((sum, b) => sum + Number(b.outstanding), 0);
    await take(house, shop as never, accounts, partyId, {
      amount,
      paidAt: "2026-03-12T10:00:00+08:00",
      bills: first.map((b) => Number(b.id)),
      channel: "cash",
    });
    return { id, contractNo, roomId, partyId };
  }

  const CHARGES: SettleDraft["charges"] = [
    {
      kind: "utility",
      feeId: subject("electric"),
      title: "电费",
      quantity: "128",
      price: 80,
      amount: 10_240,
      clause: "",
      note: "读数 3,412 → 3,540",
    },
    {
      kind: "utility",
      feeId: subject("coldWater"),
      title: "水费",
      quantity: "6",
      price: 500,
      amount: 3_000,
      clause: "",
      note: "",
    },
    {
      kind: "damage",
      feeId: subject("damage"),
      title: "遥控器 1 个",
      amount: 5_000,
      clause: "物品清单",
      note: "退房清点缺失",
    },
    {
      kind: "cleaning",
      feeId: subject("cleaning"),
      title: "保洁",
      amount: 15_000,
      clause: "房屋交还",
      note: "全屋清洁",
    },
  ];

  const draft = (more: Partial<SettleDraft> = {}): SettleDraft => ({
    effectiveOn: "2026-08-05",
    endReason: "early",
    noticeOn: "2026-07-20",
    reason: "工作调动",
    penaltyReason: "",
    charges: CHARGES,
    ...more,
  });

  const asked = (contractId: number, more: Partial<SettleDraft> = {}) =>
    house.did(settlementActs.ask, { as }, { body: { contractId, ...draft(more) } });
  const preview = (id: number) => house.did(settlementActs.preview, { as }, { params: { id }, body: {} });
  const row = (id: number) => house.did(getSettlement, { as }, { params: { id } });

  /** The tenant's signature on paper. */
  async function signedOff(id: number) {
    const { version } = await row(id);
    const fileIds = [await aScan(house, as)];
    return house.did(
      settlementActs.agree,
      { as },
      { params: { id }, body: { version, how: "paper", note: "租客已签字", fileIds } },
    );
  }
  /** From what is worked on to the signature: only the confirmation is left. */
  async function submitted(id: number) {
    const { previewHash } = await preview(id);
    const { version } = await row(id);
    await house.did(settlementActs.submit, { as }, { params: { id }, body: { version, previewHash } });
    return { id, version: (await signedOff(id)).version, previewHash };
  }
  /** The same from the request on. */
  const agreed = async (contractId: number, more: Partial<SettleDraft> = {}) =>
    submitted((await asked(contractId, more)).id);
  const confirm = (
    { id, ...body }: { id: number; version: number; previewHash: string },
    key: string = randomUUID(),
  ) => house.ask(settlementActs.confirm, { as, key }, { params: { id }, body });

  const sound = async () => {
    const results = await acting(house, (act) => checkLedger(act, "manual"));
    return results.breaks;
  };
  const deposit = async (contractId: number) =>
    (
      await db
        .selectFrom("depositBalance")
        .select("held")
        .where("contractId", "=", contractId)
        .where("kind", "=", "deposit")
        .executeTakeFirst()
    )?.held ?? 0;
  return {
    shop,
    CHARGES,
    as,
    db,
    pool,
    accounts,
    subject,
    another,
    lease,
    draft,
    asked,
    preview,
    row,
    signedOff,
    submitted,
    agreed,
    confirm,
    sound,
    deposit,
  };
}
