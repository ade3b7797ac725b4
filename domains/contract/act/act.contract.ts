import { z, type ZodType } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import type { Permit } from "../../../platform/kernel/call.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { ACT_STATES } from "./act.rules.ts";

/** Hash of the preview that the person has seen and agrees to. */
export const previewHash = z.string().regex(/^[0-9a-f]{64}$/, "请先核对账单试算");
const seen = z.object({ version: f.version });
/** What every step answers: where the act stands now. */
const stepped = z.object({ id: f.id, state: f.status("状态", ACT_STATES), version: f.version });

/** How the party agreed to what was worked out. */
export const AGREED = {
  paper: ["纸质签字", "grey"],
  silence: ["逾期未答复", "grey"],
} as const satisfies f.Words;
/** The same, and what nobody registers: the party itself, on its one-time page. */
export const AGREED_BY = { ...AGREED, page: ["线上确认", "grey"] } as const satisfies f.Words;
export type AgreedBy = keyof typeof AGREED_BY;

type Needs = Permit | readonly Permit[];
/** Who may look at an act, ask for it and work on it: actions of its page, or permits of its own. */
type Working = { code: number } | { get: readonly Permit[]; work: readonly Permit[] };

/**
 * The calls of one kind of act on a contract, below its page's path: asking, editing, looking at what it comes to, and its
 * steps. `code` is the page's function, `accept`, `confirm` and `undo` the authority codes of those steps.
 */
export function actCalls<B extends z.ZodRawShape, W extends ZodType>(
  path: `/${string}`,
  {
    target,
    title,
    accept,
    confirm,
    undo,
    body,
    preview,
    ...who
  }: {
    target: string;
    title: string;
    accept: Needs;
    confirm: Needs;
    undo: Needs;
    body: z.ZodObject<B>;
    preview: W;
  } & Working,
) {
  const calls = callsAt(path, target);
  const [get, add, edit] = (
    "code" in who
      ? [[`${who.code}.get`, `${who.code}.edit`], [`${who.code}.add`], [`${who.code}.edit`]]
      : [who.get, who.work, who.work]
  ) as [readonly Permit[], readonly Permit[], readonly Permit[]];
  return {
    ask: calls.post("", `新增${title}申请`, add, {
      body: body.extend({ contractId: f.pick("合同") }),
      reply: stepped.extend({ actNo: z.string() }),
    }),
    edit: calls.put("/:id", `修改${title}`, edit, { body: body.extend(seen.shape), reply: stepped }),
    /** As stored, or as it is being typed. */
    preview: calls.post("/:id/preview", `试算${title}`, get, {
      effect: "read",
      body: z.object({ draft: body.nullish() }),
      reply: preview,
    }),
    /** Before it is asked for. */
    trial: calls.post("/trial", `试算新${title}`, add, {
      effect: "read",
      body: body.extend({ contractId: f.pick("合同") }),
      reply: preview,
    }),
    accept: calls.put("/:id/accept", `受理${title}`, accept, { body: seen, reply: stepped }),
    reject: calls.put("/:id/reject", `驳回${title}`, accept, {
      body: seen.extend({ reason: f.reason("驳回原因") }),
      reply: stepped,
    }),
    submit: calls.post("/:id/submit", `提交${title}`, edit, {
      body: seen.extend({ previewHash }),
      reply: stepped.extend({ examineNo: z.string().nullable() }),
    }),
    agree: calls.put("/:id/agree", `登记${title}的租客确认`, edit, {
      body: seen.extend({
        how: f.choice("确认方式", AGREED),
        note: f.reason("说明"),
        fileIds: f.ids().max(9, "最多上传9个文件").default([]).meta({ title: "附件", kind: "file" }),
      }),
      reply: stepped,
    }),
    confirm: calls.post("/:id/confirm", `确认${title}`, confirm, {
      money: true,
      body: seen.extend({ previewHash }),
      reply: stepped,
    }),
    cancel: calls.put("/:id/cancel", `取消${title}`, edit, {
      body: seen.extend({ reason: f.reason("取消原因") }),
      reply: stepped,
    }),
    undo: calls.post("/:id/undo", `撤销${title}`, undo, {
      money: true,
      body: seen.extend({ reason: f.reason("撤销原因") }),
      reply: stepped,
    }),
  };
}
export type ActCalls = ReturnType<typeof actCalls>;
