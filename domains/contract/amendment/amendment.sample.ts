import { randomUUID } from "node:crypto";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { checkLedger } from "../../finance/check/check.service.ts";
import { someAccounts, take } from "../../finance/flow/flow.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import type { ActCalls } from "../act/act.contract.ts";
import { aScan } from "../contract/contract.sample.ts";
import { aFirmShop } from "../contract/firm.sample.ts";

/** A village in March 2026 whose clerk changes contracts of tenants and companies, with the steps of an act as one line each. */
export async function anAmender(house: TestHouse) {
  house.setClock("2026-03-01T10:00:00+08:00");
  const permits = [
    "#903",
    "#1103",
    "#1108",
    "#904",
    "#1104",
    "72.query",
    "72.get",
    "72.add",
    "72.edit",
    "#7202",
    "#7204",
    "96.get",
    "96.add",
    "96.edit",
    "#9601",
  ];
  const shop = await aFirmShop(house, { permits });
  const as: Person = shop.clerk;
  const { pool } = house.database;
  const accounts = await someAccounts(house, shop as never);

  let now = "2026-03-01";
  /** Moves the clock to the morning of a day. */
  const on = (day: string) => house.setClock(`${(now = day)}T10:00:00+08:00`);

  const trial = (calls: ActCalls, contractId: number, draft: object) =>
    house.did(calls.trial, { as }, { body: { contractId, ...draft } as never });

  /** From the request to the signature: only the confirmation is left. */
  async function agreed(calls: ActCalls, contractId: number, draft: object) {
    const { id } = await house.did(calls.ask, { as }, { body: { contractId, ...draft } as never });
    const params = { id };
    const { previewHash } = (await house.did(calls.preview, { as }, { params, body: {} })) as {
      previewHash: string;
    };
    const row = async () =>
      Number((await pool.query("select version from contract_act where id = $1", [id])).rows[0].version);
    await house.did(calls.submit, { as }, { params, body: { version: await row(), previewHash } });
    const fileIds = [await aScan(house, as)];
    const agree = { version: await row(), how: "paper" as const, note: "双方已签字", fileIds };
    await house.did(calls.agree, { as }, { params, body: agree });
    return { id, previewHash, version: await row() };
  }
  const confirm = (calls: ActCalls, { id, ...body }: Awaited<ReturnType<typeof agreed>>) =>
    house.ask(calls.confirm, { as, key: randomUUID() }, { params: { id }, body });
  async function done(calls: ActCalls, contractId: number, draft: object) {
    const act = await agreed(calls, contractId, draft);
    await house.did(
      calls.confirm,
      { as, key: randomUUID() },
      { params: { id: act.id }, body: { version: act.version, previewHash: act.previewHash } },
    );
    return act.id;
  }
  async function undone(calls: ActCalls, id: number) {
    const { rows } = await pool.query("select version from contract_act where id = $1", [id]);
    const body = { version: Number(rows[0].version), reason: "双方同意撤销" };
    return house.ask(calls.undo, { as, key: randomUUID() }, { params: { id }, body });
  }

  /** The contract's bills that are not void, by due day. */
  const bills = async (contractId: number) =>
    (
      await pool.query<{
        id: number;
        title: string;
        due: string;
        net: number;
        settled: number;
        open: number;
      }>(
        `select id::int, title, due_date::text due, (amount + adjusted)::int net, settled::int, outstanding::int open
         from bill where contract_id = $1 and voided_at is null order by due_date, period_start, id`,
        [contractId],
      )
    ).rows;
  const pay = async (partyId: number, ids: readonly number[], amount?: number) => {
    const { rows } = await pool.query(
      "select coalesce(sum(outstanding), 0)::int fen from bill where id = any($1)",
      [ids],
    );
    await take(house, shop as never, accounts, partyId, {
      amount: amount ?? rows[0].fen,
      paidAt: `${now}T10:00:00+08:00`,
      bills: ids,
      channel: "cash",
    });
  };
  const sound = async () => (await acting(house, (act) => checkLedger(act, "manual"))).breaks;
  const contract = async (id: number) =>
    (
      await pool.query(
        `select end_date::text "end", current_rent::int "currentRent", monthly_rent::int "monthlyRent", terms_version "termsVersion",
           room_names "roomNames", deposit_amount::int deposit from contract where id = $1`,
        [id],
      )
    ).rows[0];
  const rooms = async (id: number) =>
    (
      await pool.query(
        "select upper(period)::text until from occupancy_row where contract_id = $1 order by room_id",
        [id],
      )
    ).rows.map((r) => r.until as string);
  const today = () => now;
  return {
    shop,
    as,
    pool,
    on,
    today,
    trial,
    agreed,
    confirm,
    done,
    undone,
    bills,
    pay,
    sound,
    contract,
    rooms,
  };
}
