import { sql } from "kysely";
import { type Day, addDays, timeInZone } from "../../../platform/kernel/day.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { eachAlone } from "../../../platform/server/jobs/by-itself.ts";
import { mayPass } from "../../../platform/server/outside/transient.ts";
import { nobody } from "../../../platform/server/pipeline/act.ts";
import { actOf, type House } from "../../../platform/server/pipeline/pipeline.ts";
import { whoHolds } from "../../access/operator/scope.service.ts";
import { tell } from "../../system/message/message.service.ts";
import { keysOf } from "../account/account.rules.ts";
import { driverOf } from "../pay-order/driver.service.ts";
import { worksOf } from "./run.service.ts";
import { COMPARED, WHOLE } from "./statement.queries.ts";

type Due = { id: number; name: string; enterpriseId: number; villageIds: number[]; day: Day };

/** So far back the embedded cashier is asked for days that were missed. Channels outside are asked for yesterday. */
const BACK = 62;

/** Accounts whose driver can fetch the bill of a day that there is no statement of yet, the oldest first. */
async function due({ database: { db }, settings }: House, yesterday: Day): Promise<Due[]> {
  const { TIME_ZONE } = settings;
  const { rows } = await sql<Due>`
    select a.id, a.name, a.enterprise_id "enterpriseId", d.day,
      case when a.holder_village_id is not null then array[a.holder_village_id]
        else array(select v.id from village v where v.enterprise_id = a.enterprise_id order by v.id) end "villageIds"
    from merchant_account a
    cross join lateral (select ${yesterday}::date "day" where a.kind = 'wechat'
      union select (o.paid_at at time zone ${TIME_ZONE})::date from till_order o
        where o.merchant_account_id = a.id and o.paid_at >= ${addDays(yesterday, -BACK)}::date
      union select (r.done_at at time zone ${TIME_ZONE})::date from till_refund r join till_order o on o.order_no = r.order_no
        where o.merchant_account_id = a.id and r.done_at >= ${addDays(yesterday, -BACK)}::date) d
    where a.enabled and d.day <= ${yesterday} and (a.kind = 'till' or a.kind = 'wechat' and a.sub_mch_id = ''
      and (select count(*) from merchant_key k where k.merchant_account_id = a.id
        and k.name = any(${keysOf("wechat") as string[]}::text[])) = ${keysOf("wechat").length})
      and not coalesce((select ${WHOLE} from statement s where s.merchant_account_id = a.id and ${COMPARED}
        and d.day between s.date_from and s.date_to), false)
    order by d.day, a.id`.execute(db);
  return rows;
}

/** The hour of the last try, before 18:00; who could bring a bill by hand is told after it. */
export const LAST_HOUR = 17;

/**
 * Fetches the bills of every account whose channel gives them out: yesterday's, and of the embedded cashier's every day on
 * which something moved. Each is taken in a transaction of its own, as if somebody had brought it. Where nothing moved the day is
 * balanced with nothing. Answers how many were fetched.
 */
export async function fetchBills(house: House): Promise<number> {
  const { db } = house.database;
  const { today, now } = actOf(house, db, nobody, REQUEST);
  const fetch = async (account: Due): Promise<boolean> => {
    const { day } = account;
    // the channel proves whose money it is; nobody in particular brings the file
    const who = { ...nobody, enterpriseId: account.enterpriseId, villages: account.villageIds };
    const within = <T>(work: (act: ReturnType<typeof actOf>) => Promise<T>): Promise<T> =>
      db.transaction().execute((tx) => work(actOf(house, tx, who, REQUEST)));
    try {
      const driver = await driverOf(actOf(house, db, who, REQUEST), account.id);
      const bill = await driver.bill?.(day);
      if (!bill) return false;
      const asked = { merchantAccountId: account.id, mode: "reconcile" as const, note: "" };
      await within(async (act) => {
        const works = worksOf("reconcile");
        if (bill === "none") return works.none?.(act, asked, day);
        await works.take(
          act,
          driver.embedded
            ? { field: "file", name: `内置收银账单${day}.csv`, type: "text/csv", bytes: bill }
            : { field: "file", name: `微信账单${day}.csv.gz`, type: "application/gzip", bytes: bill },
          asked,
        );
      });
      return true;
    } catch (error) {
      if (!(error instanceof Refusal) && !mayPass(error)) throw error;
      if (hourOf(now, house.settings.TIME_ZONE) < LAST_HOUR) return false;
      const why =
        error instanceof Refusal ? (error.fields[0]?.msg ?? error.message) : (error as Error).message;
      await within((act) => tellMissing(act, account, why));
      return false;
    }
  };
  return eachAlone(await due(house, addDays(today, -1)), ({ name }) => name, fetch);
}

const REQUEST = { requestId: "statementFetch", ip: "", userAgent: "job" };
const hourOf = (now: Date, timeZone: string): number => Number(timeInZone(now, timeZone).slice(11, 13));

async function tellMissing(act: ReturnType<typeof actOf>, account: Due, why: string): Promise<void> {
  const to = new Set<number>();
  for (const villageId of account.villageIds)
    for (const person of await whoHolds(act, "25.import", villageId)) to.add(person);
  await tell(act, {
    to: [...to],
    type: 2,
    title: `${account.name} ${account.day} 的账单没有自动下载`,
    content: `${why}。请从渠道下载后在对账管理导入。`,
    bizType: "agedDifferences",
    bizId: account.id,
    once: `statementFetch.${account.id}.${account.day}`,
  });
}
