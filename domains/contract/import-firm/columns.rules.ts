import type { FirmKind } from "../../customer/firm/words.rules.ts";
import type { ImportColumn } from "../../system/import/import.rules.ts";
import { BILLING_CHOICES, COLUMNS, type ColumnKey } from "../import/columns.rules.ts";

type Column = ImportColumn<ColumnKey>;

/** A column of the sheet of tenants' contracts, with what is different here. */
const as = (key: ColumnKey, more: Partial<Column> = {}): Column => ({
  ...COLUMNS.find((column) => column.key === key)!,
  ...more,
});
const same = (...keys: ColumnKey[]): Column[] => keys.map((key) => as(key));

const CONTACT_NAMES = ["联系人", "联系人姓名", "主联系人", "签约人"];
const CONTACT_PHONES = ["手机号", "手机号码", "电话", "联系电话", "联系方式", "联系人电话", "联系人手机"];
const CODE_NAMES = ["信用代码", "社会信用代码", "营业执照号", "税号", "纳税人识别号"];

/** Who signs for a firm; a firm on record keeps the contacts it has. */
const contactOf = (party: string): Column[] => [
  {
    key: "contactName",
    title: "签约联系人",
    must: `未登记的${party}`,
    note: `已登记的${party}以登记的联系人为准，可不填`,
    width: 12,
    aliases: CONTACT_NAMES,
  },
  {
    key: "contactPhone",
    title: "手机",
    must: `未登记的${party}`,
    note: "联系人的手机号或座机",
    width: 14,
    kind: "text",
    aliases: CONTACT_PHONES,
  },
];

/** Term, rent and what was paid; several rooms are several rows. */
const termOf = (room: string, billing: readonly Column[]): Column[] => [
  ...same("start", "end", "signedOn"),
  as("rent", { note: `当前每月租金；一份合同有几间${room}时，填该行${room}的月租金` }),
  as("pay"),
  ...billing,
  as("property", { note: "整份合同每月的物业费，随租金一起收取时填写" }),
  ...same("basis", "periods", "due", "paidTo"),
  as("deposit", { note: "接管日实际保管的押金，整份合同的合计，没有填 0" }),
  ...same("arrears", "arrearsDue", "arrearsSubject", "arrearsFrom", "arrearsTo", "arrearsPaid"),
  as("prepaid", { note: "客户账户中尚未使用的款项" }),
  as("oldNo", { must: `有几间${room}或几笔欠费的合同` }),
  as("remark"),
];

const COMPANY: readonly Column[] = [
  ...same("village", "room"),
  {
    key: "name",
    title: "企业客户",
    must: true,
    note: "企业名称，与登记的一致",
    width: 20,
    aliases: [
      "企业",
      "企业名称",
      "公司",
      "公司名称",
      "承租企业",
      "承租人",
      "承租方",
      "客户",
      "客户名称",
      "租户",
    ],
  },
  {
    key: "creditCode",
    title: "统一社会信用代码",
    must: "未登记的企业",
    note: "18位；已登记的企业按代码找到，不填按名称找到",
    width: 22,
    kind: "text",
    aliases: CODE_NAMES,
  },
  ...contactOf("企业"),
  {
    key: "ownerName",
    title: "客户经理",
    note: "未登记的企业由谁负责，填员工姓名，不填为导入人；已登记的企业不改",
    width: 12,
  },
  ...termOf("房间", [
    {
      key: "billing",
      title: "结算方式",
      note: "统一账单或按房间账单，不填为统一账单",
      width: 12,
      choices: Object.keys(BILLING_CHOICES),
    },
  ]),
];

const MERCHANT: readonly Column[] = [
  as("village"),
  as("room", { title: "铺位", aliases: ["铺位号", "商铺", "商铺号", "铺号", "房间", "房号"] }),
  {
    key: "name",
    title: "商户",
    must: true,
    note: "商户名称，与登记的一致",
    width: 18,
    aliases: ["商户名称", "承租人", "承租方", "承租商户", "客户", "客户名称", "租户", "租户名称"],
  },
  {
    key: "brand",
    title: "招牌名",
    note: "未登记的商户的品牌，最多30个字",
    width: 14,
    aliases: ["招牌", "品牌", "店名"],
  },
  {
    key: "category",
    title: "业态",
    must: "未登记的商户",
    note: "客户字典中的业态",
    width: 10,
    from: "业态",
    open: true,
    aliases: ["经营业态", "经营项目"],
  },
  {
    key: "creditCode",
    title: "统一社会信用代码",
    must: "未登记的公司商户",
    note: "18位；已登记的商户按代码或证件号找到，不填按名称找到",
    width: 22,
    kind: "text",
    aliases: CODE_NAMES,
  },
  as("certType", { note: "个人经营的商户填写，不填为身份证" }),
  as("certNo", { must: "未登记的个人商户", note: "公司商户不填" }),
  ...contactOf("商户"),
  {
    key: "openOn",
    title: "开业日",
    note: "可不填，不晚于到期日",
    width: 12,
    kind: "day",
    aliases: ["开业日期", "开业时间"],
  },
  ...termOf("铺位", []),
];

