import { sql } from "kysely";
import type { z } from "zod";
import { changesOf } from "../../../platform/kernel/fields/changes.ts";
import { Refusal, forbidden, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { aRow, theRow } from "../../../platform/server/database/row.ts";
import {
  NEXT_VERSION,
  removeAt,
  revise,
  stamp,
  asSeen,
  UNSAVED,
} from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { confirmPassword } from "../../access/session/password.service.ts";
import { seesHead } from "../account/account.service.ts";
import type { Subject } from "../subject/subject.rules.ts";
import {
  type Conf,
  confChanged,
  confDetail,
  confsOf,
  itemsOf,
  KEY_NAMES,
  rentsUnmapped,
} from "./conf.queries.ts";
import { addConf, type ConfInput, type copyTargets, type ItemInput, setItem } from "./einvoice.contract.ts";
import { DRIVER, inForce, isNeverInvoiced, SAMPLES_OFF, samplesOn, taxedBy } from "./einvoice.rules.ts";

constraintSays("einvoice_config_once", { field: "enterpriseId", msg: "该企业已有配置" });
constraintSays("einvoice_village_once", { field: "villageIds", msg: "门店已属于其他开票配置" });

const noteConf = (
  act: Act,
  conf: { id: number; enterpriseName: string },
  action: string,
  more: { summary: string; before?: unknown; after?: unknown },
): Promise<void> =>
  act.note({ kind: "einvoice", recordId: conf.id, number: conf.enterpriseName, action, ...more });

const columnsOf = ({ enterpriseId: _, villageIds: __, ...input }: ConfInput) => ({
  ...input,
  endpoint: input.driver === "provider" ? input.endpoint.replace(/\/+$/, "") : "",
  behaviour: input.driver === "simulator" ? input.behaviour : "normal",
  creditWarn: input.creditWarn ?? null,
});

function refuseSamples(act: Act, driver: string): void {
  if (driver === "simulator" && !samplesOn(act.settings))
    throw invalid({ field: "driver", msg: SAMPLES_OFF });
}

/** The stores of the enterprise that make their invoices by it; each by one configuration. */
async function setVillages(
  act: Act,
  conf: { id: number; enterpriseId: number },
  villageIds: readonly number[],
) {
  const { rows } = await sql<{ n: number }>`select count(*)::int n from village
    where id = ${anyOf(villageIds)} and enterprise_id = ${conf.enterpriseId}`.execute(act.tx);
  if (rows[0]!.n < villageIds.length) throw notFound();
  const gone = await sql<{ name: string }>`
    select v.name from einvoice_village x join village v on v.id = x.village_id
    where x.config_id = ${conf.id} and not x.village_id = ${anyOf(villageIds)}
      and exists (select from invoice i where i.village_id = x.village_id and i.state = 'issuing')`.execute(
    act.tx,
  );
  if (gone.rows[0])
    throw invalid({ field: "villageIds", msg: `${gone.rows[0].name}有发票正在开具，不能移除` });
  await act.tx.deleteFrom("einvoiceVillage").where("configId", "=", conf.id).execute();
  await act.tx
    .insertInto("einvoiceVillage")
    .values(villageIds.map((villageId) => ({ villageId, configId: conf.id })))
    .execute();
}

export async function createConf(act: Act, input: ConfInput): Promise<number> {
  refuseSamples(act, input.driver);
  const enterpriseId = (act.who.superType === "0" && input.enterpriseId) || act.who.enterpriseId;
  if (input.enterpriseId && input.enterpriseId !== enterpriseId) throw notFound();
  if (!(await seesHead(act, enterpriseId))) throw forbidden();
  const enterprise = await aRow(act, "enterprise", ["name"], { id: enterpriseId });
  if (!enterprise) throw notFound();
  const { id } = await act.tx
    .insertInto("einvoiceConfig")
    .values({ ...columnsOf(input), enterpriseId, createdBy: act.who.operatorId, ...stamp(act) })
    .returning("id")
    .executeTakeFirstOrThrow();
  await setVillages(act, { id, enterpriseId }, input.villageIds);
  await noteConf(act, { id, enterpriseName: enterprise.name }, "新增", {
    summary: `新增电子发票配置（${DRIVER[input.driver][0]}）`,
  });
  return id;
}

export async function changeConf(
  act: Act,
  id: number,
  input: ConfInput,
  { version, password }: { version: number; password?: string | undefined },
): Promise<void> {
  refuseSamples(act, input.driver);
  const before = await confChanged(act, id);
  if (input.enterpriseId && input.enterpriseId !== before.enterpriseId) throw notFound();
  const columns = columnsOf(input);
  // orders of one provider are unknown to another
  const elsewhere =
    columns.driver !== before.driver ||
    columns.endpoint !== before.endpoint ||
    columns.taxNo !== before.taxNo;
  if (elsewhere) await refuseIssuing(act, before, "更换");
  const moved = columns.endpoint !== before.endpoint;
  // keys are sent there
  if (moved && columns.driver === "provider") {
    if (!act.who.permits.has("#10101")) throw forbidden();
    if (!password) throw invalid({ field: "password", msg: "请输入登录密码" });
    await confirmPassword(act, password);
  }
  const shown = await confDetail(act, id);
  await revise(act, "einvoiceConfig", { id, version }, { ...columns, ...stamp(act) });
  await setVillages(act, before, input.villageIds);
  if (moved) await dropKeys(act, id);
  const another = columns.driver !== before.driver;
  // another driver is enabled anew, once its subjects and keys are looked at
  if (before.enabled && (another || moved))
    await act.tx.updateTable("einvoiceConfig").set({ enabled: false }).where("id", "=", id).execute();
  // what is not made yet is made, or registered, as the configuration says now
  if (another)
    await sql`update invoice set driver = ${columns.driver}, version = version + 1
      where config_id = ${id} and state in ('applied', 'failed')`.execute(act.tx);
  const after = await confDetail(act, id);
  const told = ({ villageNames, ...conf }: typeof after) => ({ ...conf, villageIds: villageNames });
  const changes = changesOf(addConf.body.shape, told(shown), told(after));
  if (changes) await noteConf(act, before, "修改", changes);
}

/** All that a provider is asked with; the sample platform's own key stays. */
async function dropKeys(act: Act, id: number): Promise<void> {
  await act.tx
    .deleteFrom("einvoiceKey")
    .where("configId", "=", id)
    .where("name", "!=", "sampleKey")
    .execute();
}

async function refuseIssuing(act: Act, conf: Conf, verb: string): Promise<void> {
  const { n } = await act.tx
    .selectFrom("invoice")
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .where("configId", "=", conf.id)
    .where("state", "=", "issuing")
    .executeTakeFirstOrThrow();
  if (Number(n)) throw new Refusal("notAllowed", `有 ${n} 张发票正在开具，不能${verb}`);
}

export async function switchConf(act: Act, id: number, version: number, enabled: boolean): Promise<void> {
  const conf = await confChanged(act, id);
  const verb = enabled ? "启用" : "停用";
  if (conf.enabled === enabled) throw new Refusal("notAllowed", `配置已${verb}`);
  if (!enabled) {
    const { issuing } = await confDetail(act, id);
    if (issuing) throw new Refusal("notAllowed", `有 ${issuing} 张发票正在开具`);
  } else {
    refuseSamples(act, conf.driver);
    const missing = await rentsUnmapped(act, conf);
    if (missing.length) throw new Refusal("notAllowed", `请先维护科目映射：${missing.join("、")}`);
    if (conf.driver === "provider" && !(await confDetail(act, id)).keysSet)
      throw new Refusal("notAllowed", "请先设置服务商密钥");
  }
  await revise(act, "einvoiceConfig", { id, version }, { enabled, ...stamp(act) });
  await noteConf(act, conf, verb, { summary: `${verb}电子发票配置` });
}

/** Seals new keys over the old ones. What is logged is that it was done, and of which. */
export async function replaceConfKeys(
  act: Act,
  id: number,
  given: { version: number; appKey: string; appSecret: string; password: string },
): Promise<void> {
  if (!act.who.permits.has("#10101")) throw forbidden();
  const conf = await confChanged(act, id);
  if (conf.driver !== "provider") throw new Refusal("notAllowed", "只有服务商开票需要密钥");
  asSeen(conf, given.version);
  await confirmPassword(act, given.password);
  const names = Object.keys(KEY_NAMES) as (keyof typeof KEY_NAMES)[];
  await dropKeys(act, id);
  await act.tx
    .insertInto("einvoiceKey")
    .values(
      names.map((name) => ({
        configId: id,
        name,
        sealed: act.cipher.seal(given[name]),
        setAt: act.now.toISOString(),
        setBy: act.who.operatorId,
      })),
    )
    .execute();
  await act.tx
    .updateTable("einvoiceConfig")
    .set({ version: NEXT_VERSION, ...stamp(act) })
    .where("id", "=", id)
    .execute();
  await noteConf(act, conf, "设置密钥", {
    summary: `设置${names.map((name) => KEY_NAMES[name]).join("、")}：***`,
  });
}

/** The result of a connection test, and whether the seller matches. */
export async function tested(
  act: Act,
  conf: Conf,
  told: { name: string; taxNo: string; creditLeft: number | null; certExpiresOn: string | null },
): Promise<void> {
  await act.tx
    .updateTable("einvoiceConfig")
    .set({ creditLeft: told.creditLeft, certExpiresOn: told.certExpiresOn, testedAt: act.now.toISOString() })
    .where("id", "=", conf.id)
    .execute();
  await noteConf(act, conf, "测试连接", { summary: `服务商返回 ${told.name} ${told.taxNo}` });
  if (told.taxNo !== conf.taxNo)
    throw new Refusal("notAllowed", "税号与服务商返回不一致", 409, { keeps: true });
}

export async function changeItem(act: Act, id: number, input: ItemInput): Promise<void> {
  const conf = await confChanged(act, id);
  const subject = await aRow(act, "feeSubject", ["name", "kind"], {
    id: input.feeSubjectId,
    enterpriseId: conf.enterpriseId,
  });
  if (!subject) throw notFound();
  if (isNeverInvoiced(subject.kind as Subject["kind"]))
    throw invalid({ field: "feeSubjectId", msg: "押金、定金、代收科目不开票" });
  const before = await aRow(
    act,
    "einvoiceItem",
    ["taxMode", "taxRate", "itemCode", "itemName", "policy", "element", "version"],
    {
      configId: id,
      feeSubjectId: input.feeSubjectId,
      fromDay: input.fromDay,
    },
  );
  const { feeSubjectId, fromDay, version, ...item } = input;
  asSeen(before ?? UNSAVED, version);
  const row =
    item.taxMode === "none"
      ? { taxMode: item.taxMode, taxRate: 0, itemCode: "", itemName: "", policy: "", element: "none" }
      : {
          ...item,
          taxRate: item.taxMode === "rate" ? item.taxRate : item.taxMode === "reduced15" ? 0.015 : 0,
        };
  await act.tx
    .insertInto("einvoiceItem")
    .values({ ...row, configId: id, feeSubjectId, fromDay, ...stamp(act) })
    .onConflict((oc) =>
      oc
        .columns(["configId", "feeSubjectId", "fromDay"])
        .doUpdateSet({ ...row, ...stamp(act), version: sql<number>`einvoice_item.version + 1` }),
    )
    .execute();
  const shape = setItem.body.shape;
  const changes = before && changesOf(shape, { ...before, taxRate: Number(before.taxRate) }, row);
  if (before && !changes) return;
  await noteConf(act, conf, "科目映射", {
    summary: `${subject.name} 自 ${fromDay} 起`,
    ...(changes ?? { after: row }),
  });
}

/** What holds from a later day on is taken back; what holds already stays, for invoices say it. */
export async function takeBackItem(
  act: Act,
  id: number,
  { feeSubjectId, fromDay, version }: { feeSubjectId: number; fromDay: string; version: number },
): Promise<void> {
  const conf = await confChanged(act, id);
  if (fromDay <= act.today)
    throw new Refusal("notAllowed", "映射已生效，不能撤销；请设置从以后某一天起的新映射", 409);
  const gone = await removeAt(act, "einvoiceItem", { configId: id, feeSubjectId, fromDay, version });
  const { name } = await theRow(act, "feeSubject", ["name"], { id: feeSubjectId });
  const { taxMode, taxRate, itemCode, itemName, policy, element } = gone;
  await noteConf(act, conf, "撤销科目映射", {
    summary: `${name} 自 ${fromDay} 起`,
    before: { taxMode, taxRate, itemCode, itemName, policy, element },
  });
}

/** Enterprises without a configuration, for who works for all of them. */
export async function targetsOf(read: Read): Promise<z.input<typeof copyTargets.reply>> {
  if (read.who.superType !== "0") return [];
  const { rows } = await sql<z.input<typeof copyTargets.reply>[number]>`
    select e.id, e.name, coalesce(e.credit_code, '') "creditCode", coalesce(json_agg(json_build_object('id', v.id,
      'name', v.name) order by v.id) filter (where v.id is not null), '[]') villages
    from enterprise e left join village v on v.enterprise_id = e.id and v.state <> 'closed'
    where e.enabled and not exists (select from einvoice_config c where c.enterprise_id = e.id)
    group by e.id order by e.name`.execute(read.tx);
  return rows;
}

/** Carries settings and items over to an enterprise that has none. Keys and the driver's state stay behind. */
export async function copyTo(
  act: Act,
  id: number,
  to: { enterpriseId: number; sellerName: string; taxNo: string; villageIds: number[] },
): Promise<number> {
  const from = { ...(await confDetail(act, id)), ...to };
  const keys = Object.keys(addConf.body.shape) as (keyof ConfInput)[];
  const made = await createConf(
    act,
    Object.fromEntries(keys.map((key) => [key, from[key]])) as unknown as ConfInput,
  );
  await sql`insert into einvoice_item (config_id, fee_subject_id, from_day, tax_mode, tax_rate, item_code, item_name, policy,
      element, updated_by)
    select ${made}, t.id, i.from_day, i.tax_mode, i.tax_rate, i.item_code, i.item_name, i.policy, i.element,
      ${act.who.operatorId}
    from einvoice_item i join fee_subject s on s.id = i.fee_subject_id
    join fee_subject t on t.enterprise_id = ${to.enterpriseId} and t.code = s.code and t.kind = s.kind
    where i.config_id = ${id}`.execute(act.tx);
  return made;
}

/**
 * The tax that a subject's line is made with on a day, by the configuration of its store; that of the fee dictionary where
 * there is none.
 */
export async function taxesFor(
  act: Pick<Act, "tx">,
  villageIds: readonly number[],
): Promise<(villageId: number, subject: Subject, day: string) => Subject> {
  const confs = await confsOf(act, villageIds);
  const items = await itemsOf(
    act,
    [...confs.values()].map((conf) => conf.id),
  );
  return (villageId, subject, day) => {
    const conf = confs.get(villageId);
    if (!conf?.enabled) return subject;
    const item = inForce(items.get(conf.id) ?? [], subject.id, day);
    return { ...subject, ...(item && taxedBy(item)) };
  };
}
