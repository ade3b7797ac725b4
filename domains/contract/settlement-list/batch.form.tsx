import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { freshKey } from "../../../platform/console/calls/mutation.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { DayInput } from "../../../platform/console/inputs/days.tsx";
import { RecordSelect, VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { Tick } from "../../../platform/console/inputs/tick.tsx";
import type { Column } from "../../../platform/console/list/columns.tsx";
import { RunDrawer, RunsDrawer } from "../../../platform/console/list/many-run.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { PEOPLE } from "../../access/operator/operator.contract.ts";
import { BUILDINGS } from "../../finance/bill-list/bill.contract.ts";
import {
  askMany,
  assignHandler,
  confirmMany,
  leavable,
  leavingBatch,
  leavingBatches,
  MOST,
  previewMany,
  ROW_STATES,
} from "../leaving/leaving.contract.ts";
import type { SettleRow } from "../settlement/settlement.contract.ts";
import { resultText } from "./result.rules.ts";

/** Which rows of a table are ticked; all that can be, until somebody says otherwise. */
function useTicks<R extends { id: number; contractNo: string }>(
  rows: readonly R[],
  whyNot: (row: R) => string,
) {
  const [off, setOff] = useState<ReadonlySet<number>>(new Set());
  const can = rows.filter((row) => !whyNot(row));
  const on = can.filter((row) => !off.has(row.id));
  const turn = (ids: readonly number[], to: boolean) =>
    setOff((now) => {
      const next = new Set(now);
      for (const id of ids)
        if (to) next.delete(id);
        else next.add(id);
      return next;
    });
  const column: Column<R> = {
    own: "tick",
    title: "选择",
    width: 56,
    show: (row) => (
      <Tick
        label={`选择 ${row.contractNo}`}
        checked={!whyNot(row) && !off.has(row.id)}
        why={whyNot(row) || undefined}
        onChange={(to) => turn([row.id], to)}
      />
    ),
  };
  const all = (
    <Tick
      checked={can.length > 0 && on.length === can.length}
      half={on.length > 0 && on.length < can.length}
      onChange={(to) =>
        turn(
          can.map((row) => row.id),
          to,
        )
      }
    >
      全选
    </Tick>
  );
  return { on, column, all };
}

type Batch = { title: string; id: number; onClose: () => void };

/** How far a batch is, and what became of each. */
const ResultDrawer = (of: Batch) => (
  <RunDrawer<Reply<typeof leavingBatch>>
    {...of}
    call={leavingBatch}
    said={({ state, percent }, done, refused) =>
      state === "running"
        ? `正在办理 ${percent}%，可以离开本页`
        : `已办理 ${done} 份，${refused} 份没有办理。`
    }
    columns={[
      "contractNo",
      "roomNames",
      "partyName",
      "actNo",
      { key: "state", show: (r) => <WordTag words={ROW_STATES} code={r.state} /> },
      "said",
    ]}
  />
);

/** What somebody did to many at once before, and what became of each. */
export const BatchesDrawer = ({ onClose }: { onClose: () => void }) => (
  <RunsDrawer<Reply<typeof leavingBatches>[number]>
    title="批量办理记录"
    call={leavingBatches}
    columns={["at", "kind", "state", "total", "done", "refused"]}
    emptyText="还没有批量办理过"
    result={(id, close) => <ResultDrawer title="批量办理结果" id={id} onClose={close} />}
    onClose={onClose}
  />
);

const ASKED = askMany.body.omit({ contractIds: true });
type Chosen = { villageId?: number; buildingId?: number | undefined; endBefore?: string | undefined };

/** Many leavings of one store: chosen, one day and reason for all, and each by itself. */
export function AskManyForm({ onClose }: { onClose: () => void }) {
  const title = "批量退房";
  const [chosen, setChosen] = useState<Chosen>({});
  const [batch, setBatch] = useState<number>();
  const { data } = useQuery({
    ...ask(leavable, { query: chosen as never }),
    enabled: chosen.villageId !== undefined,
  });
  const rows = data?.list ?? [];
  const ticks = useTicks(rows, () => "");
  const form = useForm(ASKED, { endReason: "breachLessor" });
  const run = async () => {
    await form.submit(async (body) => {
      const { id } = await send(askMany, { body: { ...body, contractIds: ticks.on.map((r) => r.id) } });
      setBatch(id);
    });
  };
  if (batch) return <ResultDrawer title={title} id={batch} onClose={onClose} />;
  return (
    <Drawer
      title={title}
      width={960}
      modal
      onClose={onClose}
      footer={
        <Foot cancel={onClose} note={<span className="sub">已选 {ticks.on.length} 份</span>}>
          <Button look="main" busy={form.busy} why={ticks.on.length ? undefined : "请先选择合同"} run={run}>
            提交申请
          </Button>
        </Foot>
      }
    >
      <div className="stack gap-8">
        <div className="row wrap gap-6">
          <VillageSelect
            value={chosen.villageId}
            onChange={(villageId) => setChosen({ villageId: villageId as number })}
            placeholder="门店"
          />
          <RecordSelect
            value={chosen.buildingId}
            onChange={(buildingId) => setChosen({ ...chosen, buildingId: buildingId as number })}
            source={{ ...BUILDINGS, query: { villageIds: chosen.villageId } }}
            placeholder="楼栋"
          />
          <DayInput
            value={chosen.endBefore}
            onChange={(endBefore) => setChosen({ ...chosen, endBefore })}
            placeholder="到期日不晚于"
          />
        </div>
        <FormFields form={form} label={80} fields={["effectiveOn", "endReason", "noticeOn", "reason"]} />
        {data && data.total > rows.length && (
          <p className="notice s-orange">
            共 {data.total} 份，一次最多办理 {MOST} 份，先列出到期最早的
          </p>
        )}
        {rows.length > 0 && ticks.all}
        {data ? (
          <RowTable
            schema={leavable.reply.shape.list}
            rows={rows}
            columns={[ticks.column, "contractNo", "roomNames", "partyName", "start", "end"]}
            emptyText="没有可以退房的合同"
          />
        ) : (
          <p className="sub">选择门店后列出可以退房的合同</p>
        )}
      </div>
    </Drawer>
  );
}

type Looked = Reply<typeof previewMany>[number];

/** Many settlements confirmed at once, each with the result that stands here. */
export function ConfirmManyForm({ of, onClose }: { of: readonly SettleRow[]; onClose: () => void }) {
  const title = `批量确认结算 ${of.length} 笔`;
  const [key] = useState(freshKey);
  const [batch, setBatch] = useState<number>();
  const { data, error, refetch } = useQuery(ask(previewMany, { body: { ids: of.map((r) => r.id) } }));
  const ticks = useTicks<Looked>(data ?? [], (r) => r.why);
  const refund = ticks.on.reduce((sum, r) => sum + Math.max(r.net, 0), 0);
  const owed = ticks.on.reduce((sum, r) => sum + Math.max(-r.net, 0), 0);
  const run = async () => {
    const rows = ticks.on.map(({ id, version, previewHash }) => ({ id, version, previewHash }));
    const { id } = await send(confirmMany, { body: { rows } }, { idempotencyKey: key });
    setBatch(id);
  };
  if (batch) return <ResultDrawer title={title} id={batch} onClose={onClose} />;
  return (
    <Drawer
      title={title}
      width={960}
      modal
      onClose={onClose}
      footer={
        <Foot
          cancel={onClose}
          note={
            <span className="sub">
              已选 {ticks.on.length} 笔，{resultText(refund)}
              {owed > 0 && `，${resultText(-owed)}`}
            </span>
          }
        >
          <Button look="main" why={ticks.on.length ? undefined : "没有可以确认的结算"} run={run}>
            确认结算
          </Button>
        </Foot>
      }
    >
      {error ? (
        <Broken error={error} retry={refetch} />
      ) : !data ? (
        <RowsSkeleton rows={8} />
      ) : (
        <div className="stack gap-6">
          {ticks.all}
          <RowTable
            schema={previewMany.reply}
            rows={data}
            columns={[
              ticks.column,
              "actNo",
              "contractNo",
              "partyName",
              { key: "net", show: (r) => resultText(r.net) },
              "warnings",
              "why",
            ]}
          />
        </div>
      )}
    </Drawer>
  );
}

export const AssignForm = ({ of, onClose }: { of: readonly SettleRow[]; onClose: () => void }) => (
  <FormDialog
    call={assignHandler}
    title={`指派处理人 ${of.length} 笔`}
    ok="指派"
    done="已指派处理人"
    initial={{ ids: of.map((r) => r.id) }}
    onClose={onClose}
    fields={[
      {
        key: "handlerId",
        input: (p) => <RecordSelect {...p} source={PEOPLE} placeholder="姓名、手机" />,
      },
    ]}
  />
);
