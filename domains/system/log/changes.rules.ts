export type Change = { field: string; before: string; after: string };

/** What fields of records are called; those of one record kind alone stand under its own words. */
const FIELDS: Record<string, string> = {
  name: "名称",
  state: "状态",
  status: "状态",
  amount: "金额",
  remark: "备注",
  reason: "原因",
  phone: "手机",
  address: "地址",
  villageIds: "门店",
  allVillages: "全部门店",
  superType: "类型",
  assignments: "部门和角色",
  managerId: "负责人",
  code: "编码",
  startDay: "开始日",
  endDay: "结束日",
  dueDay: "应收日",
  monthlyRent: "月租金",
  deposit: "押金",
  price: "价格",
  openingDay: "开业日",
  roomIds: "房间",
  tags: "标签",
};
/** Amounts in fen, by the end of their name. */
const FEN = /(amount|rent|deposit|price|fee|paid|balance|total)$/i;

function shown(key: string, value: unknown): string {
  if (value === undefined || value === null || value === "") return "—";
  if (typeof value === "boolean") return value ? "是" : "否";
  if (typeof value === "number" && FEN.test(key) && Number.isInteger(value))
    return `${(value / 100).toFixed(2)} 元`;
  if (Array.isArray(value) && value.every((v) => typeof v !== "object")) return value.join("、");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  value && typeof value === "object" && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : value === undefined || value === null
      ? {}
      : { 内容: value };

/** The fields that differ between two states of a record, in words. A new record has no before, a removed one no after. */
export function changesOf(before: unknown, after: unknown): Change[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((key) => {
    const [a, b] = [shown(key, old[key]), shown(key, now[key])];
    return a === b ? [] : [{ field: FIELDS[key] ?? key, before: a, after: b }];
  });
}
