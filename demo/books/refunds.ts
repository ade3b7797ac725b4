import { sql } from "kysely";
import { addDays, type Day } from "../../platform/kernel/day.ts";
import type { Cipher } from "../../platform/server/secrets/cipher.ts";
import type { Database } from "../../platform/server/database/database.ts";
import { accountsOf } from "../../domains/finance/account/account.service.ts";
import { receiveWhole } from "../../domains/finance/earnest/earnest.service.ts";
import { applyRefund, dropRefund } from "../../domains/finance/refund/refund.service.ts";
import { confirmPaid, returned } from "../../domains/finance/refund/pay.service.ts";
import { readRefund } from "../../domains/finance/refund/refund.queries.ts";
import { acting } from "../acting.ts";

type Store = Pick<Database, "pool" | "db"> & { cipher: Cipher };
type Tenant = { partyId: number; villageId: number; roomId: number | null; name: string };

/** What became of a refund of the demo, how many days ago it was asked for, and why. */
const FATES = [
  { fate: "paid", ago: 9, amount: 35_000, reason: "多缴一个月物业费" },
  { fate: "toPay", ago: 2, amount: 68_000, reason: "重复支付房租" },
  { fate: "paid", ago: 6, amount: 12_000, reason: "停车费退订" },
  { fate: "returned", ago: 4, amount: 52_000, reason: "重复支付房租" },
  { fate: "cash", ago: 5, amount: 8_000, reason: "钥匙押金退回" },
  { fate: "cancelled", ago: 3, amount: 26_000, reason: "多缴水电费" },
  { fate: "toPay", ago: 1, amount: 15_500, reason: "提前缴纳的宽带费退回" },
] as const;
const BANKS = ["工商银行杭州滨江支行", "建设银行杭州高新支行", "招商银行杭州分行"];

/** Tenants of the stores that somebody looks after, one record each, in an order that stays. */
async function tenants({ db }: Store, clerk: number): Promise<Tenant[]> {
  const { rows } = await sql<Tenant>`
    select c.party_id "partyId", c.village_id "villageId",
      (select k.room_id from contract_room k where k.contract_id = c.id order by k.room_id limit 1) "roomId", p.name
    from contract c join party p on p.id = c.party_id
    where c.state = 'effective' and c.kind = 'renter' and p.kind = 'renter'
      and c.village_id = any(array(select unnest(village_ids) from operator where id = ${clerk}))
      and c.id = (select min(x.id) from contract x where x.party_id = c.party_id)
    order by c.village_id, c.id limit ${FATES.length * 3}`.execute(db);
  // every third, so that they do not live door to door
  return rows.filter((_, i) => i % 3 === 0);
}

/** Money that customers paid too much, and what became of it when they asked for it back. */
export async function makeRefunds(
  store: Store,
  people: { clerk: number; payer: number },
  today: Day,
): Promise<void> {
  const at = (ago: number, clock: string) => new Date(`${addDays(today, -ago)}T${clock}:00+08:00`);
  const found = await tenants(store, people.clerk);
  for (const [i, { fate, ago, amount, reason }] of FATES.entries()) {
    const tenant = found[i];
    if (!tenant) return;
    const { partyId, villageId, roomId } = tenant;
    const paid = at(ago + 5, "11:20");
    await acting(store, people.payer, paid, async (act) => {
      const account = (await accountsOf(act, villageId)).find((a) => a.kind === "wechat")!;
      const money = { merchantAccountId: account.id, paidAt: paid.toISOString(), remark: reason };
      await receiveWhole(act, { villageId, partyId, roomId }, { ...money, amount, channel: "wechat" });
    });
    const bank = {
      payeeBank: BANKS[i % BANKS.length]!,
      payeeAccount: `6222${String(8_000_000_000_000 + i * 7_919_191).padStart(15, "0")}`,
    };
    const { id } = await acting(store, people.clerk, at(ago, "14:05"), (act) =>
      applyRefund(act, {
        source: "prepaid",
        sourceId: partyId,
        villageId,
        amount,
        reason,
        ...(fate === "cash" ? { route: "cash" as const } : { route: "bank" as const, ...bank }),
      }),
    );
    if (fate === "toPay") continue;
    if (fate === "cancelled") {
      await acting(store, people.clerk, at(ago - 1, "09:40"), async (act) =>
        dropRefund(act, (await readRefund(act, id, true))!, "cancelled", "客户改为抵扣下月房租"),
      );
      continue;
    }
    await payOut(store, people.payer, at(Math.max(ago - 2, 0), "10:30"), id, fate === "cash");
    if (fate === "returned")
      await acting(store, people.payer, at(1, "09:15"), async (act) => {
        const { version } = (await readRefund(act, id))!;
        await returned(act, id, { version, reason: "收款账户户名与账号不符" });
      });
  }
}

/** The slip is on paper in the drawer of the cashier; the demo has none to show. */
async function payOut(store: Store, payer: number, now: Date, id: number, cash: boolean): Promise<void> {
  await acting(store, payer, now, async (act) => {
    const r = (await readRefund(act, id))!;
    const usable = await accountsOf(act, r.villageId);
    const account = usable.find((a) => a.kind === (cash ? "cash" : "bank"))!;
    await confirmPaid(act, id, {
      version: r.version,
      merchantAccountId: account.id,
      paidAt: now.toISOString(),
      channelTradeNo: cash ? "" : `NB${String(now.getTime()).slice(-10)}`,
      remark: "",
      fileIds: [],
    });
  });
}
