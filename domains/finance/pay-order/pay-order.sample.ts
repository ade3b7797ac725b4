import { counter } from "../../../platform/server/database/counter.sample.ts";
import type { TestHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { addAccount, linkAccount } from "../account/account.service.ts";
import type { PaymentTold } from "./driver.rules.ts";
import { NOTIFY_PATH } from "./driver.service.ts";
import { payAtTill, tillNotification } from "./till.service.ts";

const next = counter();
/** An account at the embedded till, through which a store takes money by a code. */
export async function aTill(house: TestHouse, villageId: number): Promise<number> {
  const { enterpriseId, database } = house;
  const act = { tx: database.db };
  const id = await addAccount(act, { enterpriseId, name: `内置收银${next()}`, kind: "till" });
  await linkAccount(act, { villageId, payType: "till", merchantAccountId: id, terminal: "h5" });
  return id;
}

/** Sends a notification from outside, as a channel does. */
export const notify = (
  house: TestHouse,
  accountId: number,
  body: string,
  headers: Record<string, string | undefined> = {},
) =>
  house.app.inject({
    method: "POST",
    url: `${NOTIFY_PATH}/${accountId}`,
    headers: { "content-type": "application/json", ...headers },
    payload: body,
  });

/** The payer pays at the till, and nobody is told yet: answers what will be told, signed. */
export const paidUntold = (
  house: TestHouse,
  accountId: number,
  orderNo: string,
  change: Partial<PaymentTold> = {},
) =>
  acting(house, async (act) => {
    const told = { ...(await payAtTill(act, orderNo)), ...change };
    const { body, header } = tillNotification(act, accountId, told);
    return { body, headers: { "till-signature": header("till-signature") } };
  });
