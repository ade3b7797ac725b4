import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { ActionButtons } from "../../../platform/console/parts/actions.tsx";
import { useFollowed } from "../../../platform/console/calls/followed.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import {
  type Broken as Break,
  getCheck,
  goingOn,
  lastCheck,
  ledgerRun,
  listChecks,
  noteBreak,
  runCheck,
} from "../../finance/check/check.contract.ts";
import { placeOfKey } from "./books.rules.ts";

/** 勾稽检查: what the last runs proved, and every break with the record that is behind it. */
export function Checks() {
  const [runId, setRunId] = useState<number>();
  const [noting, setNoting] = useState<Break>();
  const runs = useQuery(ask(listChecks));
  const last = useFollowed(ask(lastCheck), goingOn);
  const chosen = useQuery({
    ...ask(getCheck, { params: { id: runId ?? 0 } }),
    enabled: runId !== undefined,
  });
  const { data, error, refetch } = runId === undefined ? last : chosen;
  const underway = last.data?.underway;
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={14} />;
  const { run, breaks } = data;
  return (
    <div className="stack gap-6 full scroll">
      <div className="row between wrap">
        {underway ? (
          <span className="dim" role="status">
            正在检查 {underway.progress}%，可以离开本页，完成后在这里查看
          </span>
        ) : last.data?.failed && runId === undefined ? (
          <span className="bad" role="status">
            上一次检查没有完成，请重新运行
          </span>
        ) : run ? (
          <span className="row">
            <StatusTag tone={run.ok ? "green" : "red"}>
              {run.ok ? "全部相符" : `${breaks.length} 处异常`}
            </StatusTag>
            <span className="dim">
              {timeInZone(run.runAt)} 运行，用时 {(run.millis / 1000).toFixed(1)} 秒
            </span>
          </span>
        ) : (
          <span className="dim">还没有运行过</span>
        )}
        <ActionButtons
          actions={[
            {
              label: "运行检查",
              main: true,
              does: runCheck,
              why: underway ? "检查正在进行" : undefined,
              run: async (act) => {
                setRunId(undefined);
                await act(runCheck, {}, { done: "已开始检查" });
              },
            },
          ]}
        />
      </div>
      {run ? (
        <>
          {breaks.length > 0 && (
            <section className="card">
              <div className="card__h">
                <h2>异常</h2>
              </div>
              <RowTable<Break>
                schema={lastCheck.reply.shape.breaks}
                rows={breaks}
                columns={[
                  { key: "code", width: 64 },
                  { key: "key", show: (r) => <Behind text={r.key} /> },
                  "villageName",
                  "expected",
                  "actual",
                  {
                    own: "diff",
                    title: "差额",
                    right: true,
                    show: (r) => <Money fen={r.actual - r.expected} />,
                  },
                  "note",
                  {
                    own: "act",
                    title: "",
                    width: 72,
                    show: (r) =>
                      may(noteBreak.needs) && (
                        <Button look="text" run={() => setNoting(r)}>
                          说明
                        </Button>
                      ),
                  },
                ]}
              />
            </section>
          )}
          <section className="card">
            <div className="card__h">
              <h2>检查项</h2>
            </div>
            <RowTable
              schema={ledgerRun.shape.results}
              rows={run.results}
              columns={[
                { key: "code", width: 64 },
                "name",
                "expected",
                "actual",
                {
                  own: "diff",
                  title: "差额",
                  right: true,
                  show: (r) => <Money fen={r.actual - r.expected} />,
                },
                {
                  key: "breaks",
                  width: 88,
                  show: (r) =>
                    r.breaks ? (
                      <StatusTag tone="red">{r.breaks} 处</StatusTag>
                    ) : (
                      <StatusTag tone="green">相符</StatusTag>
                    ),
                },
              ]}
            />
          </section>
          <section className="card">
            <div className="card__h">
              <h2>最近的检查</h2>
            </div>
            <RowTable
              schema={listChecks.reply}
              rows={runs.data ?? []}
              marked={(r) => r.id === run.id}
              columns={[
                "runAt",
                "kind",
                {
                  key: "ok",
                  show: (r) =>
                    r.ok ? <StatusTag tone="green">相符</StatusTag> : <StatusTag tone="red">异常</StatusTag>,
                },
                "breaks",
                "millis",
                {
                  own: "open",
                  title: "",
                  width: 72,
                  show: (r) => (
                    <Button look="text" run={() => setRunId(r.id)}>
                      查看
                    </Button>
                  ),
                },
              ]}
            />
          </section>
        </>
      ) : (
        <Empty text="每天凌晨自动核对一次账簿，也可以现在运行" />
      )}
      {noting && (
        <FormDialog
          call={noteBreak}
          params={{ id: noting.id }}
          title={`说明 ${noting.key}`}
          ok="保存"
          done="已保存说明"
          initial={{ note: noting.note }}
          fields={["note"]}
          onClose={() => setNoting(undefined)}
        />
      )}
    </div>
  );
}

/** The record behind a break, where its number says which. */
function Behind({ text }: { text: string }) {
  const place = placeOfKey(text);
  const to = place && reach(place.path, { keyword: place.keyword });
  return to ? <Link to={to}>{text}</Link> : text;
}
