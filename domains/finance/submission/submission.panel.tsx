import { type ReactNode } from "react";
import { Link } from "react-router";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { Papers } from "../../../platform/console/detail/papers.tsx";
import { useOpened } from "../../../platform/console/form/opened.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { FLOWS } from "../bill/bill.rules.ts";
import { Entries, Moments } from "../journal/entries.panel.tsx";
import { MatchForm, ReceiveForm, SettleForm } from "./acts.form.tsx";
import {
  cancelSubmission,
  getSubmission,
  matchSubmission,
  receiveSubmission,
  settleShort,
  type SubmissionRow,
  unreceiveSubmission,
} from "./submission.contract.ts";
import {
  SETTLE_WAY,
  SUBMISSION_KIND,
  SUBMISSION_MOVES,
  SUBMISSION_STATE,
  SUBMISSIONS,
} from "./submission.rules.ts";

export type SubmissionActs = { of: (s: SubmissionRow) => Actions; layer: ReactNode };
type Move = Parameters<typeof SUBMISSION_MOVES.refusal>[0];
const whyNot = (move: Move, s: SubmissionRow) =>
  s.frozen ? "审批中，不能修改" : SUBMISSION_MOVES.refusal(move, { status: s.state });

const FORMS = { match: MatchForm, receive: ReceiveForm, settle: SettleForm };

/** What can be done with a submission, and the layer that an act has opened. */
export function useSubmissionActs(): SubmissionActs {
  const act = useAct();
  const me = useOperator()?.operatorId;
  const { opens, layer } = useOpened(getSubmission, FORMS);
  const sent = (s: SubmissionRow) => ({ params: { id: s.id }, body: { version: s.version } });
  const of = (s: SubmissionRow): Actions => [
    s.claimed && {
      label: "匹配银行流水",
      does: matchSubmission,
      why: whyNot("match", s),
      run: opens("match", s),
    },
    {
      label: "确认到账",
      does: receiveSubmission,
      why: whyNot("receive", s),
      run: opens("receive", s),
    },
    {
      label: "短款处理",
      does: settleShort,
      why: whyNot("settle", s),
      run: opens("settle", s),
    },
    {
      label: "取消到账",
      does: unreceiveSubmission,
      danger: true,
      why: whyNot("unreceive", s),
      run: () =>
        act(unreceiveSubmission, sent(s), {
          done: "已取消到账",
          reason: {
            title: `取消到账 ${s.submissionNo}`,
            text: `到账 ${yuan(s.received ?? 0)} 元冲回，缴款单重新等待到账。`,
            ok: "取消到账",
          },
        }),
    },
    {
      label: "取消缴款",
      does: cancelSubmission,
      danger: true,
      why:
        whyNot("cancel", s) ??
        (s.createdBy === me || may("#11201") ? undefined : "只有缴款人或可确认到账的人可以取消"),
      run: () =>
        act(cancelSubmission, sent(s), {
          done: "已取消，款项退回未缴款",
          reason: {
            title: `取消缴款 ${s.submissionNo}`,
            text: `实缴 ${yuan(s.submitted)} 元退回 ${s.fromAccountName}，流水重新列为未缴款。`,
            ok: "取消缴款",
          },
        }),
    },
  ];
  return { of, layer };
}

const { items } = getSubmission.reply!.shape;

/** The page of company-account lines, opened at one of them. */
export const linePath = (id: number | null) =>
  id ? reach("/accountManage/CorporateFlow", { tab: "all", id }) : undefined;

/** The bank line that a submission arrived by. */
function Line({ of: { lineText, bankLineId } }: { of: SubmissionRow }) {
  const to = linePath(bankLineId);
  return lineText && to ? <Link to={to}>{lineText}</Link> : (lineText ?? NONE);
}

/** One submission: what it hands over, and what became of it. */
export const SubmissionDrawer = ({ id, acts }: { id: number; acts: SubmissionActs }) => (
  <Detail
    call={getSubmission}
    sent={{ params: { id } }}
    title={(s) => s.submissionNo}
    tags={(s) => (
      <>
        <WordTag words={SUBMISSION_STATE} code={s.state} />
        <WordTag words={SUBMISSION_KIND} code={s.kind} dot={false} />
      </>
    )}
    strip={(s) => [
      { title: "应缴", fen: s.expected },
      { title: "实缴", fen: s.submitted },
      { title: "到账", fen: s.received },
      { title: "差额", fen: s.diff },
    ]}
    facts={[
      "villageName",
      "bankDay",
      "fromAccountName",
      "toAccountName",
      { title: "缴款", show: (s) => `${timeInZone(s.createdAt).slice(0, 16)} ${s.creator}` },
      {
        key: "lateDays",
        show: (s) => (s.lateDays ? <span className="bad">{s.lateDays} 天</span> : NONE),
      },
      { title: "到账", show: (s) => (s.receivedOn ? `${s.receivedOn} ${s.receiver ?? ""}` : NONE) },
      { key: "lineText", show: (s) => <Line of={s} /> },
      { key: "slipNo", show: (s) => s.slipNo || NONE },
      {
        title: "留存",
        show: (s) => (s.kept ? `${yuan(s.kept)}（${s.keptReason}）` : NONE),
      },
      { key: "remark", wide: true, show: (s) => s.remark || NONE },
    ]}
    actions={(s) => acts.of(s).map((a, i) => a && { ...a, main: i < 3 && !a.danger && !a.why })}
    tabs={[
      {
        key: "items",
        title: "缴款明细",
        count: (s) => s.items.length,
        view: (s) => (
          <RowTable
            schema={items}
            rows={s.items}
            columns={[
              "day",
              { key: "what", width: 96 },
              {
                key: "number",
                to: (i) =>
                  i.what === "flow"
                    ? reach(FLOWS, { id: i.ref })
                    : reach(SUBMISSIONS, { tab: "all", id: i.ref }),
              },
              "partyName",
              "amount",
            ]}
            sums={{ amount: s.expected }}
          />
        ),
      },
      { key: "files", title: "凭条", count: (s) => s.files.length, view: (s) => <Papers files={s.files} /> },
      {
        key: "entries",
        title: "凭证",
        count: (s) => s.entries.length,
        view: (s) => <Entries entries={s.entries} />,
      },
      { key: "log", title: "业务日志", view: (s) => <Moments log={s.log} /> },
    ]}
    slot="submission.tabs"
  >
    {(s) => (
      <>
        {s.frozen && <p className="noted fs-13 sub">短款核损审批中</p>}
        {s.settleWay && (
          <p className="noted fs-13 sub">
            {`${s.settledOn} ${SETTLE_WAY[s.settleWay][0]} ${yuan(s.submitted - (s.received ?? 0))} 元：${s.settleReason}`}
          </p>
        )}
        {s.endReason && <p className="noted fs-13 sub">{`已取消：${s.endReason}`}</p>}
      </>
    )}
  </Detail>
);
