import { CERT_TYPES } from "../../customer/renter/words.rules.ts";
import type { ImportColumn } from "../../system/import/import.rules.ts";

export type ColumnKey =
  | "village"
  | "room"
  | "name"
  | "phone"
  | "certType"
  | "certNo"
  | "creditCode"
  | "contactName"
  | "contactPhone"
  | "ownerName"
  | "brand"
  | "category"
  | "openOn"
  | "start"
  | "end"
  | "signedOn"
  | "rent"
  | "pay"
  | "billing"
  | "property"
  | "basis"
  | "periods"
  | "due"
  | "paidTo"
  | "deposit"
  | "arrears"
  | "arrearsDue"
  | "arrearsSubject"
  | "arrearsFrom"
  | "arrearsTo"
  | "arrearsPaid"
  | "prepaid"
  | "oldNo"
  | "remark";

export const BASIS_CHOICES = { 按实际天数: "actual", 每月30天: "30", 每年365天: "365" } as const;
export const PERIOD_CHOICES = { 按起租日: false, 按自然月: true } as const;
export const BILLING_CHOICES = { 统一账单: false, 按房间账单: true } as const;
const PAY_CHOICES = ["押一付一", "押一付三", "押二付一", "押一半年付", "押一年付", "押一一次性付清"];
const DUE_CHOICES = ["提前7天", "提前0天", "每月1日", "每月5日", "上月25日"];

/** What other systems and people's own sheets call them. */
const ALIASES: Partial<Record<ColumnKey, readonly string[]>> = {
  village: ["项目", "项目名称", "门店名称", "公寓", "小区"],
  room: ["房号", "房间号", "房间名称", "房源", "房源名称", "门牌号", "房屋"],
  name: ["姓名", "租客姓名", "承租人", "承租人姓名", "客户", "客户姓名", "租户", "租户姓名"],
  phone: ["手机号", "手机号码", "电话", "联系电话", "联系方式", "租客电话", "租客手机"],
  certNo: ["证件号码", "身份证号", "身份证号码"],
  start: ["起租日期", "开始日期", "合同开始日期", "合同开始日", "租期开始", "租赁开始日期", "合同起始日"],
  end: ["到期日期", "结束日期", "合同结束日期", "合同到期日", "租期结束", "租赁结束日期", "合同截止日"],
  signedOn: ["签约日期", "签订日期", "签订日", "签约时间"],
  rent: ["租金", "月租", "每月租金", "租金标准", "合同租金"],
  pay: ["付款周期", "支付方式", "押付方式", "租金支付方式"],
  property: ["物业费", "物业管理费", "月物业管理费"],
  due: ["收租日", "应收日", "交租日"],
  paidTo: ["已交至", "已收至", "租金付至", "租金已付至", "已缴至", "交租至"],
  deposit: ["押金", "押金金额", "实收押金", "已收押金", "保证金"],
  arrears: ["欠款", "欠租", "欠费金额", "未收金额"],
  prepaid: ["预付款", "预收款", "账户余额", "余额"],
  oldNo: ["合同编号", "原合同号", "合同编码"],
  remark: ["说明", "备注信息"],
};

