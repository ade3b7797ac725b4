import { expect, test } from "vitest";
import { initialsOf } from "../../../platform/server/database/pinyin.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { listLeads } from "./lead.contract.ts";
import { aLead, aLettingOffice } from "./lead.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T09:15:00+08:00");
const { pool } = house.database;

const NAMES =
  "赵思源 钱一帆 孙天源 李四 周敏 吴佳宁 郑一帆 王天磊 冯春 陈嘉禾 褚平 卫东 蒋昱楠 沈知夏 韩雪 杨欣怡 朱承源 秦岚 尤佳 许承锦 何立群 吕云杰 施展 张佳曦 孔敏 曹操 严冬 华安 金思彤 魏嘉悦 陶然 姜宁 戚薇 谢娜 邹平 喻言 柏林 水生 窦唯 章程 云朵 苏瑾 潘安 葛优 奚望 范冰 彭飞 郎平 鲁迅 韦一笑 昌平 马予超 苗圃 凤凰 花木 方静 俞飞 任晓辰 袁弘 柳岩 鲍勃 史若怡 唐雨洁 费玉 廉洁 岑参 薛志娜 雷军 贺龙 倪妮 汤唯 滕王 殷红 罗子昂 毕福 郝蕾 安宁 常青 乐乐 于思睿 时光 傅清 皮皮 卞之 齐白 康明丽 伍佰 余生 元元 卜算 顾城 孟非 平安 黄河 和平 穆青 萧红 尹景 姚一辰 邵逸 湛江 汪洋 祁连 毛毛 禹州 狄仁 米兰 贝壳 明月 臧克 计划 伏羲 成龙 戴燕 谈笑 宋江 茅盾 庞统 熊猫 纪晓 舒畅 屈原 项羽 祝福 董卿 梁宁 Tom王 A座".split(
    " ",
  );

test("the database spells initials as the house does", async () => {
  const { rows } = await pool.query<{ name: string; initials: string }>(
    "select name, initials_of(name) initials from unnest($1::text[]) name",
    [NAMES],
  );
  const odd = rows.filter((row) => row.initials !== initialsOf(row.name));
  expect(odd).toEqual([]);
});

test("leads are found by initials, and follow a new name", async () => {
  const { zhao, here } = await aLettingOffice(house);
  const id = await aLead(house, zhao, here, { name: "温言" });
  const found = async (keyword: string) =>
    (await house.did(listLeads, { as: zhao }, { query: { keyword } })).list.map((l) => l.id);
  expect(await found("wy")).toEqual([id]);
  expect(await found("WY")).toEqual([id]);
  await pool.query("update lead set name = '苏瑾' where id = $1", [id]);
  expect(await found("wy")).toEqual([]);
  expect(await found("sj")).toEqual([id]);
});
