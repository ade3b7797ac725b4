import { addDays } from "../../platform/kernel/day.ts";
import type { Company } from "../company.ts";
import { fullName, mobile } from "../names.ts";
import { chanceOf } from "../random.ts";

const SOURCES = [
  ["walkIn", 4],
  ["web", 3],
  ["channel", 4],
  ["referral", 2],
] as const;
const REASONS = ["价格过高", "位置不合适", "选择他处", "暂不租房", "联系不上"];
const WISHES = [
  "想要朝南、安静一些的房间",
  "希望近地铁，能接受合租",
  "两个人住，需要独立卫生间",
  "公司在附近，优先近的门店",
  "",
];
const TALKS = [
  "电话沟通了预算和入住时间，已发门店位置",
  "微信发送了三套房源照片，客户在比较",
  "到店看了样板间，对采光满意，回去商量",
  "客户询问押金和付款方式，已说明",
];
/** How far a lead of the demo came, the share of each. */
const ENDS = [
  ["new", 3],
  ["following", 5],
  ["viewed", 3],
  ["pool", 2],
  ["signed", 3],
  ["lost", 4],
] as const;
const LEVELS = [
  ["A", 2],
  ["B", 5],
  ["C", 3],
] as const;
const COUNT = 64;

/** Enquiries of the last two months at the first stores, looked after by their consultant and manager. */
export async function makeLeads(co: Company, owners: { consultant: number; manager: number }): Promise<void> {
  const { sink, ids, enterpriseId, today } = co;
  const chance = chanceOf(77);
  const at = (back: number, hour: number) =>
    `${addDays(today, -back)} ${String(hour).padStart(2, "0")}:20:00+08`;
  for (let i = 1; i <= COUNT; i++) {
    const id = ids("lead");
    const end = chance.weighted(ENDS);
    const fresh = ["new", "following", "viewed"].includes(end);
    const ago = Math.max(fresh ? 1 : 8, Math.round((fresh ? 16 : 60) * (1 - i / COUNT)) + chance.int(0, 2));
    const budget = chance.int(18, 42) * 10_000;
    const talked = end !== "new";
    const heard = Math.max(1, Math.min(ago, fresh ? chance.int(1, 4) : ago - 2));
    const owner = chance.yes(0.7) ? owners.consultant : owners.manager;
    const hour = chance.int(9, 16);
    const by = (done: boolean, moment: string) => (done ? moment : null);
    await sink.add("lead", {
      id,
      number: co.numbers.next("KY", addDays(today, -ago)),
      enterpriseId,
      name: fullName(chance),
      phone: mobile(700_000 + i),
      gender: chance.yes(0.5) ? "male" : "female",
      source: chance.weighted(SOURCES),
      villageIds: chance.yes(0.3) ? [1, 2] : [chance.int(1, 3)],
      layout: chance.yes(0.6) ? String(chance.int(1, 2)) : null,
      budgetFrom: budget - 50_000,
      budgetTo: budget + 50_000,
      moveInDay: addDays(today, fresh ? chance.int(3, 30) : chance.int(9, 30) - ago),
      termMonths: 12,
      people: chance.int(1, 2),
      level: chance.weighted(LEVELS),
      remark: chance.pick(WISHES),
      ownerId: end === "pool" ? null : owner,
      ownedAt: at(ago, hour),
      poolAt: by(end === "pool", at(1, 2)),
      lastFollowAt: by(talked, at(heard, 18)),
      nextFollowDay: fresh && talked ? addDays(today, chance.int(-1, 4)) : null,
      state: end === "pool" ? "following" : end,
      followingAt: by(talked, at(ago, 18)),
      viewedAt: by(end === "viewed" || end === "signed", at(heard, 18)),
      signedAt: by(end === "signed", at(heard, 19)),
      lostAt: by(end === "lost", at(heard, 19)),
      lostReason: end === "lost" ? chance.pick(REASONS) : "",
      createdAt: at(ago, hour),
      createdBy: owner,
    });
    const say = (kind: string, content: string, moment: string, operatorId: number | null = owner) =>
      sink.add("lead_event", { id: ids("lead_event"), leadId: id, kind, content, at: moment, operatorId });
    await say("system", "登记客源", at(ago, hour));
    if (talked) await say(chance.pick(["call", "wechat"]), chance.pick(TALKS.slice(0, 2)), at(ago, 18));
    if (talked && heard < ago && end !== "lost") await say("call", chance.pick(TALKS), at(heard, 18));
    if (end === "pool") await say("system", "长时间未跟进，自动转入公海", at(1, 2), null);
  }
}
