import { randomUUID } from "node:crypto";
import type { Call, Sent } from "../../../platform/kernel/call.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { counter } from "../../../platform/server/database/counter.sample.ts";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aPng, sendFile } from "../../system/file/file.sample.ts";
import { addAccount, linkAccount } from "../account/account.service.ts";
import { bookLines } from "../corporate/line.service.ts";
import { aCounter, take } from "../flow/flow.sample.ts";
import { addSubmission, getSubmission, takingItems } from "./submission.contract.ts";

export const HANDING = ["112.query", "112.get", "112.add", "112.edit", "112.delete", "112.export"];
export const CONFIRMING = [...HANDING, "#11201", "#11202"];

const next = counter();

/** A store with a cash box, a POS account with hand-over, and two bank accounts of head office: one reconciled, one claimed. */
export async function aTill(house: TestHouse) {
  const { db } = house.database;
  const till = await aCounter(house);
  const { store, accounts, partyId } = till;
  const n = next();
  const { enterpriseId } = house;
  const pos = await addAccount(
    { tx: db },
    { enterpriseId, name: `缴款POS${n}`, kind: "pos", feeRate: "0.005", holderVillageId: store.villageId },
  );
  await db.updateTable("merchantAccount").set({ handover: true }).where("id", "=", pos).execute();
  await linkAccount({ tx: db }, { villageId: store.villageId, payType: "pos", merchantAccountId: pos });
  const claimed = await addAccount(
    { tx: db },
    {
      enterpriseId,
      name: `对公户${n}`,
      kind: "bank",
      statementMode: "claim",
    },
  );
  const villages = [store.villageId];
  const cashier = await house.person({ permits: HANDING, villages, name: "林收银" });
  const finance = await house.person({ permits: CONFIRMING, villages, name: "顾财务" });
  const own = { ...accounts, pos };

  const taking = async (amount: Fen, paidAt: string, channel: "cash" | "pos" = "cash") =>
    (
      await take(house, store, own, partyId, {
        amount,
        channel,
        paidAt: `${paidAt}T10:00:00+08:00`,
        ...(channel === "pos" && { channelTradeNo: randomUUID().slice(0, 12) }),
      })
    ).id!;
  const slip = async (as: Person = cashier) =>
    (await sendFile(house, as, { name: "凭条.png", bytes: aPng() })).body.data.id;

  /** As the drawer sends it: everything that it shows for the day. */
  const form = async (bankDay: string, more: { kind?: "cash" | "pos"; [key: string]: unknown } = {}) => {
    const { kind = "cash", andBefore, ...rest } = more;
    const fromAccountId = kind === "cash" ? own.cash : own.pos;
    const { items } = await house.did(
      takingItems,
      { as: cashier },
      {
        query: {
          villageId: store.villageId,
          fromAccountId,
          bankDay,
          ...(andBefore === true && { andBefore: "true" as const }),
        },
      },
    );
    const of = (what: string) => items.filter((i) => i.what === what).map((i) => i.ref);
    const expected = items.reduce((sum, i) => sum + i.amount, 0);
    return {
      villageId: store.villageId,
      kind,
      bankDay,
      fromAccountId,
      toAccountId: own.bankTransfer,
      flowIds: of("flow"),
      keptIds: of("kept"),
      repaidIds: of("repaid"),
      expected,
      submitted: expected,
      pictures: kind === "cash" ? [await slip()] : [],
      ...rest,
    };
  };
  const handOver = async (bankDay: string, more: { kind?: "cash" | "pos"; [key: string]: unknown } = {}) =>
    house.did(
      addSubmission,
      { as: cashier, key: randomUUID() },
      { body: (await form(bankDay, more)) as never },
    );
  const shown = (id: number) => house.did(getSubmission, { as: finance }, { params: { id } });
  /** An act on a submission as it stands now. */
  const on = async <C extends Call>(call: C, id: number, body: object = {}, as: Person = finance) => {
    const { version } = await shown(id);
    return house.ask(call, { as, key: randomUUID() }, {
      params: { id },
      body: { version, ...body },
    } as unknown as Sent<C> as never);
  };
  /** Of the books: an account of the store, or a receiving account. */
  const balance = async (account: string, merchantAccountId?: number) => {
    const { rows } = await house.database.pool.query<{ fen: number }>(
      `select coalesce(sum(debit - credit), 0)::int fen from journal_line where account = $1
       and ($2::bigint is null and village_id = $3 or merchant_account_id = $2)`,
      [account, merchantAccountId ?? null, store.villageId],
    );
    return rows[0]!.fen;
  };
  /** A line of the claimed account's statement. */
  const line = async (amount: Fen, day: string): Promise<number> => {
    const { rows } = await house.database.pool.query<{ id: number }>(
      `with s as (insert into statement (statement_no, merchant_account_id, format, file_name, sha256, encoding, date_from,
          date_to, line_count, new_count, sum_in, sum_out, sum_fee)
        values ($1, $2, 'bank', 'a.csv', $1, 'utf-8', $4, $4, 1, 1, $3, 0, 0) returning id)
       insert into statement_line (statement_id, merchant_account_id, line_no, row_key, occurred_at, day, direction, amount, raw)
       select id, $2, 1, $1, $4::date, $4, 'in', $3, '[]' from s returning statement_id id`,
      [`DZT${next()}-${randomUUID().slice(0, 8)}`, claimed, amount, day],
    );
    await acting(house, (act) => bookLines(act, rows[0]!.id));
    const found = await db
      .selectFrom("bankLine")
      .innerJoin("statementLine", "statementLine.id", "bankLine.statementLineId")
      .select("bankLine.id")
      .where("statementLine.statementId", "=", rows[0]!.id)
      .executeTakeFirstOrThrow();
    return found.id;
  };
  return {
    ...till,
    accounts: own,
    claimed,
    cashier,
    finance,
    taking,
    slip,
    form,
    handOver,
    shown,
    on,
    balance,
    line,
  };
}
