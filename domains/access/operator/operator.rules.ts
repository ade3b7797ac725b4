import { greys } from "../../../platform/kernel/words.ts";
import { all, code, lengthBetween, matches, required } from "../../../platform/kernel/validators.ts";

/** 6 to 20 letters and digits, some of each; told apart without regard to case. */
export const account = all(required("请输入账号"), code);

/** A person of one's own house: letters or Chinese characters, with the dot of longer names. */
export const realName = all(
  required("请输入姓名"),
  lengthBetween(2, 20, "姓名长度为2到20个字"),
  matches(/^[A-Za-z\p{Script=Han}]+([·・ ][A-Za-z\p{Script=Han}]+)*$/u, "姓名只能包含中文和字母"),
);

/** Locked is an active account at which wrong passwords were tried: it lapses by itself and ends no session. */
export const STATE_WORDS = {
  active: ["启用", "green"],
  locked: ["锁定", "red"],
  disabled: ["停用", "grey"],
} as const;

export const TYPE_WORDS = { "0": ["平台", "grey"], "1": ["企业", "grey"], "": ["普通", "grey"] } as const;

/** Records that lie in a village, for which it can be said whether somebody reaches them. */
export const RECORD_WORDS = greys({
  village: "门店",
  building: "楼栋",
  apartment: "房源",
  room: "房间",
  contract: "合同",
  bill: "账单",
  flow: "流水",
});
export type RecordKind = keyof typeof RECORD_WORDS;