/** The columns of the sheet, in its order. */
const SHEET: readonly ImportColumn<ColumnKey>[] = [
  {
    key: "village",
    title: "门店",
    must: true,
    note: "门店名称、简称或编码",
    width: 14,
    from: "门店",
    open: true,
  },
  {
    key: "room",
    title: "房间",
    must: true,
    note: "房间全名，或楼栋·单元·门牌-房间名，如 3栋·1单元·1203-A；门牌在门店内不重复时可只填门牌",
    width: 22,
    kind: "text",
  },
  { key: "name", title: "租客", must: true, note: "姓名，2到30个字", width: 10 },
  { key: "phone", title: "手机", must: true, note: "11位手机号", width: 14, kind: "text" },
  {
    key: "certType",
    title: "证件类型",
    note: "不填为身份证",
    width: 12,
    choices: Object.values(CERT_TYPES).map(([title]) => title),
  },
  { key: "certNo", title: "证件号", note: "已登记的租客按证件号，或手机加姓名找到", width: 22, kind: "text" },
  { key: "start", title: "起租日", must: true, note: "如 2026-05-15", width: 12, kind: "day" },
  { key: "end", title: "到期日", must: true, note: "租期最后一天，含当日", width: 12, kind: "day" },
  { key: "signedOn", title: "签约日", note: "不填为起租日", width: 12, kind: "day" },
  { key: "rent", title: "月租金(元)", must: true, note: "当前每月租金", width: 12, kind: "money" },
  {
    key: "pay",
    title: "付款方式",
    must: true,
    note: "押X付Y，如 押一付三、押2付1、押0付1、押一半年付、押一年付、押一一次性付清",
    width: 12,
    choices: PAY_CHOICES,
    open: true,
  },
  { key: "property", title: "月物业费(元)", note: "随租金一起收取时填写", width: 12, kind: "money" },
  {
    key: "basis",
    title: "计费方式",
    note: "不足整月的算法，不填按门店默认",
    width: 12,
    choices: Object.keys(BASIS_CHOICES),
  },
  {
    key: "periods",
    title: "计费期",
    note: "按起租日或按自然月，不填按门店默认",
    width: 10,
    choices: Object.keys(PERIOD_CHOICES),
  },
  {
    key: "due",
    title: "应收日规则",
    note: "提前N天、每月N日、上月N日、下月N日；不填按门店默认",
    width: 12,
    choices: DUE_CHOICES,
    open: true,
  },
  {
    key: "paidTo",
    title: "已付至",
    note: "租金已结清到哪一天（含当日），之后的计费期照常出账；尚未起租的合同可不填",
    width: 12,
    kind: "day",
  },
  {
    key: "deposit",
    title: "在管押金(元)",
    must: true,
    note: "接管日实际保管的押金，没有填 0",
    width: 13,
    kind: "money",
  },
  {
    key: "arrears",
    title: "欠费(元)",
    note: "已付至当日及以前尚未收到的费用；一份合同有几笔时，其余各笔另起一行",
    width: 12,
    kind: "money",
  },
  { key: "arrearsDue", title: "欠费应收日", note: "不填为接管日", width: 12, kind: "day" },
  { key: "arrearsSubject", title: "欠费科目", note: "如 租金、物业费、电费；不填为租金", width: 12 },
  { key: "arrearsFrom", title: "欠费期起", note: "该笔账单的计费期，可不填", width: 12, kind: "day" },
  { key: "arrearsTo", title: "欠费期止", note: "与欠费期起同时填写", width: 12, kind: "day" },
  {
    key: "arrearsPaid",
    title: "欠费已收(元)",
    note: "该笔账单接管前已收的部分，不含在欠费内，仅供备查",
    width: 13,
    kind: "money",
  },
  { key: "prepaid", title: "预存款(元)", note: "租客账户中尚未使用的款项", width: 12, kind: "money" },
  { key: "oldNo", title: "合同号", note: "原合同号，作为备查，最多40个字", width: 18, kind: "text" },
  { key: "remark", title: "备注", note: "最多500个字", width: 20 },
];
export const COLUMNS = SHEET.map((column) => {
  const aliases = ALIASES[column.key];
  return aliases ? { ...column, aliases } : column;
});

/** Rows that show how it is meant; they stand on the sheet of explanations only. */
export const SAMPLES: Partial<Record<ColumnKey, string | number>>[] = [
  {
    room: "3栋·1单元·1203",
    name: "张雅婷",
    phone: "13812345678",
    certType: "身份证",
    certNo: "按证件填写",
    start: "2026-05-15",
    end: "2027-05-14",
    rent: 3000,
    pay: "押一付一",
    paidTo: "2026-11-30",
    deposit: 3000,
    arrears: 500,
    prepaid: 250,
    oldNo: "LS-2026-0087",
  },
  {
    arrears: 126.5,
    arrearsDue: "2026-11-05",
    arrearsSubject: "电费",
    arrearsFrom: "2026-10-01",
    arrearsTo: "2026-10-31",
    arrearsPaid: 100,
    oldNo: "LS-2026-0087",
  },
  {
    room: "3栋·1单元·1204-A",
    name: "林晓彤",
    phone: "13712345678",
    start: "2026-09-01",
    end: "2027-08-31",
    rent: 2600,
    pay: "押二付三",
    periods: "按自然月",
    due: "上月25日",
    paidTo: "2026-11-30",
    deposit: 5200,
  },
];

export const RULES = [
  "在“在租合同”工作表中从第 2 行起填写，一份合同占一行，同一合同的第二笔及以后的欠费各另起一行；本页内容不会导入。",
  "带 * 的列必填；其余的列不需要时可以删去。金额为元，最多两位小数；日期如 2026-11-20。",
  "已付至当日及以前的计费期不再出账；被已付至截断的计费期只收剩余的天数；之后的计费期照常出账。",
  "已付至以前尚未收到的款项填在欠费里，导入后每笔成为一张期初欠费账单。",
  "一份合同有几笔未结账单时，第一笔填在合同所在的行，其余各笔另起一行：只填门店、合同号和欠费各列，不重复租期、租金、押金、预存款。",
  "在管押金、欠费、预存款在接管日记为期初余额；上传检查后请与原表核对合计。",
  "已登记的租客按证件号，或手机加姓名找到；未登记的自动新建。",
  "不支持公式和合并单元格，请粘贴为数值；一个文件最多 5000 行、10M。",
  "任何一行有错误时整个文件都不会导入；请下载错误文件改正后重新上传。",
];
