import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { linked } from "../../../platform/console/parts/linked.tsx";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Waterfall } from "../../../platform/console/charts/waterfall.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { Papers } from "../../../platform/console/detail/papers.tsx";
import { PapersInput } from "../../../platform/console/files/papers-input.tsx";
import { openFile } from "../../../platform/console/files/upload.tsx";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import type { Action } from "../../../platform/console/parts/actions.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { UPLOADS } from "../../system/file/file.contract.ts";
import { AGREED_BY } from "../act/act.contract.ts";
import { PARTY_PAGE } from "../../finance/bill/bill.rules.ts";
import { ACT_MOVES, ACT_SOURCES, ACT_STATES, type ActMove, OPEN } from "../act/act.rules.ts";
import { sendConfirm } from "../settle-link/link.contract.ts";
import { KINDS } from "../terms/kind.rules.ts";
import {
  type SettleRow,
  getSettlement,
  savePayee,
  settlementActs,
  settlementSheetFile,
} from "../settlement/settlement.contract.ts";
import { END_REASONS } from "../settlement/settlement.rules.ts";
import { EditForm } from "./settlement.form.tsx";
import { ContractSheets } from "../inspection/sheets.panel.tsx";
import { PayeeForm, payeeShown } from "./payee.form.tsx";
import { Links, PresentForm } from "./links.panel.tsx";
import { resultBar, resultText } from "./result.rules.ts";
import { LINE_COLUMNS, SettleLines, StepDrawer } from "./worked.panel.tsx";

const lineShape = getSettlement.reply!.shape.lines;

export const contractPath = (r: Pick<SettleRow, "contractKind" | "contractId">) =>
  reach(KINDS[r.contractKind].path, { id: r.contractId });

export const partyPath = (r: Pick<SettleRow, "contractKind" | "partyId">) =>
  reach(PARTY_PAGE[r.contractKind]!, { id: r.partyId });
export const roomPath = (r: Pick<SettleRow, "roomId">) =>
  reach("/configuration/apartment", { room: r.roomId });

const whyNot = (move: ActMove, r: SettleRow) =>
  ACT_MOVES.refusal(move, { agreed: r.agreed, frozen: r.frozen, status: r.state });

type Open = { what: "submit" | "confirm" | "agree" | "present" | "payee" | "edit"; of: SettleRow };

/** What can be done with a leaving as it stands, with the sentence where it cannot, and the layer that a step has opened. */
export function useSettleActs(): { of: (r: SettleRow) => Action[]; layer: ReactNode } {
  const act = useAct();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const of = (r: SettleRow): Action[] => {
    const params = { id: r.id };
    const seen = { version: r.version };
    const on = (...states: readonly SettleRow["state"][]) => states.includes(r.state);
    const withReason = (
      label: string,
      call: typeof settlementActs.cancel | typeof settlementActs.undo,
      move: ActMove,
      text: string,
      done: string,
    ): Action => ({
      label,
      does: call,
      danger: true,
      why: whyNot(move, r) ?? (move === "undo" ? (r.paidSince ?? undefined) : undefined),
      run: () =>
        act(call, { params, body: seen } as never, {
          done,
          reason: { title: `${label} ${r.actNo}`, text, ok: label },
        }),
    });
    return [
      ...(on("requested")
        ? [
            {
              label: "受理",
              does: settlementActs.accept,
              why: whyNot("accept", r),
              run: async () => {
                await act(settlementActs.accept, { params, body: seen }, { done: "已受理，请核对退房申请" });
                if (may(settlementActs.edit.needs)) setOpen({ what: "edit", of: r });
              },
            },
            withReason(
              "驳回",
              settlementActs.reject as never,
              "reject",
              "驳回的原因会以短信告知租客。",
              "已驳回",
            ),
          ]
        : []),
      ...(on("inspecting", "settling")
        ? [
            {
              label: "提交结算",
              does: settlementActs.submit,
              why: whyNot("submit", r),
              run: () => setOpen({ what: "submit", of: r }),
            },
          ]
        : []),
      ...(on("confirming")
        ? [
            ...(r.agreed
              ? []
              : [
                  {
                    label: "送达结算单",
                    does: sendConfirm,
                    why: whyNot("present", r),
                    run: () => setOpen({ what: "present" as const, of: r }),
                  },
                  {
                    label: "登记租客确认",
                    does: settlementActs.agree,
                    why: whyNot("agree", r),
                    run: () => setOpen({ what: "agree" as const, of: r }),
                  },
                ]),
            {
              label: "确认结算",
              does: settlementActs.confirm,
              why: whyNot("confirm", r),
              run: () => setOpen({ what: "confirm", of: r }),
            },
            {
              label: "重新提交",
              does: settlementActs.submit,
              why: whyNot("submit", r),
              run: () => setOpen({ what: "submit" as const, of: r }),
            },
          ]
        : []),
      ...(on("inspecting", "settling", "confirming")
        ? [
            {
              label: "编辑结算",
              does: settlementActs.edit,
              why: whyNot("edit", r),
              run: () => setOpen({ what: "edit", of: r }),
            },
          ]
        : []),
      ...((OPEN as readonly string[]).includes(r.state)
        ? [{ label: "收款账户", does: savePayee, run: () => setOpen({ what: "payee", of: r }) }]
        : []),
      ...(on("requested", "rejected", "cancelled")
        ? []
        : [
            {
              label: "打印结算单",
              does: settlementSheetFile,
              run: () => openFile(`/contract/api/v3/settlement/${r.id}/sheet`),
            },
          ]),
      ...((OPEN as readonly string[]).includes(r.state) && !on("requested")
        ? [
            withReason(
              "取消退房",
              settlementActs.cancel,
              "cancel",
              "租客继续租住，房间不再显示退租中。",
              "已取消退房",
            ),
          ]
        : []),
      ...(on("toPay", "done")
        ? [
            withReason(
              "撤销结算",
              settlementActs.undo,
              "undo",
              "账单、押金、合同和房间恢复到结算之前；已支付的退款或已收的账单不能撤销。",
              "已撤销结算",
            ),
          ]
        : []),
    ];
  };
  return {
    of,
    layer:
      open &&
      (open.what === "agree" ? (
        <AgreeForm of={open.of} onClose={close} />
      ) : open.what === "payee" ? (
        <PayeeForm of={open.of} onClose={close} />
      ) : open.what === "present" ? (
        <PresentForm of={open.of} onClose={close} />
      ) : open.what === "edit" ? (
        <Editing of={open.of} onClose={close} />
      ) : (
        <StepDrawer of={open.of} step={open.what} onClose={close} />
      )),
  };
}

