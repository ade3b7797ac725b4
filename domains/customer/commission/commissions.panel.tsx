import { useState } from "react";
import { yuan } from "../../../platform/kernel/fen.ts";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { PAGE } from "../agent/agent.rules.ts";
import { BillForm, ClawForm } from "./bill.form.tsx";
import {
  exportCommissions,
  listCommissions,
  voidCommission,
  type CommissionRow,
  billCommissions,
  clawCommission,
} from "./commission.contract.ts";
import { CommissionDrawer, contractTo } from "./commission.panel.tsx";
import {
  COMMISSION_MOVES,
  COMMISSION_STATES,
  type CommissionState,
} from "../commission-rule/commission.rules.ts";

const STATES = Object.keys(COMMISSION_STATES) as CommissionState[];
const sumsSaid = (sums: Record<string, unknown>): string =>
  STATES.filter((state) => Number(sums[state]))
    .map((state) => `${COMMISSION_STATES[state][0]} ${yuan(Number(sums[state]))}`)
    .join("，") || "没有佣金";

/** 佣金结算: what contracts have earned, what of it is due, and what was paid. */
export function CommissionList() {
  const act = useAct();
  const [open, setOpen] = useState<
    { kind: "bill"; rows: readonly CommissionRow[] } | { kind: "claw"; row: CommissionRow }
  >();
  const close = () => setOpen(undefined);
  const actions = (c: CommissionRow): Actions => {
    const why = (move: "settle" | "void" | "claw") =>
      c.waiting ? "审批中，不能修改" : COMMISSION_MOVES.refusal(move, { ...c, status: c.state });
    return [
      {
        label: "生成佣金账单",
        does: billCommissions,
        why: why("settle"),
        run: () => setOpen({ kind: "bill", rows: [c] }),
      },
      {
        label: "扣回",
        does: clawCommission,
        why: why("claw"),
        run: () => setOpen({ kind: "claw", row: c }),
      },
      {
        label: "作废",
        does: voidCommission,
        danger: true,
        why: why("void"),
        run: () =>
          act(
            voidCommission,
            { params: { id: c.id }, body: { version: c.version } },
            {
              done: "已作废",
              reason: {
                title: `作废佣金 ${c.number}`,
                text: `${c.agentName} ${yuan(c.amount)} 元`,
                ok: "作废",
              },
            },
          ),
      },
    ];
  };
  return (
    <>
      <ListPage
        call={listCommissions}
        unit="笔"
        filters={["villageIds", "state", "agencyId", "keyword", "agentId", "payableFrom"]}
        columns={[
          "number",
          "state",
          { key: "agentName", to: (c) => pathTo(PAGE, { id: c.agentId }) },
          {
            key: "agencyName",
            show: (c) => c.agencyName || "独立经纪人",
            to: (c) => (c.agencyId ? pathTo(PAGE, { tab: "agency", id: c.agencyId }) : undefined),
          },
          { key: "contractNo", to: contractTo },
          "kind",
          "base",
          {
            key: "amount",
            strong: true,
            to: (c) => pathTo(PAGE, { tab: "settle", id: c.id, part: "explain" }),
          },
          "payableFrom",
          "signedOn",
          "ruleName",
          {
            key: "roomName",
            to: (c) => (c.roomId ? reach("/configuration/apartment", { room: c.roomId }) : undefined),
          },
          {
            key: "flowNo",
            to: (c) => (c.flowId ? reach("/accountManage/AccountFlowPatch", { id: c.flowId }) : undefined),
          },
          {
            key: "billNo",
            hidden: true,
            to: (c) => (c.billId ? reach("/accountManage/BillListManage", { id: c.billId }) : undefined),
          },
          { key: "villageName", hidden: true },
        ]}
        sumNote={sumsSaid}
        card={{
          title: "agentName",
          right: "state",
          lines: [
            ["contractNo", "amount"],
            ["roomName", "payableFrom"],
          ],
        }}
        // billing is done with several at once, or in the record
        rowActions={(c) => actions(c).slice(1)}
        batch={[
          {
            label: "生成佣金账单",
            does: billCommissions,
            why: (rows) => {
              const bad = rows.find((c) => c.state !== "owed");
              return bad && `${bad.number} 不是待结算，不能生成账单`;
            },
            run: (rows) => setOpen({ kind: "bill", rows }),
          },
        ]}
        pickedNote={(rows) => `共 ${yuan(rows.reduce((sum, c) => sum + c.amount, 0))} 元`}
        drawer={(id) => <CommissionDrawer id={id} actions={actions} />}
        exportCall={exportCommissions}
        emptyText="经纪人介绍的客户签约后，佣金自动出现在这里"
      />
      {open?.kind === "bill" && <BillForm rows={open.rows} onClose={close} />}
      {open?.kind === "claw" && <ClawForm of={open.row} onClose={close} />}
    </>
  );
}
