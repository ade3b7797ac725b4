import { type ReactNode, useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { Papers } from "../../../platform/console/detail/papers.tsx";
import { ActionButtons, type Actions } from "../../../platform/console/parts/actions.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { FLOWS } from "../bill/bill.rules.ts";
import { Entries, Moments } from "../journal/entries.panel.tsx";
import { partyPath } from "../payer/payer.panel.tsx";
import { ClaimForm } from "./claim.form.tsx";
import { CLAIM_MOVES } from "./claim.rules.ts";
import { ClassifyForm } from "./classify.form.tsx";
import * as calls from "./corporate.contract.ts";
import { LINE_STATE, USE_KIND } from "./line.rules.ts";

const SUBMISSIONS = "/accountManage/SubmissionManage";

type Line = Pick<
  calls.LineRow,
  | "id"
  | "day"
  | "counterName"
  | "counterAccount"
  | "summary"
  | "accountName"
  | "amount"
  | "free"
  | "version"
  | "suggestion"
  | "settling"
  | "handed"
>;
export type LineActs = { of: (line: Line) => Actions; layer: ReactNode };

/** What can be done with a line, and the layer that an act has opened. */
export function useLineActs(): LineActs {
  const [open, setOpen] = useState<{ what: "claim" | "classify"; of: Line }>();
  const close = () => setOpen(undefined);
  const go = useGo();
  const why = (line: Line) => (line.free > 0 ? undefined : "该流水没有未认领的金额");
  return {
    of: (line) => [
      line.handed && {
        label: "匹配缴款",
        need: "112.edit",
        main: true,
        run: () => go(SUBMISSIONS, { tab: "all", id: line.handed!.submissionId }),
      },
      {
        label: "认领",
        main: !line.settling && !line.handed,
        does: calls.addClaim,
        why: why(line),
        run: () => setOpen({ what: "claim", of: line }),
      },
      {
        label: "标记无需认领",
        does: calls.classifyBankLine,
        why: why(line),
        run: () => setOpen({ what: "classify", of: line }),
      },
    ],
    layer:
      open &&
      (open.what === "claim" ? (
        <ClaimForm line={open.of} onClose={close} />
      ) : (
        <ClassifyForm line={open.of} onClose={close} />
      )),
  };
}

const { claims, uses } = calls.getBankLine.reply!.shape;
type Shown = { claim: calls.ClaimShown };

/** One line: what it is, who has claimed it, what of it is no customer's. */
export const LineDrawer = ({ id, acts }: { id: number; acts: LineActs }) => (
  <Detail
    call={calls.getBankLine}
    sent={{ params: { id } }}
    title={(line) => line.counterName || line.summary || "对公流水"}
    tags={(line) => <WordTag words={LINE_STATE} code={line.state} />}
    strip={(line) => [
      { title: "金额", fen: line.amount },
      { title: "已认领", fen: line.claimed },
      ...(line.reserved ? [{ title: "审批中", fen: line.reserved }] : []),
      ...(line.classified ? [{ title: "无需认领", fen: line.classified }] : []),
      { title: "未认领", fen: line.free, key: true },
    ]}
    facts={[
      "occurredAt",
      "accountName",
      { key: "counterName", show: (line) => line.counterName || NONE },
      { key: "counterAccount", show: (line) => line.counterAccount || NONE },
      { key: "number", show: (line) => line.number || NONE },
      "statementNo",
      { key: "summary", wide: true, show: (line) => line.summary || NONE },
      { key: "hint", wide: true, show: (line) => line.hint || NONE },
    ]}
    actions={acts.of}
    tabs={[
      {
        key: "claims",
        title: "认领单",
        count: (line) => line.claims.length,
        view: (line) => (
          <RowTable
            schema={claims}
            rows={line.claims}
            emptyText="还没有门店认领"
            columns={[
              "claimNo",
              "state",
              { key: "partyName", to: (c) => partyPath(c.partyKind, c.partyId) },
              "villageName",
              { key: "amount", strong: true },
              { key: "flowNo", to: (c) => (c.flowId ? reach(FLOWS, { id: c.flowId }) : undefined) },
              "claimant",
              "createdAt",
            ]}
            expand={(claim) => <ClaimMore claim={claim} />}
            opened={(claim) => claim.state === "approving"}
          />
        ),
      },
      {
        key: "uses",
        title: "无需认领",
        count: (line) => line.uses.filter((use) => !use.undoneAt).length,
        view: (line) => (
          <RowTable
            schema={uses}
            rows={line.uses}
            emptyText="没有标记为无需认领的金额"
            columns={[
              "kind",
              { key: "amount", strong: true },
              "what",
              "note",
              "who",
              "createdAt",
              "undoneAt",
            ]}
            expand={(use) => <UseMore lineId={line.id} use={use} />}
          />
        ),
      },
      {
        key: "entries",
        title: "凭证",
        count: (line) => line.entries.length,
        view: (line) => <Entries entries={line.entries} />,
      },
      { key: "log", title: "业务日志", view: (line) => <Moments log={line.log} /> },
    ]}
  >
    {(line) => <p className="dim fs-12">{line.raw.filter(Boolean).join(" | ")}</p>}
  </Detail>
);

/** What a claim says, its papers, and the way back. */
function ClaimMore({ claim }: Shown) {
  const act = useAct();
  const of = { ...claim, status: claim.state };
  const actions: Actions = [
    claim.state === "approving" &&
      claim.mine && {
        label: "撤回",
        does: calls.withdrawClaim,
        run: () =>
          act(
            calls.withdrawClaim,
            { params: { id: claim.id }, body: { version: claim.version } },
            {
              done: "已撤回",
              ask: {
                title: `撤回认领 ${claim.claimNo}`,
                body: `${yuan(claim.amount)} 元回到流水的未认领余额。`,
              },
            },
          ),
      },
    claim.flowId !== null && {
      label: "撤销认领",
      danger: true,
      does: calls.undoClaim,
      why: CLAIM_MOVES.refusal("undo", of),
      run: () =>
        act(
          calls.undoClaim,
          { params: { id: claim.id }, body: { version: claim.version } },
          {
            done: "已撤销认领",
            reason: {
              title: `撤销认领 ${claim.claimNo}`,
              text: `${claim.partyName} ${yuan(claim.amount)} 元：已支付的账单恢复未收，流水冲销，款项回到未认领。`,
              ok: "撤销认领",
            },
          },
        ),
    },
  ];
  return (
    <div className="stack gap-4">
      {claim.note && <p className="sub fs-13">{claim.note}</p>}
      {claim.waitingFor && <p className="sub fs-13">等待 {claim.waitingFor} 审批</p>}
      {claim.files.length > 0 && <Papers files={claim.files} />}
      <ActionButtons actions={actions} />
    </div>
  );
}

type Use = { id: number; kind: keyof typeof USE_KIND; amount: number; undoneAt: string | null };
function UseMore({ lineId, use }: { lineId: number; use: Use }) {
  const act = useAct();
  const elsewhere =
    use.kind === "submission"
      ? "请到缴款管理撤销"
      : use.kind === "thirdParty"
        ? "请到第三方收入表撤销"
        : undefined;
  return (
    <ActionButtons
      actions={[
        {
          label: "取消标记",
          danger: true,
          does: calls.unclassifyBankLine,
          why: use.undoneAt ? "该标记已取消" : elsewhere,
          run: () =>
            act(
              calls.unclassifyBankLine,
              { params: { id: lineId }, body: { useId: use.id } },
              {
                done: "已取消标记",
                reason: {
                  title: `取消标记：${USE_KIND[use.kind][0]}`,
                  text: `${yuan(use.amount)} 元回到流水的未认领余额。`,
                  ok: "取消标记",
                },
              },
            ),
        },
      ]}
    />
  );
}
