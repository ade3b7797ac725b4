import type { Action, Actions } from "../../../platform/console/parts/actions.tsx";
import { Current } from "../../../platform/console/parts/loaded.tsx";
import { send } from "../../../platform/console/calls/request.ts";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { type CustomerActs, useCustomerActs } from "./records.panel.tsx";
import { anonymiseRenter, verifyRenter } from "../renter/acts.contract.ts";
import { anonymisingRefusal, deletionRefusal } from "../renter/words.rules.ts";
import { MergeForm, TagsForm } from "./renter-merge.form.tsx";
import { deleteRenter, getRenter, type listRenters, editRenter } from "../renter/renter.contract.ts";
import { RenterForm } from "../renter/renter.form.tsx";

export type RenterRow = Row<typeof listRenters>;
type Open = { kind: "edit"; renter: Reply<typeof getRenter> } | { kind: "tags"; rows: readonly RenterRow[] };

export type RenterActs = CustomerActs<RenterRow> & { tag: (rows: readonly RenterRow[]) => void };

/** What can be done with a renter, with the reason where it cannot, and the layer that an act has opened. */
export function useRenterActs(): RenterActs {
  const { act, open, setOpen, close, ...may } = useCustomerActs<RenterRow, Open>("renter");

  const of = (row: RenterRow): Actions => {
    const params = { id: row.id };
    const all: (Action | false)[] = [
      {
        label: "编辑",
        does: editRenter,
        run: async () => setOpen({ kind: "edit", renter: await send(getRenter, { params }) }),
      },
      ...may.dealings(row),
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
      may.merging(row),
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
      may.removing(row, deleteRenter, "删除租客", deletionRefusal(row)),
    ];
    // what can be done now stands where the eye is
    return all.filter(Boolean).toSorted((a, b) => Number(Boolean(a && a.why)) - Number(Boolean(b && b.why)));
  };

  const layer =
    open?.kind === "edit" ? (
      <Current call={getRenter} read={open.renter}>
        {(renter) => <RenterForm renter={renter} onClose={close} />}
      </Current>
    ) : open?.kind === "tags" ? (
      <TagsForm renters={open.rows} onClose={close} />
    ) : open ? (
      <MergeForm {...open} onClose={close} />
    ) : null;
  return { ...may.acts(of, layer), tag: (rows) => setOpen({ kind: "tags", rows }) };
}
