import { useState } from "react";
import { ListPage } from "../../../platform/console/list/list.tsx";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { pathTo, useAddress } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { FLOWS } from "../bill/bill.rules.ts";
import {
  addSubmission,
  countSubmissions,
  exportPending,
  exportSubmissions,
  listSubmissions,
  pendingTakings,
} from "./submission.contract.ts";
import { type Start, SubmissionForm } from "./submission.form.tsx";
import { linePath, SubmissionDrawer, useSubmissionActs } from "./submission.panel.tsx";
import { SUBMISSION_KIND, SUBMISSIONS, TABS } from "./submission.rules.ts";

const LISTS = {
  key: "tab",
  counts: countSubmissions,
  items: [
    { key: "pending", title: "未缴款" },
    ...Object.entries(TABS).map(([key, { title }]) => ({ key, title })),
    { key: "all", title: "全部" },
  ],
};
const NEW: Start = {};
const Late = ({ days }: { days: number }) =>
  days > 0 ? <span className="bad">{days} 天</span> : <span className="dim">—</span>;

type Taken = Row<typeof pendingTakings>;
/** The flows behind a day of an account. */
const flowsOf = (row: Taken) =>
  row.flows
    ? reach(FLOWS, {
        villageIds: row.villageId,
        accountIds: row.merchantAccountId,
        paidFrom: row.bankDay,
        paidTo: row.bankDay,
      })
    : undefined;

/** 缴款管理: what was taken goes to the bank, and whether it arrived. */
export default function SubmissionsPage() {
  const [address] = useAddress();
  const acts = useSubmissionActs();
  const [adding, setAdding] = useState<Start>();
  const toolbar = [
    { label: "新建缴款", icon: "plus" as const, main: true, does: addSubmission, run: () => setAdding(NEW) },
  ];
  return (
    <>
      {(address.get("tab") ?? "pending") === "pending" ? (
        <ListPage
          key="pending"
          call={pendingTakings}
          unit="项"
          tabs={LISTS}
          filters={["villageIds", "kind", "from"]}
          columns={[
            "bankDay",
            "villageName",
            { key: "kind", show: (r) => SUBMISSION_KIND[r.kind][0], width: 72 },
            "accountName",
            { key: "flows", to: flowsOf },
            { key: "amount", strong: true },
            "kept",
            "repaid",
            "dueAt",
            { key: "lateDays", show: (r) => <Late days={r.lateDays} /> },
          ]}
          card={{
            title: "villageName",
            right: "amount",
            lines: [
              [(r) => `${r.bankDay} · ${r.accountName}`, (r) => `${r.flows} 笔`],
              [
                (r) =>
                  r.dueAt
                    ? `最迟 ${timeInZone(r.dueAt).slice(5, 16)}`
                    : r.kept
                      ? `留存 ${yuan(r.kept)}`
                      : "—",
                (r) => <Late days={r.lateDays} />,
              ],
            ],
            sums: ["amount"],
          }}
          toolbar={toolbar}
          rowActions={(r) => [
            {
              label: "缴款",
              does: addSubmission,
              run: () =>
                setAdding({
                  villageId: r.villageId,
                  kind: r.kind,
                  fromAccountId: r.merchantAccountId,
                  bankDay: r.bankDay,
                }),
            },
          ]}
          exportCall={exportPending}
          emptyText="门店收的现金和按缴款结算的POS收款在这里列出，缴出后不再列出"
        />
      ) : (
        <ListPage
          key="submissions"
          call={listSubmissions}
          unit="单"
          tabs={LISTS}
          filters={["villageIds", "kind", "submittedFrom", "keyword", "from"]}
          columns={[
            "submissionNo",
            { key: "state", width: 96 },
            "villageName",
            { key: "kind", show: (s) => SUBMISSION_KIND[s.kind][0], width: 72 },
            "bankDay",
            "flows",
            "expected",
            { key: "submitted", strong: true },
            "received",
            "diff",
            { key: "lineText", to: (s) => linePath(s.bankLineId) },
            {
              key: "slips",
              to: (s) => (s.slips ? pathTo(SUBMISSIONS, { tab: "all", id: s.id, part: "files" }) : undefined),
              width: 72,
            },
            {
              own: "by",
              title: "缴款人/时间",
              holds: ["creator", "createdAt"],
              show: (s) => `${s.creator} ${timeInZone(s.createdAt).slice(5, 16)}`,
            },
            { key: "lateDays", show: (s) => <Late days={s.lateDays} /> },
            { key: "kept", hidden: true },
            { key: "slipNo", hidden: true },
            { key: "fromAccountName", hidden: true },
            { key: "toAccountName", hidden: true },
            { key: "creator", hidden: true },
            { key: "createdAt", hidden: true },
          ]}
          card={{
            title: "villageName",
            right: "state",
            lines: [
              [(s) => `${s.bankDay} · ${SUBMISSION_KIND[s.kind][0]}`, "submitted"],
              ["submissionNo", (s) => (s.diff ? `差额 ${yuan(s.diff)}` : "")],
            ],
            sums: ["submitted", "received", "diff"],
          }}
          sumNote="按当前筛选，已取消的不计入"
          toolbar={toolbar}
          rowActions={acts.of}
          drawer={(id) => <SubmissionDrawer id={id} acts={acts} />}
          exportCall={exportSubmissions}
          emptyText="缴款后在这里核对到账"
        />
      )}
      {adding && <SubmissionForm start={adding} onClose={() => setAdding(undefined)} />}
      {acts.layer}
    </>
  );
}
