import { addDays, type Day } from "../../../platform/kernel/day.ts";
import type { Words } from "../../../platform/kernel/field.ts";

export const CHECK_STATES = {
  done: ["已就绪", "green"],
  look: ["请留意", "orange"],
  missing: ["未完成", "red"],
} as const satisfies Words;
export type CheckState = keyof typeof CHECK_STATES;

/** The steps to the first electronic contract: where each is done, and by whom. */
export const CHECKS = {
  lessor: {
    title: "新建企业",
    path: "/system/CreateEnterprise",
    who: "有合同配置权限的人",
    what: "登记出租房屋并签署合同的企业：名称、统一社会信用代码、法人和证照。",
  },
  verified: {
    title: "企业认证",
    path: "/system/ContractManagement?tab=lessors",
    who: "企业法人，或平台管理员",
    what: "用法人短信核验，或提交人工审核，由平台管理员核对证照。",
  },
  authorised: {
    title: "签署授权",
    path: "/system/ContractManagement?tab=lessors",
    who: "企业法人",
    what: "法人在手机上阅读并签署授权书，说明哪些门店、哪类合同、用哪枚印章，最长三年。",
  },
  seal: {
    title: "印章",
    path: "/system/ContractManagement?tab=seals",
    who: "有“管理印章”权限的人",
    what: "上传透明背景的合同专用章或公章，选择门店和用印人；打开自动盖章后，客户签完即完成。",
  },
  certificate: {
    title: "数字证书",
    path: "/system/ContractManagement?tab=seals",
    who: "有“导入证书”权限的人",
    what: "盖章时用它给整个文件加数字签名。没有导入证书的，用系统自签证书。",
  },
  template: {
    title: "合同模板",
    path: "/system/TemplateManage",
    who: "有模板管理权限的人",
    what: "发布租客、企业、商户合同的模板。没有模板的门店按系统内置文本签署。",
  },
  signer: {
    title: "签约人",
    path: "/system/AuthorityManagement",
    who: "有权限管理权限的人",
    what: "每个门店至少有一名在职员工可以作为合同的签约人。",
  },
  sms: {
    title: "短信通道",
    path: "/system/PlatformConf?tab=outbox",
    who: "平台管理员",
    what: "签署链接和验证码用短信发送。内置发件箱不会真的发出短信，只供试用。",
  },
  trial: {
    title: "试签",
    path: null,
    who: "有合同配置编辑权限的人",
    what: "把一份样张发到手机上签一次，检查短信、签署页、印章和签署文件。样张没有合同效力，不产生合同和账单。",
  },
  stores: {
    title: "门店启用",
    path: "/system/ContractManagement?tab=seals",
    who: "有“管理印章”权限的人",
    what: "门店有可以盖章的印章，也有在职员工，就能在它的合同上发起电子签署。不用另外打开。",
  },
} as const;
export type CheckKey = keyof typeof CHECKS;

export type SignFacts = {
  today: Day;
  lessors: readonly { name: string; verified: boolean; authTo: Day | null; authorised: boolean }[];
  villages: readonly string[];
  /** Stores for which no seal can be set, or in which nobody works. */
  unsealed: readonly string[];
  unstaffed: readonly string[];
  seals: number;
  /** The last days of the imported certificates that seals are set with. */
  imported: readonly Day[];
  /** The deployment's, where a seal is set with it; "unmade" before the first use. */
  own: { subject: string; until: Day } | "unmade" | null;
  /** Kinds of contracts that have no published template in force, in words. */
  bare: readonly string[];
  kinds: number;
  sms: "outbox" | "aliyun";
  /** The day of the last sample that was signed. */
  tried: Day | null;
};
type Check = { key: CheckKey; state: CheckState; said: string };

