import { greys } from "../../../platform/kernel/words.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Words } from "../../../platform/kernel/field.ts";

/** How a field of an act is typed: fen, percent of at most two decimals, a count, or yes and no (1 and 0). */
export const FIELD_KINDS = ["money", "percent", "number", "flag"] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];
export type ActField = { key: string; title: string; kind: FieldKind; unit?: string | undefined };

export const OPS = greys({ gte: "≥", gt: ">", eq: "=", lte: "≤", lt: "<", in: "属于" });
export type Op = keyof typeof OPS;

export type Condition = { field: string; op: Op; value: number | number[] };
/** What an act is judged by; a field it does not have fits no condition. */
export type Values = Readonly<Record<string, number>>;

const TESTS: Record<Op, (have: number, want: number | number[]) => boolean> = {
  gte: (have, want) => have >= Number(want),
  gt: (have, want) => have > Number(want),
  eq: (have, want) => have === Number(want),
  lte: (have, want) => have <= Number(want),
  lt: (have, want) => have < Number(want),
  in: (have, want) => [want].flat().includes(have),
};

export const fits = (conditions: readonly Condition[], values: Values): boolean =>
  conditions.every(({ field, op, value }) => {
    const have = values[field];
    return have !== undefined && TESTS[op](have, value);
  });

/** The first process, in order, all of whose conditions hold; the default stands last and has none. */
export const chosenProcess = <P extends { conditions: readonly Condition[] }>(
  processes: readonly P[],
  values: Values,
): P => processes.find((p) => fits(p.conditions, values))!;

const one = (value: number, field: ActField | undefined): string => {
  if (field?.kind === "money") return `${yuan(value)} 元`;
  if (field?.kind === "percent") return `${value}%`;
  if (field?.kind === "flag") return value ? "是" : "否";
  return `${value}${field?.unit ? ` ${field.unit}` : ""}`;
};

/** "金额 ≥ 1,000.00 元 且 减免比例 ≥ 10%", or 默认. */
export const conditionText = (conditions: readonly Condition[], fields: readonly ActField[]): string =>
  conditions
    .map(({ field, op, value }) => {
      const known = fields.find((f) => f.key === field);
      const said = [value]
        .flat()
        .map((v) => one(v, known))
        .join("、");
      return `${known?.title ?? field} ${OPS[op][0]} ${said}`;
    })
    .join(" 且 ") || "默认";

/** Written the same however its conditions are ordered. */
const key = (conditions: readonly Condition[]) =>
  conditions
    .map(
      ({ field, op, value }) =>
        `${field} ${op} ${[value]
          .flat()
          .toSorted((a, b) => a - b)
          .join(",")}`,
    )
    .toSorted()
    .join(";");

type Process = { name: string; conditions: readonly Condition[]; nodes: readonly unknown[] };

/** What is wrong with the processes of a module, each under its field. */
export function processErrors(
  processes: readonly Process[],
  fields: readonly ActField[],
): { field: string; msg: string }[] {
  const errors: { field: string; msg: string }[] = [];
  const say = (at: number, part: string, msg: string) =>
    errors.push({ field: `processes.${at}.${part}`, msg });
  const seen = new Map<string, string>();
  for (const [i, one] of processes.entries()) {
    const last = i === processes.length - 1;
    if (last && one.conditions.length) say(i, "conditions", "最后一个流程是默认流程，不能有条件");
    if (!last && !one.conditions.length) say(i, "conditions", "请设置条件");
    if (!last && !one.nodes.length) say(i, "nodes", "请至少添加一个节点");
    for (const c of one.conditions)
      if (!fields.some((f) => f.key === c.field)) say(i, "conditions", "请选择条件字段");
    const same = seen.get(key(one.conditions));
    if (same !== undefined && one.conditions.length) say(i, "conditions", `条件与流程 ${same} 相同`);
    seen.set(key(one.conditions), one.name);
  }
  return errors;
}

/** How the people of a node are found. */
export const BY = greys({ operators: "按人员", role: "按角色", manager: "门店店长" });
export type By = keyof typeof BY;

export const ENABLED = { on: ["启用", "green"], off: ["停用", "grey"] } as const satisfies Words;
