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
import { getMerchant, listMerchants, merchantCalls, editMerchant } from "./merchant.contract.ts";
import { MerchantForm } from "./merchant.form.tsx";

export type MerchantRow = Row<typeof listMerchants>;
type Open =
  | { kind: "edit"; merchant: Reply<typeof getMerchant> }
  | { kind: "merge"; keepId: number; goneId?: number };

export type MerchantActs = {
  of: (row: MerchantRow) => Actions;
  merge: (rows: readonly MerchantRow[]) => void;
  write: Batch<MerchantRow>;
  layer: ReactNode;
};

const SOURCE: Source = {
  call: listMerchants,
  option: ((m: MerchantRow) => ({
    value: m.id,
    label: `${m.name} ${m.brand || m.contactName}`,
    note: m.roomNames || m.homeVillageName,
  })) as Source["option"],
};

async function compared(id: number): Promise<Compared<Mergeable>> {
  const m = await send(getMerchant, { params: { id } });
  return {
    id: m.id,
    version: m.version,
    homeVillageName: m.homeVillageName,
    values: {
      name: m.name,
      number: m.creditCode ?? m.certNo ?? "",
      address: m.address,
      trade: m.category,
      brand: m.brand,
      legalName: m.legalName,
      remark: m.remark,
    },
  };
}

/** What can be done with a merchant, with the reason where it cannot, and the layer that an act has opened. */
export function useMerchantActs(): MerchantActs {
  const act = useAct();
  const go = useGo();
  const [, set] = useAddress();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const around = useAround("merchant");

  const of = (row: MerchantRow): Actions => {
    const params = { id: row.id };
    const signing = reach(CONTRACT_PAGE.merchant, { draft: "new", partyId: row.id });
    const paying = reach(COUNTER, { partyId: row.id });
    const all: (Action | false)[] = [
      {
        label: "编辑",
        does: editMerchant,
        run: async () => setOpen({ kind: "edit", merchant: await send(getMerchant, { params }) }),
      },
      signing !== undefined && {
        label: "新签商户合同",
        need: "107.add",
        why: row.black === "forbid" ? "该客户在黑名单中，禁止签约" : undefined,
        run: () => go(signing),
      },
      row.arrears > 0 && paying !== undefined && { label: "收款", need: "102.add", run: () => go(paying) },
      ...around.of(row),
      { label: "合并", need: "#1602", run: () => setOpen({ kind: "merge", keepId: row.id }) },
      deleteAction(act, merchantCalls.remove, row, {
        title: "删除商户",
        body: `确定删除 ${row.name} 吗？`,
        ok: "删除",
        need: "106.delete",
        why: row.stage === "prospect" ? undefined : "该商户有合同，不能删除",
        gone: () => set({ id: undefined }),
      }),
    ];
    return all.filter(Boolean);
  };

  const layer =
    open?.kind === "edit" ? (
      <MerchantForm merchant={open.merchant} onClose={close} />
    ) : open ? (
      <MergeForm
        calls={merchantCalls}
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