export const FIRM_SHEETS: Record<FirmKind, readonly Column[]> = { company: COMPANY, merchant: MERCHANT };

type Sample = Partial<Record<ColumnKey, string | number>>;
const TERM = { start: "2026-05-01", end: "2028-04-30", pay: "押二付三", paidTo: "2027-01-31" };
const ELECTRIC = {
  arrears: 386.4,
  arrearsDue: "2026-11-05",
  arrearsSubject: "电费",
  arrearsFrom: "2026-10-01",
  arrearsTo: "2026-10-31",
};
/** Rows that show how it is meant: a contract, a further room of it, a further bill of it, and a contract of a firm on record. */
export const FIRM_SAMPLES: Record<FirmKind, readonly Sample[]> = {
  company: [
    {
      room: "3栋·1单元·1203",
      name: "云栖软件有限公司",
      creditCode: "按营业执照填写",
      contactName: "孙晓梅",
      contactPhone: "13812345678",
      ...TERM,
      rent: 3000,
      deposit: 11200,
      oldNo: "QY-2026-0011",
    },
    { room: "3栋·1单元·1204", rent: 2600, oldNo: "QY-2026-0011" },
    { ...ELECTRIC, room: "3栋·1单元·1204", oldNo: "QY-2026-0011" },
    { room: "3栋·1单元·1501", name: "青禾科技有限公司", ...TERM, rent: 2800, deposit: 5600 },
  ],
  merchant: [
    {
      room: "1栋·101",
      name: "晨光早餐店",
      brand: "晨光早餐",
      category: "餐饮",
      creditCode: "按营业执照填写",
      contactName: "孙晓梅",
      contactPhone: "13812345678",
      openOn: "2026-05-15",
      ...TERM,
      rent: 8000,
      deposit: 28000,
      oldNo: "SH-2026-0003",
    },
    { room: "1栋·102", rent: 6000, oldNo: "SH-2026-0003" },
    { ...ELECTRIC, room: "1栋·101", oldNo: "SH-2026-0003" },
    { room: "1栋·105", name: "山海书店", ...TERM, rent: 5000, deposit: 10000 },
  ],
};

const rulesOf = (sheet: string, room: string, party: string, own: readonly string[]): string[] => [
  `在“${sheet}”工作表中从第 2 行起填写，一份合同的第一行填写全部内容；本页内容不会导入。`,
  `一份合同有几间${room}时，其余各间另起一行：只填门店、合同号、${room}和月租金；押金、欠费、预存款和租期不重复。`,
  "一份合同有几笔未结账单时，第一笔填在合同所在的行，其余各笔另起一行：只填门店、合同号和欠费各列" +
    `（属于某一间时加填${room}）。`,
  "带 * 的列必填；其余的列不需要时可以删去。金额为元，最多两位小数；日期如 2026-11-20。",
  "已付至当日及以前的计费期不再出账；被已付至截断的计费期只收剩余的天数；之后的计费期照常出账。",
  "已付至以前尚未收到的款项填在欠费里，导入后每笔成为一张期初欠费账单。",
  "在管押金、欠费、预存款在接管日记为期初余额；上传检查后请与原表核对合计。",
  ...own,
  `已登记的${party}按代码或名称找到，资料不改；未登记的自动新建，同一${party}有几份合同时只建一个。`,
  "不支持公式和合并单元格，请粘贴为数值；一个文件最多 5000 行、10M。",
  "任何一行有错误时整个文件都不会导入；请下载错误文件改正后重新上传。",
];

export const FIRM_RULES: Record<FirmKind, readonly string[]> = {
  company: rulesOf("在租企业合同", "房间", "企业", [
    "车位、储藏间作为其余的房间另起一行；入住人在导入以后用企业合同的“导入入住人”登记。",
  ]),
  merchant: rulesOf("在租商户合同", "铺位", "商户", [
    "只导入固定租金的合同；按营业额扣点、保底与扣点取高的合同请用“新签商户合同”录入。租金递增在导入后用变更条款约定。",
    "公司商户填写统一社会信用代码，个人经营的商户填写证件类型和证件号。",
  ]),
};
