import type { z, ZodType } from "zod";
import type { FieldError } from "../../kernel/refusal.ts";

type Issue = z.core.$ZodRawIssue & { schema?: ZodType; path?: readonly PropertyKey[] };

/** What is counted of a value that is too long or too short; a number is compared itself. */
const UNITS: Record<string, string> = { string: " 个字", array: " 项", set: " 项", file: " 字节" };

/** A rule without a sentence of its own, told by the field's label, else by the parameter's name. */
function plainly(issue: Issue): string {
  const label = (issue.schema?.meta() as { title?: string } | undefined)?.title;
  const name = label || `参数 ${issue.path?.join(".") ?? ""} `;
  if (issue.input === undefined || issue.input === null)
    return label ? `请填写${label}` : `缺少必填${name}`.trim();
  switch (issue.code) {
    case "too_big":
    case "too_small": {
      const [most, limit] =
        issue.code === "too_big" ? ([true, issue.maximum] as const) : ([false, issue.minimum] as const);
      const unit = UNITS[issue.origin];
      if (unit) return `${name}${most ? "最多" : "至少"} ${limit}${unit}`;
      return issue.inclusive === false
        ? `${name}必须${most ? "小" : "大"}于 ${limit}`
        : `${name}不能${most ? "大" : "小"}于 ${limit}`;
    }
    case "invalid_value":
      return `${name}不在可选范围内`;
    case "unrecognized_keys":
      return `不支持的参数 ${issue.keys.join("、")}`;
    case "not_multiple_of":
      return `${name}须为 ${issue.divisor} 的整数倍`;
    case "invalid_type":
      return issue.expected === "int" ? `${name}须为整数` : `${name}格式不正确`;
    default:
      return `${name}格式不正确`;
  }
}

/** For parsing what people send: rules without a sentence of their own are told in plain Chinese, as everything else is. */
export const inChinese = { error: (issue: z.core.$ZodRawIssue) => plainly(issue as Issue) };

/** Every field that is wrong, with its sentence. */
export const wrongFields = (error: z.ZodError): FieldError[] =>
  error.issues.map((issue) => ({ field: issue.path.join("."), msg: issue.message }));
