import { sql } from "kysely";
import { changesOf } from "../../../platform/kernel/fields/changes.ts";
import { allows } from "../../../platform/kernel/call.ts";
import { forbidden, invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import {
  amongWords,
  among,
  howMany,
  isOn,
  keyword,
  part,
} from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import { constraintSays, heldSays } from "../../../platform/server/database/constraints.ts";
import { revise, stamp } from "../../../platform/server/database/versioned.ts";
import { type Act, entryOn, type Read } from "../../../platform/server/pipeline/act.ts";
import { USED } from "../../system/dic/dic.rules.ts";
import type { z } from "zod";
import { type editFee, feeBody, type FeeRow, listFees } from "./fee.contract.ts";
import { BUILT_IN, rateRefusal } from "./subject.rules.ts";

constraintSays("fee_subject_enterprise_id_name_key", { field: "name", msg: "名称已存在" });
constraintSays("fee_subject_enterprise_id_code_key", { field: "code", msg: "编码已存在" });
// a bill that comes meanwhile, items of invoices, mappings of accounts: whatever names it
heldSays("fee_subject", { code: "used", msg: USED });

const CODES = BUILT_IN.map((seed) => seed.code);
const percent = sql`trim_scale(s.tax_rate * 100)::text`;
/** How many charges name it. */
const USES = howMany(sql`from bill_line l where l.fee_subject_id = s.id`);

/** The fee subjects of the operator's own enterprise, in the order that money pays them. */
export const fees = listOf(listFees, {
  id: "s.id",
  from: sql`fee_subject s`,
  scope: (read) => sql`s.enterprise_id = ${read.who.enterpriseId}`,
  where: {
    kind: amongWords("s.kind"),
    state: isOn("s.enabled"),
    ids: among("s.id"),
    keyword: keyword(part("s.name", "s.code")),
  },
  sort: { priority: { by: "s.priority", way: "asc" }, name: "s.name", updatedAt: "s.updated_at" },
  order: "priority",
  tie: sql`s.id`,
  columns: sql<FeeRow>`s.id, s.name, s.code, s.kind, s.tax_mode "taxMode", ${percent} "taxRate", s.recognise, s.utility,
    s.gl_code "glCode", s.priority, ${USES} uses, s.code = any(${CODES}::text[]) "builtIn",
    case when s.enabled then 'on' else 'off' end state, s.updated_at "updatedAt", s.version`,
  join: sql`join fee_subject s on s.id = page.id`,
});

async function feeOf(read: Read, id: number, lock = false) {
  const row = await read.tx
    .selectFrom("feeSubject")
    .selectAll()
    .where("id", "=", id)
    .where("enterpriseId", "=", read.who.enterpriseId)
    .$if(lock, (q) => q.forUpdate())
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

const isUsed = async (read: Read, id: number) =>
  (await read.tx
    .selectFrom("billLine")
    .select("id")
    .where("feeSubjectId", "=", id)
    .limit(1)
    .executeTakeFirst()) !== undefined;

const rateOf = (percentText: string) => (Number(percentText) / 100).toFixed(4);
const note = (act: Act, row: { id: number; name: string }, action: string, summary: string) =>
  act.note(entryOn("feeSubject", row, row.name, action, summary));

export async function makeFee(act: Act, body: z.output<typeof feeBody>): Promise<number> {
  const { code, taxRate, ...rest } = body;
  const by = act.who.operatorId || null;
  const { rows } = await sql<{
    id: number;
  }>`select nextval(pg_get_serial_sequence('fee_subject', 'id')) id`.execute(act.tx);
  const id = Number(rows[0]!.id);
  await act.tx
    .insertInto("feeSubject")
    .values({
      id,
      enterpriseId: act.who.enterpriseId,
      ...rest,
      code: code || `F${id}`,
      taxRate: rateOf(taxRate),
      createdBy: by,
      updatedBy: by,
    })
    .execute();
  await note(act, { id, name: body.name }, "新增", `新增费用字典项“${body.name}”`);
  return id;
}

/** What is left out stays. Kind is fixed once a charge names it; a built-in one keeps kind, recognition and meter as well. */
export async function changeFee(act: Act, id: number, body: z.output<typeof editFee.body>): Promise<void> {
  const { version, enabled, taxRate, ...rest } = body;
  const before = await feeOf(act, id, true);
  const { permits } = act.who;
  const switched = enabled !== undefined && enabled !== before.enabled;
  const edited = taxRate !== undefined || Object.values(rest).some((value) => value !== undefined);
  if (edited && !allows(permits, "109.edit")) throw forbidden();
  if (switched && !allows(permits, ["109.edit", enabled ? "109.enable" : "109.disable"])) throw forbidden();
  const builtIn = CODES.includes(before.code);
  const moved = (key: "kind" | "recognise" | "utility") =>
    rest[key] !== undefined && rest[key] !== before[key];
  if (builtIn && (moved("kind") || moved("recognise") || moved("utility")))
    throw invalid({ field: "kind", msg: "系统内置费用不能修改类型" });
  if (moved("kind") && (await isUsed(act, id)))
    throw invalid({ field: "kind", msg: "费用已被使用，不能修改类型" });
  if (builtIn && switched && before.code === "lateFee")
    throw new Refusal("notAllowed", "滞纳金由系统使用，不能停用");
  const after = await revise(
    act,
    "feeSubject",
    { id, version },
    {
      ...rest,
      ...(taxRate !== undefined && { taxRate: rateOf(taxRate) }),
      ...(enabled !== undefined && { enabled }),
      ...stamp(act),
    },
  );
  // of a mode and a rate either may be sent alone
  const why = rateRefusal({ taxMode: after.taxMode as "rate", taxRate: String(Number(after.taxRate) * 100) });
  if (why) throw invalid({ field: "taxRate", msg: why });
  const inPercent = (row: typeof after) => ({
    ...row,
    taxRate: String(Math.round(Number(row.taxRate) * 10_000) / 100),
  });
  const changes = changesOf(feeBody.shape, inPercent(before as typeof after), inPercent(after));
  const turned = switched && (enabled ? "启用" : "停用");
  if (turned || changes)
    await note(act, after, turned || "修改", [turned, changes?.summary].filter(Boolean).join("；"));
}

export async function removeFee(act: Act, id: number): Promise<void> {
  const fee = await feeOf(act, id, true);
  if (CODES.includes(fee.code)) throw new Refusal("notAllowed", "系统内置项不能删除，可改名或停用");
  for (const held of holders) if (await held(act, id)) throw new Refusal("used", USED);
  await act.tx.deleteFrom("feeSubject").where("id", "=", id).execute();
  await note(act, fee, "删除", `删除费用字典项“${fee.name}”`);
}

type Holder = (read: Read, subjectId: number) => Promise<boolean>;
const inProducts: Holder = async (read, subjectId) => {
  const { rows } = await sql<{ held: boolean }>`
    select exists (select from product
      where jsonb_path_exists(fees, ${`$[*].subjectId ? (@ == ${subjectId})`}::text::jsonpath)) held`.execute(
    read.tx,
  );
  return rows[0]!.held;
};
const holders: Holder[] = [isUsed, inProducts];
/** Says what else names fee subjects, so that none of those is deleted; called once, by whoever keeps it. */
export const holdsSubjects = (held: Holder): void => void holders.push(held);
