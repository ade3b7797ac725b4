import type { Reply } from "../../../platform/kernel/call.ts";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { aVillage } from "../../listing/village/village.sample.ts";
import { addPush, getPush, submitPush } from "./push.contract.ts";
import pushJobs from "./push.job.ts";

export const WRITES = ["18.query", "18.get", "18.add", "18.edit", "18.delete", "18.export"] as const;

/** So many renters of a store; the last ones have no phone. */
export const people = (house: TestHouse, villageId: number, count: number, without = 0): Promise<unknown> =>
  house.database.pool.query(
    `with made as (insert into party (enterprise_id, kind, name, phone)
       select $1, 'renter', '租客' || n, case when n > $3 then '' else '13' || lpad((700000000 + $4::int * 1000 + n)::text, 9, '0') end
       from generate_series(1, $2) n returning id, enterprise_id),
     renters as (insert into renter (id, enterprise_id, home_village_id) select id, enterprise_id, $4 from made)
     insert into party_village (village_id, party_id, because, first_day) select $4, id, 'home', '2026-01-01' from made`,
    [house.enterpriseId, count, count - without, villageId],
  );

const TEXT =
  "您好，本小区将于周六上午九点至十二点进行二次供水水箱清洗，期间停止供水，请提前储水，谢谢配合。".padEnd(
    150,
    "。",
  );

export type Pushed = {
  village: number;
  clerk: Person;
  run: (name: string, data?: Record<string, unknown>) => Promise<unknown>;
  typed: (more?: object) => {
    villageIds: number[];
    kind: "renter";
    title: string;
    category: "notice";
    channels: "sms"[];
    body: string;
  };
  made: (more?: object, as?: Person) => Promise<Reply<typeof getPush>>;
  seen: (id: number, as?: Person) => Promise<Reply<typeof getPush>>;
  submitted: (more?: object) => Promise<number>;
  sent: (id: number) => Promise<Reply<typeof getPush>>;
};

/** A store of 300 renters, 12 of them without a phone, and a clerk who writes to them. */
export async function aStoreOf300(house: TestHouse): Promise<Pushed> {
  const village = await aVillage(house);
  await people(house, village, 300, 12);
  const clerk = await house.person({ permits: [...WRITES], villages: [village], name: "周敏" });
  const run: Pushed["run"] = (name, data = {}) =>
    perform(
      house,
      pushJobs.find((j) => j.name === name)!,
      data,
      "test",
    );
  const typed = (more: object = {}) => ({
    title: "停水通知",
    category: "notice" as const,
    channels: ["sms" as const],
    body: TEXT,
    kind: "renter" as const,
    villageIds: [village],
    ...more,
  });
  const seen: Pushed["seen"] = (id, as = clerk) => house.did(getPush, { as }, { params: { id } });
  const made: Pushed["made"] = async (more, as = clerk) =>
    seen((await house.did(addPush, { as }, { body: typed(more) })).id, as);
  return {
    village,
    clerk,
    run,
    typed,
    made,
    seen,
    submitted: async (more) => {
      const { id, version } = await made(more);
      await house.did(submitPush, { as: clerk }, { params: { id }, body: { version } });
      return id;
    },
    sent: async (id) => {
      await run("push.due");
      await run("push.send", { id });
      return seen(id);
    },
  };
}
