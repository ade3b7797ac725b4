import { addDays, type Day } from "../platform/kernel/day.ts";
import type { Chance } from "./random.ts";

// Common surnames by how common they are, and characters that given names are made of.
const SURNAMES =
  "王王王王李李李李张张张张刘刘刘陈陈陈杨杨赵赵黄黄周周吴吴徐徐孙孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文";
const FIRST = "思志嘉子雨浩佳欣文俊梓明雅静海晓天宇泽若一景书予清安以沐亦云星昱承锦知";
const SECOND = "源杰宁彤轩雪曦静涵远辰怡悦然琪博瑶航睿菲琳萱妍霖恒宸航峰岚帆楠颖洁凯鹏磊敏丽强超燕娜";

export const fullName = (chance: Chance): string =>
  chance.pick([...SURNAMES]) + (chance.yes(0.82) ? chance.pick([...FIRST]) : "") + chance.pick([...SECOND]);

const HEADS = [
  "130",
  "131",
  "132",
  "135",
  "136",
  "137",
  "138",
  "139",
  "150",
  "151",
  "152",
  "157",
  "158",
  "159",
  "176",
  "180",
  "182",
  "186",
  "187",
  "188",
  "189",
];
/** Different for every person: the number carries the person's sequence, scattered so that it does not look like one. */
export function mobile(sequence: number): string {
  const scattered = (sequence * 7_368_787 + 24_680_135) % 100_000_000;
  return HEADS[sequence % HEADS.length]! + String(scattered).padStart(8, "0");
}

const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
// Region codes of prefectures; the number is well-formed and belongs to nobody by intent.
const REGIONS = [
  "330106",
  "330110",
  "310112",
  "320506",
  "320102",
  "440305",
  "510107",
  "420111",
  "610113",
  "340104",
  "350203",
  "370202",
  "410105",
  "430104",
  "360102",
];

const DAYS = 7300;
const ORDERS = 499;
/** What a person's sequence number stands for: a birthday and an order of that day no other of 3.6 million people has. */
const scattered = (sequence: number) => (sequence * 1_234_577 + 12_345) % (DAYS * ORDERS);

export const birthdayOf = (sequence: number): Day =>
  addDays("1984-03-01", Math.floor(scattered(sequence) / ORDERS));

/** An 18-digit number with its check digit (GB 11643). */
export function idCard(chance: Chance, sequence: number, male: boolean): string {
  const order = String((scattered(sequence) % ORDERS) * 2 + (male ? 1 : 0)).padStart(3, "0");
  const body = chance.pick(REGIONS) + birthdayOf(sequence).replaceAll("-", "") + order;
  const sum = WEIGHTS.reduce((total, weight, i) => total + weight * Number(body[i]), 0);
  return body + "10X98765432"[sum % 11]!;
}
