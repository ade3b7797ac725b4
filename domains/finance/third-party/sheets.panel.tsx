import type { ReactNode } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { Papers } from "../../../platform/console/detail/papers.tsx";
import { ImportDialog } from "../../../platform/console/files/importing.tsx";
import { useOpened } from "../../../platform/console/form/opened.tsx";
import { firstWhy } from "../../../platform/console/list/picked.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { FLOWS } from "../bill/bill.rules.ts";
import { Entries, Moments } from "../journal/entries.panel.tsx";
import * as calls from "./income.contract.ts";
import { SettleForm, SheetForm } from "./sheet.form.tsx";
import { PARTNER_KIND, SHEET_MOVES, SHEET_STATE, type SheetMove, SHEETS } from "./third-party.rules.ts";

type Row = calls.SheetRow;
const LINES = "/accountManage/CorporateFlow";
const whyNot = (move: SheetMove, s: Row) =>
  s.frozen ? "审批中，不能修改" : SHEET_MOVES.refusal(move, { ...s, status: s.state });
const partnerPath = (s: Row) => pathTo(SHEETS, { list: "partners", id: s.thirdPartyId });

const FORMS = { edit: SheetForm, settle: SettleForm };

/** What can be done with a sheet, and the form that an act has opened. */
function useSheetActs(): [of: (s: Row) => Actions, layer: ReactNode] {
  const act = useAct();
  const { opens, layer } = useOpened(calls.getSheet, FORMS);
  const of = (s: Row): Actions => {
    const sent = { params: { id: s.id }, body: { version: s.version } };
    return [
      {
        label: "确认",
        does: calls.confirmSheet,
        why: whyNot("confirm", s),
        run: async () => {
          const done = await act(calls.confirmSheet, sent, {
            ask: {
              title: `确认 ${s.sheetNo}`,
              body: `${s.partnerName} ${s.month} 我方分成 ${yuan(s.share)}，税额 ${yuan(s.tax)}，确认后入账。`,
              ok: "确认",
            },
          });
          if (done) toast(done.waiting ? `已提交审批 ${done.waiting}` : "已确认");
        },
      },
      {
        label: "结算",
        does: calls.settleSheet,
        why: whyNot("settle", s),
        run: opens("settle", s),
      },
      {
        label: "修改",
        does: calls.editSheet,
        why: whyNot("edit", s),
        run: opens("edit", s),
      },
      {
        label: "冲销",
        does: calls.reverseSheet,
        danger: true,
        why: whyNot("reverse", s),
        run: () =>
          act(calls.reverseSheet, sent, {
            done: "已冲销",
            reason: {
              title: `冲销 ${s.sheetNo}`,
              text: `我方分成 ${yuan(s.share)} 按今天冲回，之后可重新登记该月收入。`,
              ok: "冲销",
            },
          }),
      },
      {
        label: "删除",
        does: calls.deleteSheet,
        danger: true,
        why: whyNot("remove", s),
        run: () =>
          act(
            calls.deleteSheet,
            { params: { id: s.id }, query: { version: s.version } },
            { done: "已删除", ask: { title: `删除 ${s.sheetNo}`, body: "草稿删除后不能恢复。" } },
          ),
      },
    ];
  };
  return [of, layer];
}

/** Takings of partners by store and month, our share of them and what is still owed. */
export function Sheets() {
  const [actsOf, layer] = useSheetActs();
  const act = useAct();
  return (
    <>
      <ListPage
        call={calls.listSheets}
        unit="笔"
        filters={["villageIds", "month", "thirdPartyId", "kind", "state"]}
        columns={[
          { key: "sheetNo", width: 152 },
          "villageName",
          { key: "month", width: 80 },
          { key: "partnerName", to: partnerPath },
          { key: "kind", show: (s) => PARTNER_KIND[s.kind][0], width: 84 },
          "gross",
          { key: "formula", wide: true },
          { key: "share", strong: true },
          { key: "tax", wide: true },
          "settled",
          "outstanding",
          { key: "state", width: 92 },
          { key: "files", hidden: true },
          { key: "creator", hidden: true },
          { key: "source", hidden: true },
        ]}
        card={{
          title: "partnerName",
          right: "state",
          lines: [
            ["villageName", "month"],
            ["gross", "share"],
            ["sheetNo", "outstanding"],
          ],
          sums: ["share", "settled", "outstanding"],
        }}
        adds={{ does: calls.addSheet, form: (close) => <SheetForm onClose={close} /> }}
        imports={{
          does: calls.sheetImport.check,
          form: (close) => (
            <ImportDialog
              title="导入第三方收入"
              calls={calls.sheetImport}
              hint="按模板填写 .xlsx，每个门店、月份和合作方一行；有错误时不导入任何一行"
              totals={(batch) => [{ title: "总额合计", text: yuan(batch.amount) }]}
              onClose={close}
            />
          ),
        }}
        rowActions={actsOf}
        batch={[
          {
            label: "批量确认",
            does: calls.confirmSheets,
            why: (rows) =>
              firstWhy(
                rows,
                (s) => s.sheetNo,
                (s) => whyNot("confirm", s),
              ),
            run: async (rows) => {
              const sum = rows.reduce((total, s) => total + s.share, 0);
              const done = await act(
                calls.confirmSheets,
                { body: { items: rows.map(({ id, version }) => ({ id, version })) } },
                {
                  ask: { title: "批量确认", body: `${rows.length} 笔，我方分成 ${yuan(sum)}，确认后入账。` },
                },
              );
              if (done)
                toast(
                  done.waiting
                    ? `已确认 ${done.count} 笔，${done.waiting} 笔已提交审批`
                    : `已确认 ${done.count} 笔`,
                );
            },
          },
        ]}
        pickedNote={(rows) => `我方分成 ${yuan(rows.reduce((sum, s) => sum + s.share, 0))}`}
        drawer={(id) => <SheetDrawer id={id} actsOf={actsOf} />}
        exportCall={calls.exportSheets}
        emptyText="先登记合作方，再按月录入或导入它们的收入，确认后入账并跟进结算"
      />
      {layer}
    </>
  );
}

