import { sql } from "kysely";
import type { z } from "zod";
import { containing } from "../../../platform/kernel/texts/like.ts";
import { forbidden, notFound } from "../../../platform/kernel/refusal.ts";
import { amongWords, is } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Act, Read, Who } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { seesHead } from "../account/account.service.ts";
import type { SubjectKind, TaxMode } from "../subject/subject.rules.ts";
import { taxWord } from "../subject/subject.rules.ts";
import {
  type Basis,
  type Behaviour,
  type DriverKind,
  type InvoiceKind,
  type Item,
  type Notify,
  type Seller,
  inForce,
  isNeverInvoiced,
} from "./einvoice.rules.ts";
import { type ConfRow, type getConf, type listItems, listConfs } from "./einvoice.contract.ts";

const mine = (who: Who) => (who.superType === "0" ? sql`true` : sql`c.enterprise_id = ${who.enterpriseId}`);

export const confs = listOf(listConfs, {
  id: "c.id",
  from: sql`einvoice_config c join enterprise e on e.id = c.enterprise_id`,
  scope: ({ who }) => mine(who),
  where: {
    enterpriseId: is("c.enterprise_id"),
    driver: amongWords("c.driver"),
    state: (state) => sql`c.enabled = ${state === "enabled"}`,
    keyword: (text) => sql`(e.name ilike ${containing(text)} or c.seller_name ilike ${containing(text)}
      or c.tax_no like ${containing(text.toUpperCase())})`,
  },
  sort: { name: sql`e.name collate "zh-x-icu"` },
  order: "name",
  way: "asc",
  columns: sql<ConfRow>`c.id, e.name, c.tax_no "taxNo", c.driver, c.default_kind "defaultKind", c.invoice_basis "invoiceBasis",
    c.auto_invoice "autoInvoice", (select count(*)::int from einvoice_village where config_id = c.id) villages,
    c.per_invoice_limit "perInvoiceLimit", c.credit_left "creditLeft", c.cert_expires_on "certExpiresOn",
    case when c.enabled then 'enabled' else 'disabled' end state, c.version,
    c.driver <> 'provider' or (select count(*) from einvoice_key where config_id = c.id
      and name in ('appKey', 'appSecret')) = 2 "keysSet"`,
  join: sql`join einvoice_config c on c.id = page.id join enterprise e on e.id = c.enterprise_id`,
});

/** A configuration as acts work with it. */
export type Conf = Seller & {
  id: number;
  enterpriseId: number;
  enterpriseName: string;
  driver: DriverKind;
  endpoint: string;
  defaultKind: InvoiceKind;
  perInvoiceLimit: number;
  creditWarn: number | null;
  invoiceBasis: Basis;
  autoInvoice: "off" | "onPaid";
  notifyBy: Notify;
  behaviour: Behaviour;
  enabled: boolean;
  version: number;
};
const COLUMNS = sql`c.id, c.enterprise_id "enterpriseId", e.name "enterpriseName", c.driver, c.endpoint, c.seller_name name,
  c.tax_no "taxNo", c.address, c.phone, c.bank, c.account, c.default_kind "defaultKind", c.per_invoice_limit "perInvoiceLimit",
  c.credit_warn "creditWarn", c.invoice_basis "invoiceBasis", c.auto_invoice "autoInvoice", c.drawer, c.payee, c.reviewer,
  c.notify_by "notifyBy", c.behaviour, c.enabled, c.version`;

/** The configuration in scope; 404 for callers of another enterprise. */
export async function confSeen(read: Read, id: number, lock = false): Promise<Conf> {
  const { rows } =
    await sql<Conf>`select ${COLUMNS} from einvoice_config c join enterprise e on e.id = c.enterprise_id
    where c.id = ${id} and ${mine(read.who)} ${lock ? sql`for update of c` : sql``}`.execute(read.tx);
  if (!rows[0]) throw notFound();
  return rows[0];
}

/** The same for a change, which needs every store of the enterprise in scope. */
export async function confChanged(act: Act, id: number): Promise<Conf> {
  const conf = await confSeen(act, id, true);
  if (!(await seesHead(act, conf.enterpriseId))) throw forbidden();
  return conf;
}

/** For jobs and services, without a scope check. */
export async function aConf(read: Pick<Read, "tx">, id: number): Promise<Conf | undefined> {
  const { rows } =
    await sql<Conf>`select ${COLUMNS} from einvoice_config c join enterprise e on e.id = c.enterprise_id
      where c.id = ${id}`.execute(read.tx);
  return rows[0];
}
/** The same of one that a record names. */
export const confById = async (read: Pick<Read, "tx">, id: number): Promise<Conf> => (await aConf(read, id))!;
/** The same, which is not changed until the act is done. */
export async function confHeld(act: Act, id: number): Promise<Conf> {
  await sql`select from einvoice_config where id = ${id} for share`.execute(act.tx);
  return confById(act, id);
}

