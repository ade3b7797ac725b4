import { z } from "zod";
import type { FieldError } from "../kernel/refusal.ts";

/** For parsing what people send: rules without a sentence of their own are told in Chinese, as everything else is. */
export const inChinese = { error: z.locales.zhCN().localeError };

/** Every field that is wrong, with its sentence. */
export const wrongFields = (error: z.ZodError): FieldError[] =>
  error.issues.map((issue) => ({ field: issue.path.join("."), msg: issue.message }));
