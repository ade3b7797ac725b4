import { useState, type ReactNode } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import type { Action, Actions } from "../../../platform/console/parts/actions.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { send } from "../../../platform/console/calls/request.ts";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import type { Batch } from "../../../platform/console/list/toolbar.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { CONTRACT_PAGE, COUNTER } from "../../finance/bill/bill.rules.ts";
import { MergeForm } from "../firm/merge.form.tsx";
import type { Mergeable } from "../firm/words.rules.ts";
import { useAround } from "../record/records.panel.tsx";
import type { Compared } from "../record/merge-choices.form.tsx";
import { companyCalls, getCompany, listCompanies, editCompany, setCredit } from "./company.contract.ts";
import { CompanyForm } from "./company.form.tsx";
import { CreditForm } from "./credit.form.tsx";

export type CompanyRow = Row<typeof listCompanies>;
type Open =
  | { kind: "edit" | "credit"; company: Reply<typeof getCompany> }
  | { kind: "merge"; keepId: number; goneId?: number };

export type CompanyActs = {
  of: (row: CompanyRow) => Actions;
  merge: (rows: readonly CompanyRow[]) => void;
  write: Batch<CompanyRow>;
  layer: ReactNode;
};

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
  const act = useAct();
  const go = useGo();
  const [, set] = useAddress();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const around = useAround("company");

  const of = (row: CompanyRow): Actions => {
    const params = { id: row.id };
    const frozen = row.approving ? "审批中，不能修改" : undefined;
    const signing = reach(CONTRACT_PAGE.company, { draft: "new", partyId: row.id });
    const paying = reach(COUNTER, { partyId: row.id });
    const load = async (kind: "edit" | "credit") =>
      setOpen({ kind, company: await send(getCompany, { params }) });
    const all: (Action | false)[] = [
      { label: "编辑", does: editCompany, why: frozen, run: () => load("edit") },
      {
        label: "对账单",
        need: "113.get",
        run: () => set({ id: row.id, part: "statement" }),
      },
      signing !== undefined && {
        label: "新签企业合同",
        need: "11.add",
        why: row.black === "forbid" ? "该客户在黑名单中，禁止签约" : undefined,
        run: () => go(signing),
      },
      row.arrears > 0 && paying !== undefined && { label: "收款", need: "102.add", run: () => go(paying) },
      ...around.of(row),
      { label: "账期与授信", does: setCredit, why: frozen, run: () => load("credit") },
      {
        label: "合并",
        need: "#1602",
        why: frozen,
        run: () => setOpen({ kind: "merge", keepId: row.id }),
      },
      deleteAction(act, companyCalls.remove, row, {
        title: "删除企业客户",
        body: `确定删除 ${row.name} 吗？`,
        ok: "删除",
        need: "113.delete",
        why: frozen ?? (row.stage === "prospect" ? undefined : "该企业有合同，不能删除"),
        gone: () => set({ id: undefined }),
      }),
    ];
    return all.filter(Boolean);
  };

  const layer =
    open?.kind === "edit" ? (
      <CompanyForm company={open.company} onClose={close} />
    ) : open?.kind === "credit" ? (
      <CreditForm company={open.company} onClose={close} />
    ) : open?.kind === "merge" ? (
      <MergeForm
        calls={companyCalls}
        source={SOURCE}
        read={compared}
        keepId={open.keepId}
        goneId={open.goneId}
        onClose={close}
      />
    ) : null;
  return {
    of,
    merge: ([keep, gone]) =>
      keep && setOpen({ kind: "merge", keepId: keep.id, ...(gone && { goneId: gone.id }) }),
    write: around.batch,
    layer: (
      <>
        {layer}
        {around.layer}
      </>
    ),
  };
}