/** By which configurations stores make their invoices. Stores without one make none. */
export async function confsOf(
  read: Pick<Read, "tx">,
  villageIds: readonly number[],
): Promise<Map<number, Conf>> {
  const { rows } = await sql<Conf & { villageId: number }>`
    select v.village_id "villageId", ${COLUMNS} from einvoice_village v join einvoice_config c on c.id = v.config_id
    join enterprise e on e.id = c.enterprise_id where v.village_id = ${anyOf([...new Set(villageIds)])}`.execute(
    read.tx,
  );
  return new Map(rows.map(({ villageId, ...conf }) => [villageId, conf]));
}

export const KEY_NAMES = { appKey: "App Key", appSecret: "App Secret" } as const;

type Detail = z.input<typeof getConf.reply>;
export async function confDetail(read: Read, id: number): Promise<Detail> {
  const row = await confs.one(read, id);
  const { rows } = await sql<Omit<Detail, keyof ConfRow | "keys">>`
    select c.enterprise_id "enterpriseId", c.seller_name "sellerName", c.endpoint, c.address, c.phone, c.bank, c.account,
      c.credit_warn "creditWarn", c.drawer, c.payee, c.reviewer, c.notify_by "notifyBy", c.behaviour,
      c.tested_at "testedAt", coalesce(v.ids, '{}') "villageIds", coalesce(v.names, '') "villageNames",
      (select count(*)::int from invoice where config_id = c.id and state = 'issuing') issuing
    from einvoice_config c left join lateral (
      select array_agg(v.id order by v.id) ids, string_agg(v.name, '、' order by v.id) names
      from einvoice_village x join village v on v.id = x.village_id
      where x.config_id = c.id and v.id = ${anyOf(read.who.villages)}) v on true
    where c.id = ${id}`.execute(read.tx);
  const keys = await read.tx
    .selectFrom("einvoiceKey")
    .select(["name", "setAt"])
    .where("configId", "=", id)
    .where("name", "in", ["appKey", "appSecret"])
    .orderBy("name")
    .execute();
  return {
    ...row,
    ...rows[0]!,
    keys: keys.map((k) => ({ ...k, title: KEY_NAMES[k.name as keyof typeof KEY_NAMES] })),
  };
}

export type DatedItem = Item & { feeSubjectId: number; fromDay: string; version: number };

/** The items of configurations, all days. */
export async function itemsOf(
  read: Pick<Read, "tx">,
  configIds: readonly number[],
): Promise<Map<number, DatedItem[]>> {
  const { rows } = await sql<DatedItem & { configId: number }>`
    select config_id "configId", fee_subject_id "feeSubjectId", from_day "fromDay", tax_mode "taxMode",
      tax_rate "taxRate", item_code "itemCode", item_name "itemName", policy, element, version
    from einvoice_item where config_id = ${anyOf(configIds)} order by from_day`.execute(read.tx);
  return Map.groupBy(rows, (row) => row.configId);
}

type Shown = z.input<typeof listItems.reply>[number];
export async function itemsShown(read: Read, id: number): Promise<Shown[]> {
  const conf = await confSeen(read, id);
  const items = (await itemsOf(read, [id])).get(id) ?? [];
  const subjects = await read.tx
    .selectFrom("feeSubject")
    .select(["id", "code", "name", "kind", "taxMode", "taxRate"])
    .where("enterpriseId", "=", conf.enterpriseId)
    .where("kind", "!=", "cost")
    .where("enabled", "=", true)
    .orderBy("priority")
    .orderBy("id")
    .execute();
  const shown = ({ feeSubjectId: _, ...item }: DatedItem) => item;
  return subjects.map(({ id: feeSubjectId, code, name, ...s }) => {
    const taxed = { taxMode: s.taxMode as TaxMode, taxRate: s.taxRate };
    const own = items.filter((item) => item.feeSubjectId === feeSubjectId);
    const now = inForce(own, feeSubjectId, read.today);
    return {
      feeSubjectId,
      code,
      name,
      kind: s.kind as SubjectKind,
      usual: taxWord(taxed),
      usualMode: taxed.taxMode,
      usualRate: taxed.taxRate,
      locked: isNeverInvoiced(s.kind as SubjectKind),
      now: now ? shown(now) : null,
      later: own.filter((item) => item.fromDay > read.today).map(shown),
      earlier: own.filter((item) => item.fromDay <= read.today && item !== now).map(shown),
    };
  });
}

/** Rent subjects that stores charge and that are nothing on an invoice yet. */
export async function rentsUnmapped(read: Read, conf: Pick<Conf, "id" | "enterpriseId">): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select s.name from fee_subject s where s.enterprise_id = ${conf.enterpriseId} and s.kind = 'income' and s.enabled
      and (s.code = 'rent' or (s.name like '%租%' and exists (select from bill b where b.subject_ids @> array[s.id]
        and b.village_id in (select village_id from einvoice_village where config_id = ${conf.id}))))
      and not exists (select from einvoice_item i where i.config_id = ${conf.id} and i.fee_subject_id = s.id
        and i.from_day <= ${read.today})
    order by s.priority, s.id`.execute(read.tx);
  return rows.map((row) => row.name);
}
