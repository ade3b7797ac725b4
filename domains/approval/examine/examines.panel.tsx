import { useQuery } from "@tanstack/react-query";
import { hoursText } from "../../../platform/kernel/duration.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { confirm } from "../../../platform/console/parts/dialog.tsx";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import {
  moduleTypes,
  countExamines,
  decideExamine,
  listExamines,
  type ExamineRow,
} from "./examine.contract.ts";
import { ExamineDrawer } from "./examine.panel.tsx";
import { recordQuery } from "./engine.rules.ts";

const BOXES = [
  { key: "mine", title: "待我审批" },
  { key: "sent", title: "我发起的" },
  { key: "returned", title: "被驳回待修改" },
  { key: "done", title: "我已处理" },
];
const MOST = 50;

/** 审批 on the workbench: what waits for me, what I sent, what I decided, and for administrators all of it. */
export default function Examines() {
  const [address, set] = useAddress();
  const refresh = useRefresh();
  const { data: types = [] } = useQuery(ask(moduleTypes, {}));
  const openId = Number(address.get("examineId")) || undefined;
  const open = (id: number | undefined) => set({ examineId: id }, { push: openId === undefined });

  /** The next one that waits opens by itself, until none is left. */
  const next = async () => {
    await refresh();
    const query = { box: "mine" as const, pageSize: 1, want: "rows" as const };
    const { list } = await send(listExamines, { query });
    open(list[0]?.id);
  };
  return (
    <>
      <ListPage
        call={listExamines}
        unit="条"
        tabs={{
          key: "box",
          items: may("49.query") ? [...BOXES, { key: "all", title: "全部" }] : BOXES,
          counts: countExamines,
        }}
        filters={[
          { key: "types", words: Object.fromEntries(types.map((t) => [t.type, [t.title, "grey"]])) as Words },
          "villageIds",
          "submittedFrom",
          "keyword",
          "state",
          "amountFrom",
        ]}
        columns={[
          {
            key: "examineNo",
            width: 156,
            show: (row) => (
              <button type="button" className="linkish" onClick={() => open(row.id)}>
                {row.examineNo}
              </button>
            ),
          },
          { key: "typeName", width: 100, hidden: true },
          { key: "title", to: (row) => reach(row.page.split("?")[0]!, recordQuery(row)) },
          "villageName",
          { key: "amount", strong: true },
          { key: "factText", width: 150 },
          { key: "submitter", width: 80 },
          { key: "submittedAt", width: 136 },
          { key: "node", width: 110 },
          { key: "waitingFor", hidden: true },
          {
            key: "waited",
            width: 92,
            show: (row) =>
              row.waited === null ? (
                <span className="dim">—</span>
              ) : (
                <span className={row.late ? "bad" : ""}>{hoursText(row.waited)}</span>
              ),
          },
          "state",
        ]}
        card={{
          title: "title",
          right: "state",
          lines: [
            ["submitter", (row) => row.amount !== null && <b className="card__fen">{yuan(row.amount)}</b>],
            [
              "node",
              (row) =>
                row.waited !== null && (
                  <span className={row.late ? "bad" : "dim"}>{hoursText(row.waited)}</span>
                ),
            ],
          ],
          sums: ["amount"],
        }}
        rowActions={(row) => [{ label: row.mine ? "审批" : "查看", run: () => open(row.id) }]}
        batch={[
          {
            label: "批量通过",
            why: (rows) =>
              rows.length > MOST
                ? `一次最多处理${MOST}条`
                : rows.some((row) => !row.mine)
                  ? "只能处理待我审批的"
                  : undefined,
            run: async (rows) => {
              await approveAll(rows);
              await refresh();
            },
          },
        ]}
        pickedNote={(rows) => `金额 ${yuan(rows.reduce((sum, row) => sum + (row.amount ?? 0), 0))}`}
        emptyText="需要审批的操作提交后显示在这里"
      />
      {openId !== undefined && (
        <ExamineDrawer
          key={openId}
          id={openId}
          onClose={() => open(undefined)}
          onDecided={() => void next()}
        />
      )}
    </>
  );
}

/** One after the other, each by itself: what cannot be approved is listed with why, and the others stand. */
async function approveAll(rows: readonly ExamineRow[]): Promise<void> {
  const refused: { row: ExamineRow; why: string }[] = [];
  const asked = await confirm({
    title: "批量通过",
    body: `通过 ${rows.length} 条审批，确定吗？`,
    ok: "通过",
    run: async () => {
      for (const row of rows)
        await send(
          decideExamine,
          { params: { id: row.id }, body: { decision: "approve", version: row.version } },
          { idempotencyKey: freshKey() },
        ).catch((error: unknown) => refused.push({ row, why: sentence(error) }));
    },
  });
  if (!asked) return;
  const done = rows.length - refused.length;
  if (done) toast(`已通过 ${done} 条`);
  if (!refused.length) return;
  await confirm({
    title: `${refused.length} 条未通过`,
    width: 560,
    ok: "知道了",
    body: (
      <ul>
        {refused.map(({ row, why }) => (
          <li key={row.id}>
            {row.examineNo} {row.title}：<span className="bad">{why}</span>
          </li>
        ))}
      </ul>
    ),
  });
}
