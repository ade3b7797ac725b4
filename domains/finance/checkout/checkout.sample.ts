import { randomUUID } from "node:crypto";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aBill } from "../bill/bill.sample.ts";
import { checkLedger } from "../check/check.service.ts";
import { aCounter } from "../flow/flow.sample.ts";
import { payTill } from "../pay-order/pay-order.contract.ts";
import orderJobs from "../pay-order/pay-order.job.ts";
import { aTill } from "../pay-order/pay-order.sample.ts";
import { showBillCode } from "./checkout.contract.ts";

/** A counter whose store takes money at the embedded till, on 2 March 2026: nothing is late yet. */
export async function aCheckout(house: TestHouse) {
  house.setClock("2026-03-02T10:00:00+08:00");
  const counter = await aCounter(house);
  const { store, partyId, cashier } = counter;
  const { pool } = house.database;
  const till = await aTill(house, store.villageId);
  const bill = (title: string, more: Parameters<typeof aBill>[3] = {}) =>
    aBill(house, store, partyId, { title, ...more });
  const showing = (billIds: readonly number[], more: object = {}, as: Person = cashier) =>
    house.ask(showBillCode, { as, key: randomUUID() }, { body: { billIds: [...billIds], ...more } });
  const shown = async (billIds: readonly number[], more: object = {}) =>
    (await showing(billIds, more)).body.data as {
      id: number;
      orderNo: string;
      token: string;
      amount: number;
    }[];
  const open = async (...ids: number[]) =>
    Promise.all(ids.map(async (id) => (await counter.bill(id)).outstanding));
  const prepaid = async () =>
    Number(
      (
        await pool.query(
          "select coalesce(sum(balance), 0) fen from party_balance where party_id = $1 and kind = 'prepaid'",
          [partyId],
        )
      ).rows[0].fen,
    );
  /** Flows of one order: amount, what of it paid bills, and what is left. */
  const flowsOf = async (orderNo: string) =>
    (
      await pool.query(
        `select amount::int, allocated::int, unallocated::int, fee::int, state from flow where out_trade_no = $1`,
        [orderNo],
      )
    ).rows;
  const order = async (id: number) =>
    (await pool.query("select state, outcome, problem, close_reason why from pay_order where id = $1", [id]))
      .rows[0];
  return {
    ...counter,
    till,
    newBill: bill,
    showing,
    shown,
    open,
    prepaid,
    flowsOf,
    order,
    pay: (token: string) => house.ask(payTill, {}, { params: { token } }),
    tending: () => perform(house, orderJobs[0]!, {}, randomUUID()),
    sound: async () => (await acting(house, (act) => checkLedger(act, "manual"))).breaks,
    messages: async (like: string) =>
      (await pool.query("select title, content from message where title like $1 order by id", [like]))
        .rows as {
        title: string;
        content: string;
      }[],
  };
}