/** The form in which it is worked on; of what the tenant asked for, once it is taken up. */
function Editing({ of, onClose }: { of: SettleRow; onClose: () => void }) {
  const { data } = useQuery(ask(getSettlement, { params: { id: of.id } }));
  if (!data || data.state === "requested" || data.version < of.version) return null;
  return <EditForm of={data} onClose={onClose} />;
}

const AgreeForm = ({ of, onClose }: { of: SettleRow; onClose: () => void }) => (
  <FormDialog
    call={settlementActs.agree}
    title={`登记租客确认 ${of.actNo}`}
    ok="登记"
    done="已登记租客确认"
    params={{ id: of.id }}
    initial={{ version: of.version, how: "paper", fileIds: [] }}
    onClose={onClose}
    fields={[
      { key: "how", help: `结算单送达满${of.silentDays}天没有答复的，可以登记为逾期未答复` },
      { key: "note", placeholder: "如：租客当面签字；或送达后未答复的经过" },
      {
        key: "fileIds",
        title: "结算单或送达证明",
        must: true,
        input: (p) => (
          <PapersInput
            {...p}
            call={UPLOADS.paper10M}
            hint="租客签字的结算单，逾期未答复的上传送达证明；图片或PDF，最多9个"
          />
        ),
      },
    ]}
  />
);

/** One leaving: what was asked, what it comes to line by line, what became of it. */
export const SettleDrawer = ({ id, acts }: { id: number; acts: ReturnType<typeof useSettleActs> }) => (
  <Detail
    call={getSettlement}
    sent={{ params: { id } }}
    width={1080}
    title={(r) => r.actNo}
    tags={(r) => (
      <>
        <WordTag words={ACT_STATES} code={r.state} />
        <WordTag words={END_REASONS} code={r.endReason} dot={false} />
      </>
    )}
    strip={(r) => [
      { title: "押金在管", fen: r.depositHeld },
      // what is worked on has its figure below, as it comes to now
      ...(r.net === null ? [] : [{ title: r.net < 0 ? "应收" : "应退", fen: Math.abs(r.net), key: true }]),
    ]}
    facts={[
      {
        key: "contractNo",
        show: (r) => linked(contractPath(r), r.contractNo),
      },
      { key: "partyName", show: (r) => linked(partyPath(r), r.partyName) },
      { key: "roomNames", show: (r) => linked(roomPath(r), r.roomNames) },
      { title: "租期", show: (r) => `${r.start} ~ ${r.end}` },
      { key: "source", show: (r) => ACT_SOURCES[r.source][0] },
      "requestedOn",
      "effectiveOn",
      "presentedOn",
      { title: "通知日", show: (r) => r.draft.noticeOn ?? NONE },
      "handlerName",
      { key: "payeeText", show: (r) => payeeShown(r) },
      { title: "退房原因", wide: true, show: (r) => r.draft.reason },
      {
        title: "租客确认",
        wide: true,
        show: (r) => (r.agreedHow ? `${AGREED_BY[r.agreedHow][0]}：${r.agreedNote}` : NONE),
      },
    ]}
    actions={(r) => acts.of(r).map((a, i) => ({ ...a, main: i === 0 && !a.why && !a.danger }))}
    tabs={[
      {
        key: "lines",
        title: "结算明细",
        view: (r) =>
          r.lines.length ? (
            <div className="stack gap-8">
              <Waterfall
                title={`结算过程，${resultText(r.net ?? 0)}`}
                lines={r.lines}
                end={resultBar(r.net ?? 0)}
              />
              <RowTable
                schema={lineShape}
                rows={r.lines}
                columns={LINE_COLUMNS}
                sums={{ amount: r.net ?? 0 }}
                sumNote={resultText(r.net ?? 0)}
              />
            </div>
          ) : ["rejected", "cancelled"].includes(r.state) ? (
            <p className="sub">{r.endedWhy}</p>
          ) : (
            <Loaded call={settlementActs.preview} sent={{ params: { id: r.id }, body: {} }} lines={8}>
              {(preview) => <SettleLines preview={preview} />}
            </Loaded>
          ),
      },
      {
        key: "sheets",
        title: "验房",
        view: (r) => (
          <ContractSheets
            contractId={r.contractId}
            partyName={r.partyName}
            writes={["inspecting", "settling"].includes(r.state) ? ["out"] : []}
          />
        ),
      },
      {
        key: "links",
        title: "确认记录",
        view: (r) => <Links id={r.id} />,
      },
      {
        key: "files",
        title: "附件",
        count: (r) => r.files.length,
        view: (r) => <Papers files={r.files} />,
      },
    ]}
    log="settlement"
  />
);
