import { birthdayOf } from "../../../platform/kernel/texts/certificate.ts";
import { type Day, addDays, addMonths } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { renterInput } from "../../customer/renter/renter.contract.ts";
import { CERT_TYPES } from "../../customer/renter/words.rules.ts";
import {
  type Read,
  type Texts,
  type Wrong,
  among,
  cellsOf,
  dayOfText,
  moneyOf,
} from "../../system/import/value.rules.ts";
import type { ImportColumn } from "../../system/import/import.rules.ts";
import { tooLong } from "../schedule/fee-errors.rules.ts";
import type { Basis, CycleMonths, DueRule } from "../schedule/terms.rules.ts";
import { BASIS_CHOICES, BILLING_CHOICES, COLUMNS, type ColumnKey, PERIOD_CHOICES } from "./columns.rules.ts";
import { moneyOrNone, type Owed, readOwed } from "./owed.rules.ts";

const ok = <T>(value: T): Read<T> => ({ value });
const no = (msg: string): Read<never> => ({ msg });

const COUNTS = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"];
const NUMBER = "(?:[零一二三四五六七八九十两]{1,2}|\\d{1,2}(?:\\.5)?)";

/** 一, 两, 十二, 3, 1.5; −1 for what is no number of months. */
const countOf = (text: string): number =>
  /^\d/.test(text) ? Number(text) : COUNTS.indexOf(text.replaceAll("两", "二"));

export type PayPlan = { cycleMonths: CycleMonths; depositMonths: string };
const CYCLE: Record<string, CycleMonths> = { 1: 1, 2: 2, 3: 3, 6: 6, 12: 12 };
const PERIODS: Record<string, CycleMonths> = {
  月付: 1,
  两月付: 2,
  双月付: 2,
  季付: 3,
  半年付: 6,
  年付: 12,
  一次性付清: 0,
};

/** 押一付三, 押2付1, 押一半年付, 押半付一, 免押付一, 季付 (one month of deposit). */
export function payPlanOf(typed: string): Read<PayPlan> {
  const wrong = no("付款方式应为押X付Y，如 押一付三；付款周期为 1、2、3、6、12 个月或一次性付清");
  const text = typed.replace(/[\s个月+、]/g, (c) => (c === "月" ? "月" : "")).replace(/^免押/, "押零");
  const m = new RegExp(
    `^(?:押(半|${NUMBER}?半??)月?)?(?:付(${NUMBER})月?|(${Object.keys(PERIODS).join("|")}))$`,
  ).exec(text);
  if (!m) return wrong;
  const [, held, months, word] = m;
  if (held === "") return wrong;
  const half = held?.endsWith("半") ? 0.5 : 0;
  const whole = held === undefined ? 1 : held === "半" ? 0 : countOf(held.replace(/半$/, ""));
  const cycleMonths = word === undefined ? CYCLE[countOf(months!)] : PERIODS[word];
  const depositMonths = whole + half;
  return cycleMonths === undefined || depositMonths < 0 || depositMonths > 12
    ? wrong
    : ok({ cycleMonths, depositMonths: String(depositMonths) });
}

/** 提前7天, 每月5日, 上月25日, 下月5号, 签约时一次. */
export function dueRuleOf(typed: string): Read<DueRule> {
  const wrong = no("应收日规则应为 提前N天、每月N日、上月N日 或 下月N日");
  const text = typed.replace(/\s/g, "");
  const ahead = /^(?:计费期前|提前)(\d{1,2})[天日]$/.exec(text);
  if (ahead) return Number(ahead[1]) <= 60 ? ok({ rule: "advance", dueDays: Number(ahead[1]) }) : wrong;
  if (text === "计费期首日" || text === "当日") return ok({ rule: "advance", dueDays: 0 });
  const fixed = /^(每月|当月|上月|下月)(\d{1,2})[日号]$/.exec(text);
  if (fixed) {
    const day = Number(fixed[2]);
    const dueMonthOffset = fixed[1] === "上月" ? -1 : fixed[1] === "下月" ? 1 : 0;
    return day >= 1 && day <= 31 ? ok({ rule: "fixedDay", dueDay: day, dueMonthOffset }) : wrong;
  }
  return wrong;
}

/** A room's name without what separates its parts, so that 3栋-1单元-1203 and 3栋·1单元·1203 are the same. */
export const placeKey = (text: string): string => text.replace(/[\s·・.\-—_/、,，]/g, "").toUpperCase();

export type Typed = Texts<ColumnKey>;
export type Tenant = {
  name: string;
  phone: string;
  certType?: string;
  certNo?: string;
  /** Of firms. */
  creditCode?: string;
};

/** Columns and tenant of a row, which differ by the kind of contract. */
export type Reading = {
  /** As the sentences call them. */
  asked: readonly ImportColumn<ColumnKey>[];
  tenant: (typed: Typed, today: Day, add: (key: ColumnKey, msg: string) => void) => Tenant | undefined;
};
export const askedOf = (columns: readonly ImportColumn<ColumnKey>[]) =>
  columns.map((column) => ({ ...column, title: column.title.replace("(元)", "") }));
export const OF_RENTERS: Reading = { asked: askedOf(COLUMNS), tenant: readTenant };

