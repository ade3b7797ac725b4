import type { ContractKind } from "../terms/kind.rules.ts";
import type { DocKind } from "../template/doc-kind.rules.ts";
import { counter } from "../../../platform/server/database/counter.sample.ts";
import type { TestHouse } from "../../../platform/server/process/house.sample.ts";
import { aShop, type Shop } from "../contract/contract.sample.ts";
import { contractPaper } from "../paper/paper.contract.ts";
import { textOfPdf } from "../paper/paper.sample.ts";
import * as calls from "../template/template.contract.ts";

const next = counter();
/** What somebody holds who keeps the templates. */
export const LEGAL = [
  "10.query",
  "10.get",
  "10.add",
  "10.edit",
  "10.delete",
  "10.enable",
  "10.disable",
  "10.export",
];
/** The least that can be published. */
export const SIGN = '<p><span data-field="客户签字"></span></p>';

/** A shop and somebody who keeps its templates, with what they do again and again. */
export async function aDesk(house: TestHouse, given?: Shop) {
  const shop = given ?? (await aShop(house));
  const as = await house.person({ permits: LEGAL, villages: [shop.villageId] });
  const got = (id: number) => house.did(calls.getTemplate, { as }, { params: { id } });
  /** A new template, its draft the built-in text; codes are T-1, T-2 … */
  const aTemplate = async (
    more: { docKind?: DocKind; contractKind?: ContractKind; villageIds?: number[] } = {},
  ) => {
    const no = next();
    const body = {
      code: `T-${no}`,
      name: `租客合同 ${no}`,
      docKind: "renterContract" as const,
      villageIds: [shop.villageId],
      ...more,
    };
    return (await house.did(calls.addTemplate, { as }, { body })).id;
  };
  const edited = async (id: number, html: string, more: { head?: string; foot?: string } = {}) => {
    const { name, villageIds, version } = await got(id);
    const body = { name, villageIds, html, head: "", foot: "", ...more, version };
    return house.did(calls.editTemplate, { as }, { params: { id }, body });
  };
  /** Publishes, or is refused. */
  const asked = async (id: number, effectiveFrom = "2026-03-12") => {
    const { version } = await got(id);
    return house.ask(calls.publishTemplate, { as }, { params: { id }, body: { effectiveFrom, version } });
  };
  const published = async (id: number, effectiveFrom = "2026-03-12") => {
    const { version } = await got(id);
    return house.did(calls.publishTemplate, { as }, { params: { id }, body: { effectiveFrom, version } });
  };
  const disabled = async (id: number) => {
    const { version } = await got(id);
    return house.did(calls.disableTemplate, { as }, { params: { id }, body: { version } });
  };
  const versions = (id: number) => house.did(calls.templateVersions, { as }, { params: { id } });
  const paperText = async (id: number) => {
    const { raw } = await house.ask(contractPaper, { as: shop.clerk }, { params: { id } });
    return textOfPdf(raw).replaceAll("\n", "");
  };
  return { shop, as, got, aTemplate, edited, asked, published, disabled, versions, paperText };
}
