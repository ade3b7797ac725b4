import { addDays, type Day } from "../../platform/kernel/day.ts";
import type { Cipher } from "../../platform/server/secrets/cipher.ts";
import type { Database } from "../../platform/server/database/database.ts";
import { publish } from "../../domains/contract/template-list/publish.service.ts";
import { makeTemplate, saveText } from "../../domains/contract/template-list/template.service.ts";
import { defaultText } from "../../domains/contract/template/default-text.rules.ts";
import { DOC_KINDS, type DocKind } from "../../domains/contract/template/doc-kind.rules.ts";
import { contractKindOf } from "../../domains/contract/template/template.rules.ts";
import { acting } from "../acting.ts";

type Store = Pick<Database, "pool" | "db"> & { cipher: Cipher };

/** The kinds that the company has templates of; the others are written in the built-in words. */
const CODES = {
  renterContract: "ZK-01",
  companyContract: "QY-01",
  merchantContract: "SH-01",
  supplement: "BC-01",
  settlementSheet: "JS-01",
  dunningLetter: "CJ-01",
} as const satisfies Partial<Record<DocKind, string>>;
const HEAD = "{企业名称}";
const FOOT = "{门店}　{门店地址}";

/** The built-in text with one more clause before the places to sign. */
const withClause = (kind: DocKind, no: string, clause: string) =>
  defaultText(kind).replace(
    '<p><span data-field="企业印章">',
    `<p data-anchor="${no}">${clause}</p><p><span data-field="企业印章">`,
  );

/**
 * The company's templates: of each kind of contract and of the commonest papers one in force in all stores, that of tenants in its second version, a change of the
 * companies' one still unpublished, and one that nobody uses any more.
 */
export async function makeTemplates(store: Store, admin: number, today: Day): Promise<void> {
  const at = (ago: number) => new Date(`${addDays(today, -ago)}T10:00:00+08:00`);
  const made = new Map<DocKind, number>();
  for (const kind of Object.keys(CODES) as (keyof typeof CODES)[])
    await acting(store, admin, at(90), async (act) => {
      const villageIds = act.who.villages;
      if (!villageIds.length) return;
      const name = `${DOC_KINDS[kind][0]}标准文本`;
      const text = { html: defaultText(kind), head: HEAD, foot: "" };
      const facts = { code: CODES[kind], name, docKind: kind, contractKind: contractKindOf(kind, null) };
      const id = await makeTemplate(act, { ...facts, villageIds }, text);
      await publish(act, { id, docKind: kind }, act.today);
      made.set(kind, id);
    });
  const [renter, company] = [made.get("renterContract"), made.get("companyContract")];
  if (!renter || !company) return;
  const pets = "未经甲方书面同意，乙方不得在房屋内饲养宠物。";
  await acting(store, admin, at(20), async (act) => {
    const html = withClause("renterContract", "7.4", pets);
    await saveText(act, renter, { html, head: HEAD, foot: FOOT });
    await publish(act, { id: renter, docKind: "renterContract" }, act.today);
  });
  await acting(store, admin, at(1), async (act) => {
    const html = withClause("companyContract", "7.4", "乙方应当在入住人员变更后三日内向甲方登记。");
    await saveText(act, company, { html, head: HEAD, foot: FOOT });
  });
  await acting(store, admin, at(60), async (act) => {
    const villageIds = act.who.villages.slice(0, 1);
    const text = { html: defaultText("renterContract"), head: "", foot: "" };
    const facts = {
      code: "ZK-OLD",
      name: "租客合同旧文本",
      docKind: "renterContract",
      contractKind: "renter",
    } as const;
    const id = await makeTemplate(act, { ...facts, villageIds }, text);
    await publish(act, { id, docKind: "renterContract" }, act.today);
    await act.tx.updateTable("documentTemplate").set({ enabled: false }).where("id", "=", id).execute();
  });
  // contracts of the last weeks were handed in with what was in force then
  await store.pool.query(
    `update contract c set template_version_id = (
       select v.id from template_version v join document_template t on t.id = v.template_id
       where t.enabled and t.doc_kind = c.kind || 'Contract' and v.effective_from <= c.signed_on
       order by v.effective_from desc, v.no desc limit 1)
     where c.signed_on >= $1 and c.state not in ('draft', 'voided')`,
    [addDays(today, -90)],
  );
}
