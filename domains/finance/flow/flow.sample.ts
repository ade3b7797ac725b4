import { randomUUID } from "node:crypto";
import type { Call, Sent } from "../../../platform/kernel/call.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { counter } from "../../../platform/server/database/counter.sample.ts";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aPng, sendFile } from "../../system/file/file.sample.ts";
import { addAccount, linkAccount } from "../account/account.service.ts";
import type { CounterChannel } from "../account/channel.rules.ts";
import { type Store, aParty, aStore } from "../bill/bill.sample.ts";
import { readBills } from "../bill/bills.queries.ts";
import { previewFlow, receiveFlow } from "./receive.contract.ts";
import { type Receipt, previewReceipt, receive } from "./receive.service.ts";

export type Accounts = Record<"wechat" | "pos" | "cash" | "bankTransfer", number>;

const next = counter();
/** WeChat Pay at 0.60%, POS at 0.50%, a cash box of the store and a company bank account. */
export async function someAccounts(house: TestHouse, store: Store): Promise<Accounts> {
  const { db } = house.database;
  const n = next();
  const { enterpriseId } = house;
  const open = async (payType: CounterChannel, name: string, more: object) => {
    const id = await addAccount(
      { tx: db },
      {
        enterpriseId,
        name: `${name}${n}`,
        kind: payType === "bankTransfer" ? "bank" : (payType as "cash"),
        ...more,
      },
    );
    await linkAccount({ tx: db }, { villageId: store.villageId, payType, merchantAccountId: id });
    return id;
  };
  return {
    wechat: await open("wechat", "微信商户号", { feeRate: "0.006" }),
    pos: await open("pos", "前台POS", { feeRate: "0.005", holderVillageId: store.villageId }),
    cash: await open("cash", "现金箱", { holderVillageId: store.villageId }),
    bankTransfer: await open("bankTransfer", "企业银行", {}),
  };
}

/** What is open on some bills, as the wants of a receipt. */
export async function wantsOf(house: TestHouse, billIds: readonly number[]) {
  const bills = await readBills({ tx: house.database.db }, billIds);
  return bills.flatMap((bill) => [
    ...bill.lines.filter((l) => l.outstanding > 0).map((l) => ({ billId: bill.id, lineId: l.id })),
    { billId: bill.id, lineId: null },
  ]);
}

export type Taking = { amount: Fen; paidAt: string; bills?: readonly number[] } & Partial<Receipt>;

/** Takes money as the counter does: previews, then confirms with the preview's hash. */
export async function take(
  house: TestHouse,
  store: Store,
  accounts: Accounts,
  partyId: number,
  { bills = [], ...more }: Taking,
) {
  const channel = more.channel ?? "wechat";
  const receipt: Receipt = {
    villageId: store.villageId,
    partyId,
    channel,
    merchantAccountId: accounts[channel as keyof Accounts],
    wants: await wantsOf(house, bills),
    usePrepaid: false,
    ...more,
  };
  return acting(house, async (act) => receive(act, receipt, (await previewReceipt(act, receipt)).hash));
}

const PERMITS = [
  "26.get",
  "26.add",
  "102.query",
  "102.get",
  "102.add",
  "102.export",
  "#10201",
  "#10202",
  "#10203",
];

/** A store with its accounts, two cashiers, somebody from another store, and a customer. */
export async function aCounter(house: TestHouse) {
  const store = await aStore(house);
  const accounts = await someAccounts(house, store);
  const villages = [store.villageId];
  const cashier = await house.person({ permits: PERMITS, villages, name: "陈收银" });
  const second = await house.person({ permits: PERMITS, villages, name: "周财务" });
  const other = await aStore(house);
  const stranger = await house.person({ permits: PERMITS, villages: [other.villageId] });
  const partyId = await aParty(house, "张三", { villageId: store.villageId });

  /** A receipt in cash as the counter sends it, for everything open on some bills. */
  const receipt = async (billIds: readonly number[], amount: number, more: object = {}) => ({
    villageId: store.villageId,
    partyId,
    amount,
    channel: "cash" as const,
    merchantAccountId: accounts.cash,
    wants: (await wantsOf(house, billIds)).filter((w) => w.lineId !== null),
    ...more,
  });
  type Receipt = Awaited<ReturnType<typeof receipt>>;

  /** Previews, then takes the money. */
  const taken = async (body: Receipt, as: Person = cashier) => {
    const { hash } = await house.did(previewFlow, { as }, { body });
    return house.did(receiveFlow, { as }, { body: { ...body, previewHash: hash } });
  };

  /** What a call that is refused says: its sentence, or the field it stands under. */
  const refused = async <C extends Call>(call: C, as: Person, sent: Sent<C>) => {
    const { status, body } = await house.ask(call, { as, key: randomUUID() }, sent as never);
    const [first] = body.fields ?? [];
    return first ? { status, [first.field]: first.msg } : { status, message: body.message };
  };
  const paper = async (as: Person = cashier) =>
    (await sendFile(house, as, { name: "回单.png", bytes: aPng() })).body.data.id;
  const bill = async (id: number) => (await readBills({ tx: house.database.db }, [id]))[0]!;
  const subject = async (code: string) =>
    (
      await house.database.db
        .selectFrom("feeSubject")
        .select("id")
        .where("code", "=", code)
        .executeTakeFirstOrThrow()
    ).id;
  return {
    store,
    accounts,
    cashier,
    second,
    stranger,
    partyId,
    receipt,
    taken,
    refused,
    paper,
    bill,
    subject,
  };
}
export type Counter = Awaited<ReturnType<typeof aCounter>>;