const SheetDrawer = ({ id, actsOf }: { id: number; actsOf: (s: Row) => Actions }) => (
  <Detail
    call={calls.getSheet}
    sent={{ params: { id } }}
    title={(s) => s.sheetNo}
    tags={(s) => (
      <>
        <WordTag words={SHEET_STATE} code={s.state} />
        <WordTag words={PARTNER_KIND} code={s.kind} dot={false} />
      </>
    )}
    strip={(s) => [
      { title: "对方收入总额", fen: s.gross },
      { title: "我方分成", fen: s.share },
      { title: "税额", fen: s.tax },
      { title: "未结算", fen: s.outstanding, key: true },
      ...(s.waiting ? [{ title: "待确认结算", fen: s.waiting, help: "已登记收款，待第二人确认" }] : []),
    ]}
    facts={[
      "partnerName",
      { title: "门店与月份", show: (s) => `${s.villageName} ${s.month}` },
      { key: "formula", wide: true },
      { key: "overrideReason", wide: true, show: (s) => s.overrideReason || NONE },
      "creator",
      {
        title: "确认",
        show: (s) =>
          s.confirmedAt ? `${timeInZone(s.confirmedAt).slice(0, 16)} ${s.confirmer ?? ""}` : NONE,
      },
    ]}
    actions={(s) => actsOf(s).map((one, i) => one && { ...one, main: i < 2 && !one.why })}
    tabs={[
      {
        key: "settlements",
        title: "结算记录",
        count: (s) => s.settlements.length,
        view: (s) => <Settlements sheet={s} />,
      },
      {
        key: "files",
        title: "附件",
        count: (s) => s.papers.length,
        view: (s) => <Papers files={s.papers} />,
      },
      {
        key: "entries",
        title: "凭证",
        count: (s) => s.entries.length,
        view: (s) => <Entries entries={s.entries} />,
      },
      { key: "log", title: "业务日志", view: (s) => <Moments log={s.log} /> },
    ]}
  >
    {(s) =>
      s.reversedAt && (
        <p className="noted fs-13 sub">{`${timeInZone(s.reversedAt).slice(0, 16)} 冲销：${s.reverseReason}`}</p>
      )
    }
  </Detail>
);

type Settled = Reply<typeof calls.getSheet>["settlements"][number];

/** What came of the share, each with the way back. */
function Settlements({ sheet }: { sheet: Reply<typeof calls.getSheet> }) {
  const act = useAct();
  const undo = async (s: Settled) => {
    const done = await act(
      calls.undoSettlement,
      { params: { id: sheet.id, settlementId: s.id }, body: { version: sheet.version } },
      {
        reason: {
          title: `撤销结算 ${s.paidBy}`,
          text: s.flowId
            ? `收款 ${yuan(s.amount)} 按今天冲回。`
            : `${yuan(s.amount)} 退回对公流水，可重新认领。`,
          ok: "撤销结算",
        },
      },
    );
    if (done) toast(done.waiting ? `已提交审批 ${done.waiting}` : "已撤销结算");
  };
  return (
    <RowTable
      schema={calls.getSheet.reply.shape.settlements}
      rows={sheet.settlements}
      emptyText="还没有结算"
      columns={[
        "settledOn",
        "amount",
        {
          key: "paidBy",
          to: (s) => (s.flowId ? reach(FLOWS, { id: s.flowId }) : reach(LINES, { id: s.bankLineId! })),
        },
        "operator",
        {
          own: "undo",
          title: "",
          show: (s) =>
            s.undoneAt ? (
              <span className="dim">已撤销：{s.undoReason}</span>
            ) : (
              may(calls.undoSettlement.needs) &&
              (s.flowId === null || may("#10202")) && (
                <button type="button" className="linkish" onClick={() => void undo(s).catch(() => undefined)}>
                  撤销结算
                </button>
              )
            ),
        },
      ]}
      sums={{ amount: sheet.settled }}
    />
  );
}