const SOON_DAYS = 30;
const SELF_SIGNED = "自签证书：文件防篡改有效，非第三方认证机构颁发，需要第三方证书请导入或选择外部服务商";
const some = (names: readonly string[]): string =>
  names.length > 3 ? `${names.slice(0, 3).join("、")}等 ${names.length} 个门店` : names.join("、");

/** What stands and what is missing, step by step. */
export function checklist(of: SignFacts): Check[] {
  const { lessors } = of;
  const soon = (day: Day) => day <= addDays(of.today, SOON_DAYS);
  const verified = lessors.filter((l) => l.verified);
  const authorised = lessors.filter((l) => l.authorised);
  const ends = authorised.flatMap((l) => l.authTo ?? []).toSorted()[0];
  const named = (those: readonly { name: string }[]) => those.map((l) => l.name).join("、");
  const rows: [CheckKey, CheckState, string][] = [
    ["lessor", lessors.length ? "done" : "missing", lessors.length ? named(lessors) : "还没有登记企业"],
    [
      "verified",
      verified.length ? "done" : "missing",
      verified.length ? `已认证：${named(verified)}` : "还没有企业通过认证",
    ],
    !authorised.length
      ? ["authorised", "missing", "还没有有效的签署授权"]
      : [
          "authorised",
          ends && soon(ends) ? "look" : "done",
          `${named(authorised)}${ends ? `，授权至 ${ends}` : ""}`,
        ],
    !of.seals
      ? ["seal", "missing", "还没有启用的合同专用章或公章"]
      : [
          "seal",
          of.unsealed.length ? "missing" : "done",
          of.unsealed.length ? `没有可用印章：${some(of.unsealed)}` : `${of.seals} 枚印章，覆盖全部门店`,
        ],
    certificateOf(of, soon),
    [
      "template",
      of.bare.length ? "look" : "done",
      of.bare.length ? `未发布模板，按内置文本签署：${of.bare.join("、")}` : `${of.kinds} 类合同均已发布`,
    ],
    [
      "signer",
      of.unstaffed.length || !of.villages.length ? "missing" : "done",
      !of.villages.length
        ? "还没有门店"
        : of.unstaffed.length
          ? `没有在职员工：${some(of.unstaffed)}`
          : `${of.villages.length} 个门店均有人任职`,
    ],
    [
      "sms",
      of.sms === "outbox" ? "missing" : "done",
      of.sms === "outbox" ? "使用内置发件箱，短信不会发出" : "已接入短信服务",
    ],
    ["trial", of.tried ? "done" : "look", of.tried ? `最近一次试签完成于 ${of.tried}` : "还没有完成过试签"],
    storesOf(of),
  ];
  return rows.map(([key, state, said]) => ({ key, state, said }));
}

function storesOf({ villages, unsealed, unstaffed }: SignFacts): [CheckKey, CheckState, string] {
  const off = villages.filter((name) => unsealed.includes(name) || unstaffed.includes(name));
  if (!villages.length) return ["stores", "missing", "还没有门店"];
  if (off.length === villages.length) return ["stores", "missing", "还没有门店可以发起电子签署"];
  return off.length
    ? ["stores", "look", `${villages.length - off.length} 个门店已启用，未启用：${some(off)}`]
    : ["stores", "done", `${villages.length} 个门店均已启用`];
}

function certificateOf(
  { imported, own }: SignFacts,
  soon: (day: Day) => boolean,
): [CheckKey, CheckState, string] {
  const first = imported.toSorted()[0];
  const said = [
    ...(first === undefined ? [] : [`已导入第三方证书，有效期至 ${first}`]),
    ...(own === "unmade"
      ? ["首次盖章时生成系统自签证书，非第三方认证机构颁发"]
      : own
        ? [`${SELF_SIGNED}。主体 ${own.subject}，有效期至 ${own.until}`]
        : []),
  ];
  // the deployment's own is followed by a new one before it ends
  const looks = own === "unmade" || (first !== undefined && soon(first));
  return ["certificate", looks ? "look" : "done", said.join("；")];
}
