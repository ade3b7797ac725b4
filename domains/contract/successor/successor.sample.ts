import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { TestHouse } from "../../../platform/server/process/house.sample.ts";
import { checkLedger } from "../../finance/check/check.service.ts";
import { someAccounts, take } from "../../finance/flow/flow.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aForm, aRenter, aRoom, aScan, aShop, signed } from "../contract/contract.sample.ts";
import { getContract } from "../contract/detail.contract.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import {
  type ChangeAsk,
  changes,
  type RenewalAsk,
  renewals,
  type SuccessorCalls,
} from "./successor.contract.ts";

export const WAYS = { deposit: "carry", credit: "carry", arrearsReason: "", reason: "租客申请" } as const;
export const R = renewals as unknown as SuccessorCalls;
export const C = changes as unknown as SuccessorCalls;
type Lease = { id: number; contractNo: string; roomId: number; partyId: number };

/** A village whose clerk renews leases and moves tenants, with their steps as one line each. */
export async function aSuccession(house: TestHouse) {
  house.setClock("2026-02-20T10:00:00+08:00");
  const shop = await aShop(house, {
    permits: [
      ...["73.query", "73.get", "73.add", "73.edit", "#7301"],
      ...["96.query", "96.get", "96.add", "96.edit", "#9601", "#9602", "72.add", "#904", "#907"],
    ],
  });
  const as = shop.clerk;
  const { db, pool } = house.database;
  const accounts = await someAccounts(house, shop as never);
  let rooms = 0;
  const room = (listPrice?: number) => aRoom(house, shop.building, `S${++rooms}`, listPrice);

  /** Signed, moved into nowhere yet, and paid for its deposit and first bills. */
  async function lease(
    more: Partial<ContractForm> & { rent?: number; months?: number },
    paid = 2,
  ): Promise<Lease> {
    const roomId = await room();
    const partyId = await aRenter(house, shop.villageId);
    const form = aForm({ ...shop, roomId, partyId }, more);
    house.setClock(`${form.start}T09:00:00+08:00`);
    const { id, contractNo } = await signed(house, as, form, form.start!);
    const { rows } = await pool.query<{ id: number; outstanding: string }>(
      "select id, outstanding from bill where contract_id = $1 order by due_date, id limit $2",
      [id, paid],
    );
    if (paid)
      await take(house, shop as never, accounts, partyId, {
        amount: rows.reduce((sum, b) => sum + Number(b.outstanding), 0),
        paidAt: `${form.start}T08:00:00+08:00`,
        bills: rows.map((b) => Number(b.id)),
        channel: "cash",
      });
    return { id, contractNo, roomId, partyId };
  }

  const preview = (calls: SuccessorCalls, id: number) =>
    house.did(calls.preview, { as }, { params: { id }, body: {} });
  const versionOf = async (id: number) =>
    await db
      .selectFrom("contractAct")
      .select(["version", "state"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();

  async function handIn(calls: SuccessorCalls, id: number) {
    const { previewHash } = await preview(calls, id);
    const { version } = await versionOf(id);
    await house.did(calls.submit, { as, key: randomUUID() } as never, {
      params: { id },
      body: { version, previewHash },
    });
  }
  async function confirm(calls: SuccessorCalls, id: number, signedOn: string, by = as) {
    const { previewHash } = await preview(calls, id);
    const { version } = await versionOf(id);
    const fileIds = [await aScan(house, as)];
    return house.ask(
      calls.confirm,
      { as: by, key: randomUUID() },
      { params: { id }, body: { version, previewHash, fileIds, signedOn } },
    );
  }
  const all = async (calls: SuccessorCalls, id: number, signedOn: string) => {
    await handIn(calls, id);
    const done = await confirm(calls, id, signedOn);
    expect(done.body).toMatchObject({ code: 200, data: { state: "done" } });
  };
  const renew = (ask: Partial<RenewalAsk> & { contractId: number; end: string }) =>
    house.did(renewals.ask, { as }, { body: { rents: [], ...WAYS, ...ask } });
  const change = (ask: Partial<ChangeAsk> & Pick<ChangeAsk, "contractId" | "kind" | "effectiveOn">) =>
    house.did(changes.ask, { as }, { body: { ...WAYS, ...ask } });

  const billsOf = async (contractId: number) =>
    (
      await pool.query(
        `select title, period_start::text "from", period_end::text "to", (amount + adjusted)::int net, settled::int, outstanding::int
       from bill where contract_id = $1 and voided_at is null order by period_start, id`,
        [contractId],
      )
    ).rows;
  const held = async (contractId: number) =>
    Number(
      (
        await pool.query("select held from deposit_balance where contract_id = $1 and kind = 'deposit'", [
          contractId,
        ])
      ).rows[0]?.held ?? 0,
    );
  const sound = async () => (await acting(house, (act) => checkLedger(act, "manual"))).breaks;
  const contractOf = (id: number) => house.did(getContract, { as }, { params: { id } });
  const letTo = async (contractId: number) =>
    (
      await pool.query(
        'select room_id, kind, lower(period)::text "from", (upper(period) - 1)::text "to" from occupancy_row where contract_id = $1',
        [contractId],
      )
    ).rows;

  return {
    shop,
    as,
    db,
    pool,
    accounts,
    room,
    lease,
    preview,
    versionOf,
    handIn,
    confirm,
    all,
    renew,
    change,
    billsOf,
    held,
    sound,
    contractOf,
    letTo,
  };
}
