import { counter } from "../../../platform/server/database/counter.sample.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { TestHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { addAccount, linkAccount } from "../account/account.service.ts";
import { readBills } from "../bill/bills.queries.ts";
import type { Store } from "../bill/bill.sample.ts";
import type { CounterChannel } from "../account/channel.rules.ts";
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
