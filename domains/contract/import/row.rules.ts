import { birthdayOf } from "../../../platform/kernel/certificate.ts";
import { addDays, addMonths, type Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { renterInput } from "../../customer/renter/renter-input.contract.ts";
import { CERT_TYPES } from "../../customer/renter/words.rules.ts";
import { dayOfText, moneyOf, wordOf, type Read } from "../../system/import/value.rules.ts";
import type { Basis, DueRule } from "../schedule/terms.rules.ts";
import { BASIS_CHOICES, COLUMNS, PERIOD_CHOICES, type ColumnKey } from "./columns.rules.ts";
import { dueRuleOf, moneyOrNone, payPlanOf, type PayPlan } from "./value.rules.ts";

/** The texts of one row, by column; what is empty is missing. */
export type Typed = Partial<Record<ColumnKey, string>>;
export type Wrong = { key: ColumnKey; msg: string };

export type Tenant = { name: string; phone: string; certType?: string; certNo?: string };

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
  due: DueRule | undefined;
  paidTo: Day;
  deposit: Fen;
  arrears: Fen;
  arrearsDue: Day;
  prepaid: Fen;
  oldNo: string;
  remark: string;
};

type Dates = Pick<ContractRow, "start" | "end" | "signedOn" | "paidTo" | "arrearsDue">;

/** Reads one row. What belongs to the row alone is judged here; villages, rooms, tenants and neighbours come later. */
export function readRow(
  typed: Typed,
  when: { today: Day; takenOn: Day },
): { row?: ContractRow; wrong: Wrong[] } {
  const wrong: Wrong[] = [];
  const add = (key: ColumnKey, msg: string) => wrong.push({ key, msg });
  const take = <T>(key: ColumnKey, read: (text: string) => Read<T>): T | undefined => {
    const text = typed[key];
    if (text === undefined) return undefined;
    const { value, msg } = read(text);
    if (msg !== undefined) add(key, msg);
    return value;
  };
  const among =
    <V>(words: Readonly<Record<string, V>>, what: string) =>
    (text: string): Read<V> => {
      const found = wordOf(text, Object.keys(words), what);
      return found.value === undefined ? { msg: found.msg! } : { value: words[found.value]! };
    };
  for (const { key, title, required } of COLUMNS)
    if (required && typed[key] === undefined) add(key, `请填写${title.replace("(元)", "")}`);

  const dates = readDates(typed, when, take, add);
  const rent = take("rent", moneyOf);
  const pay = take("pay", payPlanOf);
  const property = take("property", moneyOrNone) ?? 0;
  const basis = take("basis", among(BASIS_CHOICES, "计费方式"));
  const calendarPeriods = take("periods", among(PERIOD_CHOICES, "计费期"));
  const due = take("due", dueRuleOf);
  const deposit = take("deposit", moneyOrNone);
  const arrears = take("arrears", moneyOrNone) ?? 0;
  const prepaid = take("prepaid", moneyOrNone) ?? 0;
  if (typed.arrearsDue !== undefined && !arrears) add("arrearsDue", "没有欠费时不填");
  const tenant = readTenant(typed, when.today, add);
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
      due,
      deposit,
      arrears,
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
  const arrearsDue = take("arrearsDue", dayOfText);
  if (signedOn && signedOn > today) add("signedOn", "签约日不能晚于今天");
  if (!start || !end) return undefined;
  if (end < start) add("end", "早于起租日");
  else if (end >= addMonths(start, 240)) add("end", "租赁期限不得超过二十年");
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
    arrearsDue: arrearsDue ?? takenOn,
  };
}

/** The tenant by the rules of the tenants' own form, each sentence under the column it is about. */
function readTenant(
  typed: Typed,
  today: Day,
  add: (key: ColumnKey, msg: string) => void,
): Tenant | undefined {
  const { name, phone, certNo } = typed;
  if (name === undefined || phone === undefined) return undefined;
  const words = Object.entries(CERT_TYPES);
  const certType = typed.certType
    ? words.find(([, [title]]) => title === typed.certType)?.[0]
    : certNo
      ? "idCard"
      : undefined;
  if (typed.certType && !certType) {
    add("certType", `证件类型应为：${words.map(([, [title]]) => title).join("、")}`);
    return undefined;
  }
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