/** One running contract as a row describes it. */
export type ContractRow = {
  village: string;
  room: string;
  tenant: Tenant;
  start: Day;
  end: Day;
  signedOn: Day;
  rent: Fen;
  pay: PayPlan;
  property: Fen;
  /** Undefined where the village's own terms hold. */
  basis: Basis | undefined;
  calendarPeriods: boolean | undefined;
  /** Of companies: a bill for each room. */
  billPerRoom?: boolean | undefined;
  /** Of shops: the day they open. */
  openOn?: Day | undefined;
  due: DueRule | undefined;
  paidTo: Day;
  deposit: Fen;
  owed: Owed | undefined;
  prepaid: Fen;
  oldNo: string;
  remark: string;
};

type Dates = Pick<ContractRow, "start" | "end" | "signedOn" | "paidTo">;

/** Reads one row. What belongs to the row alone is judged here; villages, rooms, tenants and neighbours come later. */
export function readRow(
  typed: Typed,
  when: { today: Day; takenOn: Day },
  of: Reading = OF_RENTERS,
): { row?: ContractRow; wrong: Wrong<ColumnKey>[] } {
  const { wrong, add, take } = cellsOf(typed, of.asked);
  const dates = readDates(typed, when, take, add);
  const rent = take("rent", moneyOf);
  const pay = take("pay", payPlanOf);
  const property = take("property", moneyOrNone) ?? 0;
  const basis = take("basis", among(BASIS_CHOICES, "计费方式"));
  const calendarPeriods = take("periods", among(PERIOD_CHOICES, "计费期"));
  const billPerRoom = take("billing", among(BILLING_CHOICES, "结算方式"));
  const openOn = take("openOn", dayOfText);
  if (openOn && dates && openOn > dates.end) add("openOn", "晚于到期日");
  const due = take("due", dueRuleOf);
  const deposit = take("deposit", moneyOrNone);
  const owed = readOwed(typed, when.takenOn, { add, take });
  const prepaid = take("prepaid", moneyOrNone) ?? 0;
  const tenant = of.tenant(typed, when.today, add);
  if ((typed.oldNo?.length ?? 0) > 40) add("oldNo", "合同号最多40个字");
  if ((typed.remark?.length ?? 0) > 500) add("remark", "备注最多500个字");
  if (wrong.length || !dates || !tenant || rent === undefined || !pay || deposit === undefined)
    return { wrong };
  return {
    wrong,
    row: {
      village: typed.village!,
      room: typed.room!,
      tenant,
      ...dates,
      rent,
      pay,
      property,
      basis,
      calendarPeriods,
      billPerRoom,
      openOn,
      due,
      deposit,
      owed,
      prepaid,
      oldNo: typed.oldNo ?? "",
      remark: typed.remark ?? "",
    },
  };
}

function readDates(
  typed: Typed,
  { today, takenOn }: { today: Day; takenOn: Day },
  take: (key: ColumnKey, read: (text: string) => Read<Day>) => Day | undefined,
  add: (key: ColumnKey, msg: string) => void,
): Dates | undefined {
  const start = take("start", dayOfText);
  const end = take("end", dayOfText);
  const signedOn = take("signedOn", dayOfText);
  const paidTo = take("paidTo", dayOfText);
  if (signedOn && signedOn > today) add("signedOn", "签约日不能晚于今天");
  if (!start || !end) return undefined;
  const long = tooLong(start, end);
  if (end < start) add("end", "早于起租日");
  else if (long) add("end", long);
  else if (end < takenOn) add("end", `早于接管日 ${takenOn}，已到期的合同请先续签`);
  if (typed.paidTo === undefined && start <= takenOn) add("paidTo", "请填写已付至");
  if (paidTo && paidTo < addDays(start, -1)) add("paidTo", "早于起租日");
  if (paidTo && end >= start && paidTo > end) add("paidTo", "晚于到期日");
  return {
    start,
    end,
    // who starts later has signed by now all the same
    signedOn: signedOn ?? (start < takenOn ? start : takenOn),
    paidTo: paidTo ?? addDays(start, -1),
  };
}

/** The kind of a certificate; that of a number alone is an identity card, null is none of them. */
export function certTypeOf(
  { certType, certNo }: Typed,
  add: (key: ColumnKey, msg: string) => void,
): string | undefined | null {
  if (!certType) return certNo ? "idCard" : undefined;
  const words = Object.entries(CERT_TYPES);
  const found = words.find(([, [title]]) => title === certType)?.[0];
  if (!found) add("certType", `证件类型应为：${words.map(([, [title]]) => title).join("、")}`);
  return found ?? null;
}

/** The tenant by the rules of the tenants' own form, each sentence under the column it is about. */
function readTenant(
  typed: Typed,
  today: Day,
  add: (key: ColumnKey, msg: string) => void,
): Tenant | undefined {
  const { name, phone, certNo } = typed;
  if (name === undefined || phone === undefined) return undefined;
  const certType = certTypeOf(typed, add);
  if (certType === null) return undefined;
  const judged = renterInput.safeParse({
    name,
    phone,
    source: "other",
    homeVillageId: 1,
    ...(certType && { certType, certNo }),
  });
  if (!judged.success) {
    const said = new Set<string>();
    for (const issue of judged.error.issues) {
      const field = String(issue.path[0]);
      const key = (["name", "phone", "certType", "certNo"] as const).find((k) => k === field) ?? "name";
      if (!said.has(key)) add(key, issue.message);
      said.add(key);
    }
    return undefined;
  }
  const birthday = certType === "idCard" && certNo ? birthdayOf(certNo) : undefined;
  if (birthday && addMonths(birthday, 216) > today) {
    add("certNo", "未满18周岁，请先在租客管理登记租客及监护人，再以手机加姓名导入");
    return undefined;
  }
  return { name, phone, ...(certType && certNo && { certType, certNo: certNo.toUpperCase() }) };
}
