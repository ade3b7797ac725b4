import { useState, type ReactNode } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import type { Action, Actions } from "../../../platform/console/parts/actions.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { send } from "../../../platform/console/calls/request.ts";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import type { Batch } from "../../../platform/console/list/toolbar.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { COUNTER } from "../../finance/bill/bill.rules.ts";
import { useAround } from "../record/records.panel.tsx";
import { anonymiseRenter, verifyRenter, mergeRenters } from "./acts.contract.ts";
import { anonymisingRefusal, deletionRefusal } from "./words.rules.ts";
import { MergeForm, TagsForm } from "./merge.form.tsx";
import { deleteRenter, getRenter, type listRenters, editRenter } from "./renter.contract.ts";
import { RenterForm } from "./renter.form.tsx";

export type RenterRow = Row<typeof listRenters>;
type Open =
  | { kind: "edit"; renter: Reply<typeof getRenter> }
  | { kind: "tags"; rows: readonly RenterRow[] }
  | { kind: "merge"; keepId: number; goneId?: number };

export type RenterActs = {
  of: (row: RenterRow) => Actions;
  tag: (rows: readonly RenterRow[]) => void;
  merge: (rows: readonly RenterRow[]) => void;
  write: Batch<RenterRow>;
  layer: ReactNode;
};

/** What can be done with a renter, with the reason where it cannot, and the layer that an act has opened. */
export function useRenterActs(): RenterActs {
  const act = useAct();
  const go = useGo();
  const [, set] = useAddress();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const around = useAround("renter");

  const of = (row: RenterRow): Actions => {
    const params = { id: row.id };
    const signing = reach("/contract/RenterContractPage", { draft: "new", partyId: row.id });
    const paying = reach(COUNTER, { partyId: row.id });
    const all: (Action | false)[] = [
      {
        label: "编辑",
        does: editRenter,
        run: async () => setOpen({ kind: "edit", renter: await send(getRenter, { params }) }),
      },
      signing !== undefined && {
        label: "新签合同",
        need: "9.add",
        why: row.black === "forbid" ? "该客户在黑名单中，禁止签约" : undefined,
        run: () => go(signing),
      },
      row.arrears > 0 && paying !== undefined && { label: "收款", need: "102.add", run: () => go(paying) },
      ...around.of(row),
      { label: "打标签", need: "16.edit", run: () => setOpen({ kind: "tags", rows: [row] }) },
      {
        label: "实名核验",
        does: verifyRenter,
        why: row.certNo ? undefined : "请先登记证件类型和证件号",
        run: async () => {
          const verdict = await act(verifyRenter, { params, body: { version: row.version } });
          if (verdict) toast(verdict.note, verdict.verify === "verified" ? "success" : "warning");
        },
      },
      { label: "合并", does: mergeRenters, run: () => setOpen({ kind: "merge", keepId: row.id }) },
      {
        label: "匿名化",
        does: anonymiseRenter,
        danger: true,
        why: anonymisingRefusal(row),
        run: () =>
          act(
            anonymiseRenter,
            { params, body: { version: row.version } },
            {
              done: "已匿名化",
              reason: {
                title: `匿名化 ${row.name}`,
                text: "姓名、联系方式和证件将被抹去，不能恢复；合同、账单和流水保留。",
                ok: "匿名化",
              },
            },
          ),
      },
      deleteAction(act, deleteRenter, row, {
        title: "删除租客",
        body: `确定删除 ${row.name} 吗？`,
        ok: "删除",
        why: deletionRefusal(row),
        gone: () => set({ id: undefined }),
      }),
    ];
    // what can be done now stands where the eye is
    return all.filter(Boolean).toSorted((a, b) => Number(Boolean(a && a.why)) - Number(Boolean(b && b.why)));
  };

  const layer =
    open?.kind === "edit" ? (
      <RenterForm renter={open.renter} onClose={close} />
    ) : open?.kind === "tags" ? (
      <TagsForm renters={open.rows} onClose={close} />
    ) : open ? (
      <MergeForm keepId={open.keepId} goneId={open.goneId} onClose={close} />
    ) : null;
  return {
    of,
    tag: (rows) => setOpen({ kind: "tags", rows }),
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
