import { useState, type ReactNode } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import type { Action, Actions } from "../../../platform/console/parts/actions.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Batch } from "../../../platform/console/list/toolbar.tsx";
import { CONTRACT_PAGE, COUNTER } from "../../finance/bill/bill.rules.ts";
import { BlackEntries, BlackForm } from "../blacklist/entry.form.tsx";
import type { ChoiceKind } from "../choice/choice.rules.ts";
import type { FirmCalls } from "../firm/firm.contract.ts";
import { NAMED, PAGE, writingTo } from "../push/push.rules.ts";

type Row = { id: number; name: string; black: "none" | "warn" | "forbid" };
type Open = { what: "add" | "entries"; of: Row };

/** What can be done with a customer of whatever kind: write to them, and keep the black list. */
function useAround(kind: ChoiceKind): {
  of: (row: Row) => (Action | false)[];
  batch: Batch<Row>;
  layer: ReactNode;
} {
  const go = useGo();
  const [open, setOpen] = useState<Open>();
  const write = (rows: readonly Row[]) =>
    go(
      PAGE,
      writingTo(
        kind,
        rows.map((row) => row.id),
      ),
    );
  const close = () => setOpen(undefined);
  return {
    of: (row) => [
      reach(PAGE) !== undefined && { label: "发消息", need: "18.add", run: () => write([row]) },
      {
        label: "加入黑名单",
        need: "170.add",
        danger: true,
        why: row.black === "forbid" ? "该客户已在黑名单中" : undefined,
        run: () => setOpen({ what: "add", of: row }),
      },
      row.black !== "none" && {
        label: "黑名单记录",
        need: ["170.query", "170.add", "#17001"],
        run: () => setOpen({ what: "entries", of: row }),
      },
    ],
    batch: {
      label: "发消息",
      need: "18.add",
      why: (rows) => (rows.length > NAMED ? `一次最多${NAMED}人` : undefined),
      run: write,
    },
    layer:
      open?.what === "add" ? (
        <BlackForm of={open.of} onClose={close} />
      ) : open ? (
        <BlackEntries of={open.of} onClose={close} />
      ) : null,
  };
}

type Customer = Row & { version: number; arrears: number };
export type Merging = { kind: "merge"; keepId: number; goneId?: number };
export type CustomerActs<R> = {
  of: (row: R) => Actions;
  merge: (rows: readonly R[]) => void;
  write: Batch<R>;
  layer: ReactNode;
};
const SIGN = {
  renter: { label: "新签合同", need: "9.add" },
  company: { label: "新签企业合同", need: "11.add" },
  merchant: { label: "新签商户合同", need: "107.add" },
} as const;

/** What can be done with a customer of whatever kind, and which of its dialogs is open. */
export function useCustomerActs<R extends Customer, Open extends { kind: string }>(kind: ChoiceKind) {
  const act = useAct();
  const go = useGo();
  const [, set] = useAddress();
  const [open, setOpen] = useState<Open | Merging>();
  const around = useAround(kind);
  return {
    act,
    set,
    open,
    setOpen,
    close: () => setOpen(undefined),
    /** Sign a contract, take money, write, black list. */
    dealings: (row: R): (Action | false)[] => {
      const signing = reach(CONTRACT_PAGE[kind], { draft: "new", partyId: row.id });
      const paying = reach(COUNTER, { partyId: row.id });
      return [
        signing !== undefined && {
          ...SIGN[kind],
          why: row.black === "forbid" ? "该客户在黑名单中，禁止签约" : undefined,
          run: () => go(signing),
        },
        row.arrears > 0 && paying !== undefined && { label: "收款", need: "102.add", run: () => go(paying) },
        ...around.of(row),
      ];
    },
    merging: (row: R, why?: string): Action => ({
      label: "合并",
      need: "#1602",
      why,
      run: () => setOpen({ kind: "merge", keepId: row.id }),
    }),
    removing: (row: R, call: FirmCalls["remove"], title: string, why: string | undefined): Action =>
      deleteAction(call, row, {
        title,
        body: `确定删除 ${row.name} 吗？`,
        ok: "删除",
        why,
        gone: () => set({ id: undefined }),
      }),
    acts: (of: (row: R) => Actions, layer: ReactNode): CustomerActs<R> => ({
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
    }),
  };
}
