import type { Words } from "../../../platform/kernel/field.ts";
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
export const TYPE_WORDS = {
  "0": ["平台", "grey"],
  "1": ["企业", "grey"],
  "": ["普通", "grey"],
} as const;

export type Powers = { superType: string; villages: readonly number[]; permits: ReadonlySet<string> };
export type Grant = {
  superType: string;
  allVillages: boolean;
  villageIds: readonly number[];
  /** Every permit that the roles to be given hold. */
  permits: readonly string[];
};

export const BEYOND = "不能授予超出自身的权限";

/** A page or menu alone opens nothing: it comes with its actions, so only those are weighed. */
const weighs = (permit: string) => permit.includes(".") || permit.startsWith("#");

/** Nobody gives away what they do not have; only who runs the platform makes others administrators. */
export function mayGrant(by: Powers, grant: Grant): boolean {
  if (by.superType === "0") return true;
  if (grant.superType) return false;
  return by.superType === "1" || within(by, grant);
}

function within(by: Powers, grant: Grant): boolean {
  if (grant.allVillages) return false;
  const villages = new Set(by.villages);
  return (
    grant.villageIds.every((v) => villages.has(v)) &&
    grant.permits.every((p) => !weighs(p) || by.permits.has(p))
  );
}

/**
 * Who may act on somebody's account: nobody reaches above themselves, for whoever sets a password could come in with it.
 */
export function mayManage(by: Powers, target: Grant): boolean {
  if (by.superType === "0") return true;
  if (target.superType === "0") return false;
  return by.superType === "1" || (target.superType === "" && within(by, target));
}
export const ABOVE = "该员工的权限超出您的权限，不能操作";

/** What one set has more than another. */
export const beyond = <T>(after: Iterable<T>, before: Iterable<T>): T[] => {
  const known = new Set(before);
  return [...new Set(after)].filter((one) => !known.has(one));
};

/** Records that lie in a village, for which it can be said whether somebody reaches them. */
export const RECORD_WORDS = {
  village: ["门店", "grey"],
  building: ["楼栋", "grey"],
  apartment: ["房源", "grey"],
  room: ["房间", "grey"],
  contract: ["合同", "grey"],
  bill: ["账单", "grey"],
  flow: ["流水", "grey"],
} as const satisfies Words;
export type RecordKind = keyof typeof RECORD_WORDS;
