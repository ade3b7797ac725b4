import type { Action, Actions } from "../../../platform/console/parts/actions.tsx";
import { Current } from "../../../platform/console/parts/loaded.tsx";
import { send } from "../../../platform/console/calls/request.ts";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { MergeForm } from "./firm-merge.form.tsx";
import type { Mergeable } from "../firm/words.rules.ts";
import { type CustomerActs, useCustomerActs } from "./records.panel.tsx";
import type { Compared } from "../record/merge-choices.form.tsx";
import {
  companyCalls,
  getCompany,
  listCompanies,
  editCompany,
  setCredit,
} from "../company/company.contract.ts";
import { CompanyForm } from "../company/company.form.tsx";
import { CreditForm } from "./credit.form.tsx";

export type CompanyRow = Row<typeof listCompanies>;
type Open = { kind: "edit" | "credit"; company: Reply<typeof getCompany> };
export type CompanyActs = CustomerActs<CompanyRow>;

const SOURCE: Source = {
  call: listCompanies,
  option: ((c: CompanyRow) => ({
    value: c.id,
    label: `${c.name} ${c.contactName}`,
    note: c.homeVillageName,
  })) as Source["option"],
};

async function compared(id: number): Promise<Compared<Mergeable>> {
  const c = await send(getCompany, { params: { id } });
  return {
    id: c.id,
    version: c.version,
    homeVillageName: c.homeVillageName,
    values: {
      name: c.name,
      number: c.creditCode,
      address: c.address,
      trade: [c.industry, c.scale].filter(Boolean).join(" / "),
      owner: c.ownerName,
      remark: c.remark,
    },
  };
}

/** What can be done with a company, with the reason where it cannot, and the layer that an act has opened. */
export function useCompanyActs(): CompanyActs {
  const { set, open, setOpen, close, ...may } = useCustomerActs<CompanyRow, Open>("company");
  const of = (row: CompanyRow): Actions => {
    const frozen = row.approving ? "审批中，不能修改" : undefined;
    const load = async (kind: "edit" | "credit") =>
      setOpen({ kind, company: await send(getCompany, { params: { id: row.id } }) });
    const used = row.stage === "prospect" ? undefined : "该企业有合同，不能删除";
    const all: (Action | false)[] = [
      { label: "编辑", does: editCompany, why: frozen, run: () => load("edit") },
      { label: "对账单", need: "113.get", run: () => set({ id: row.id, part: "statement" }) },
      ...may.dealings(row),
      { label: "账期与授信", does: setCredit, why: frozen, run: () => load("credit") },
      may.merging(row, frozen),
      may.removing(row, companyCalls.remove, "删除企业客户", frozen ?? used),
    ];
    return all.filter(Boolean);
  };
  return may.acts(
    of,
    open?.kind === "edit" ? (
      <Current call={getCompany} read={open.company}>
        {(company) => <CompanyForm company={company} onClose={close} />}
      </Current>
    ) : open?.kind === "credit" ? (
      <Current call={getCompany} read={open.company}>
        {(company) => <CreditForm company={company} onClose={close} />}
      </Current>
    ) : open?.kind === "merge" ? (
      <MergeForm calls={companyCalls} source={SOURCE} read={compared} {...open} onClose={close} />
    ) : null,
  );
}
