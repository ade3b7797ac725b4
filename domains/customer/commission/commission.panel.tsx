import { Link } from "react-router";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { Explain } from "../../../platform/console/detail/explain.tsx";
import { elementOf, shapeOf } from "../../../platform/console/list/list-schema.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { CONTRACT_PAGE } from "../../finance/bill/bill.rules.ts";
import { PAGE } from "../agent/agent.rules.ts";
import { RecordLog } from "../record/secret.panel.tsx";
import { type CommissionRow, getCommission } from "./commission.contract.ts";
import { COMMISSION_KINDS, COMMISSION_STATES } from "../commission-rule/commission.rules.ts";

/** The contract that a commission came of, for whoever may open it. */
export const contractTo = (c: { contractKind: keyof typeof CONTRACT_PAGE; contractId: number }) =>
  reach(CONTRACT_PAGE[c.contractKind], { id: c.contractId });

const CLAWS = elementOf(shapeOf(getCommission.reply)["claws"])!;
const linked = (to: string | undefined, text: string) => (to ? <Link to={to}>{text}</Link> : text || "—");

/** One commission: how it came about, what was taken back of it, and with which bill it is paid. */
export const CommissionDrawer = ({ id, actions }: { id: number; actions: (c: CommissionRow) => Actions }) => (
  <Detail
    call={getCommission}
    sent={{ params: { id } }}
    title={(c) => c.number}
    tags={(c) => (
      <>
        <WordTag words={COMMISSION_STATES} code={c.state} />
        <WordTag words={COMMISSION_KINDS} code={c.kind} dot={false} />
      </>
    )}
    strip={(c) => [
      { title: "佣金", fen: c.amount, key: true },
      ...(c.kind === "claw" ? [] : [{ title: "未扣回", fen: c.left }]),
    ]}
    facts={[
      { title: "经纪人", show: (c) => linked(pathTo(PAGE, { id: c.agentId }), c.agentName) },
      {
        title: "机构",
        show: (c) =>
          c.agencyId ? linked(pathTo(PAGE, { tab: "agency", id: c.agencyId }), c.agencyName) : "独立经纪人",
      },
      { title: "合同", show: (c) => linked(contractTo(c), c.contractNo) },
      "partyName",
      { title: "房间", show: (c) => c.roomName },
      "signedOn",
      "payableFrom",
      "ownerName",
      {
        title: "应付账单",
        show: (c) =>
          linked(c.billId ? reach("/accountManage/BillListManage", { id: c.billId }) : undefined, c.billNo),
      },
      {
        title: "付款流水",
        show: (c) =>
          linked(c.flowId ? reach("/accountManage/AccountFlowPatch", { id: c.flowId }) : undefined, c.flowNo),
      },
      "createdAt",
      { key: "reason", wide: true },
    ]}
    actions={actions}
    tabs={[
      {
        key: "explain",
        title: "计算说明",
        view: (c) => (
          <Explain
            rows={[
              ["规则", c.explain.rule],
              ["依据", c.explain.inputs],
              ["算式", c.explain.formula],
            ]}
          />
        ),
      },
      {
        key: "claws",
        title: "扣回",
        count: (c) => c.claws.length,
        view: (c) => (
          <RowTable
            flat
            schema={CLAWS}
            rows={c.claws}
            columns={[
              { key: "number", to: (l) => pathTo(PAGE, { tab: "settle", id: l.id }) },
              "kind",
              "amount",
              "formula",
              "state",
            ]}
            emptyText="没有扣回"
          />
        ),
      },
      { key: "log", title: "日志", view: (c) => <RecordLog kind="commission" id={c.id} /> },
    ]}
  />
);
