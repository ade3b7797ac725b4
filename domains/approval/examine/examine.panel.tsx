import { useQuery } from "@tanstack/react-query";
import { type CSSProperties, useState } from "react";
import { Link } from "react-router";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Papers } from "../../../platform/console/detail/papers.tsx";
import { type Moment, Timeline } from "../../../platform/console/detail/timeline.tsx";
import { ActionButtons } from "../../../platform/console/parts/actions.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { Heads } from "../../../platform/console/parts/heads.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { hoursText } from "../../../platform/kernel/duration.ts";
import type { Tone } from "../../../platform/kernel/field.ts";
import { type Asked, DecideForm } from "./decide.form.tsx";
import { EXAMINE_STATE, MODES, STEP_STATE, recordQuery } from "./engine.rules.ts";
import {
  type ExamineDetail,
  type ExamineStep,
  decideExamine,
  getExamine,
  submitExamine,
} from "./examine.contract.ts";
import "./examine.css";

type Node = ExamineDetail["nodes"][number];

/** What was said at a node in the round that counts: its last one. */
function stepsAt(detail: ExamineDetail, node: Node): ExamineStep[] {
  const here = detail.steps.filter((s) => s.order === node.order);
  const last = Math.max(0, ...here.map((s) => s.round));
  // after it was sent back, nodes behind the current one are still to come
  if (detail.state === "approving" && last < detail.round && node.order > detail.order) return [];
  return here.filter((s) => s.round === last);
}

const lookOf = (steps: readonly ExamineStep[]): string => {
  const has = (...states: string[]) => steps.some((s) => states.includes(s.state));
  if (has("waiting")) return "lane__box--now";
  if (has("rejected", "returned")) return "lane__box--no";
  return has("approved") ? "lane__box--done" : "";
};

/** The way of one approval: who was asked, who decided when and why, and who comes next. */
export const Way = ({ detail }: { detail: ExamineDetail }) => (
  <div className="lane">
    <div className="lane__one row gap-0">
      <div className="lane__box lane__box--if">
        <b>{detail.processName}</b>
        <small>{detail.condition}</small>
      </div>
    </div>
    {detail.nodes.map((node) => {
      const steps = stepsAt(detail, node);
      return (
        <div key={node.order} className="lane__one row gap-0">
          <div className={`lane__box ${lookOf(steps)}`}>
            <b>
              {node.order}. {node.name}
            </b>
            <small>
              {node.who}
              {node.people.length > 1 && ` · ${MODES[node.mode][0]}`}
            </small>
            <ul className="lane__who">
              {steps.length
                ? steps.map((step) => (
                    <li key={step.id}>
                      {step.name}
                      <WordTag words={STEP_STATE} code={step.state} dot={false} />
                      {step.transferredTo && <span className="dim">→ {step.transferredTo}</span>}
                      {step.decidedAt && step.state !== "skipped" && (
                        <small>{timeInZone(step.decidedAt).slice(5, 16)}</small>
                      )}
                      {step.comment && <p>{step.comment}</p>}
                    </li>
                  ))
                : node.people.map((person) => (
                    <li key={person.id} className={person.active ? "" : "lane__lost"}>
                      {person.name}
                      {!person.active && <StatusTag tone="red">已停用</StatusTag>}
                    </li>
                  ))}
            </ul>
          </div>
        </div>
      );
    })}
  </div>
);

type ExamineDrawerProps = { id: number; onClose: () => void; onDecided: () => void };

/** One approval and what can be decided about it. `onDecided` is told when it no longer waits for the reader. */
export function ExamineDrawer({ id, onClose, onDecided }: ExamineDrawerProps) {
  const { data, error, refetch } = useQuery(ask(getExamine, { params: { id } }));
  const [asked, setAsked] = useState<Asked>();
  return (
    <Drawer
      title={
        <>
          <span className="cut">{data?.examineNo ?? "审批"}</span>
          {data && <WordTag words={EXAMINE_STATE} code={data.state} />}
        </>
      }
      label={data?.examineNo ?? "审批"}
      width={960}
      onClose={onClose}
      footer={data && <Decisions detail={data} ask={setAsked} onDecided={onDecided} />}
    >
      {data ? (
        <Record detail={data} />
      ) : error ? (
        <Broken error={error} retry={refetch} />
      ) : (
        <RowsSkeleton rows={8} />
      )}
      {data && asked && (
        <DecideForm detail={data} decision={asked} onDone={onDecided} onClose={() => setAsked(undefined)} />
      )}
    </Drawer>
  );
}

type DecisionsProps = { detail: ExamineDetail; ask: (decision: Asked) => void; onDecided: () => void };
function Decisions({ detail, ask: start, onDecided }: DecisionsProps) {
  const act = useAct();
  const { mine, version } = detail;
  const params = { id: detail.id };
  const { again } = detail;
  return (
    <ActionButtons
      say
      actions={[
        mine && { label: "通过", main: true, why: detail.obstacle ?? undefined, run: () => start("approve") },
        mine && { label: "驳回", danger: true, run: () => start("reject") },
        mine && detail.order > 1 && { label: "退回", run: () => start("return") },
        detail.movable.length > 0 && { label: "转交", run: () => start("transfer") },
        detail.submitted &&
          detail.state === "approving" && {
            label: "撤回",
            run: async () => {
              const ended = await act(
                decideExamine,
                { params, body: { decision: "withdraw", version } },
                { done: "已撤回", ask: { title: "撤回审批", body: `确定撤回 ${detail.title} 的审批吗？` } },
              );
              if (ended) onDecided();
            },
          },
        again && {
          label: "重新提交",
          main: true,
          run: () =>
            act(
              submitExamine,
              { params, body: { version } },
              {
                done: "已重新提交",
                ask: { title: "重新提交审批", body: `按现在的内容和审批流程重新提交 ${detail.title}？` },
              },
            ),
        },
      ]}
    />
  );
}

function Record({ detail }: { detail: ExamineDetail }) {
  const to = reach(detail.page.split("?")[0]!, recordQuery(detail));
  return (
    <div className="exam">
      <dl className="facts" style={{ "--cols": 3 } as CSSProperties}>
        <Fact title="标题">{to ? <Link to={to}>{detail.title}</Link> : detail.title}</Fact>
        <Fact title="门店">{detail.villageName}</Fact>
        <Fact title="金额">{detail.amount === null ? "—" : <Money fen={detail.amount} strong />}</Fact>
        {detail.keyFacts.map(([title, text]) => (
          <Fact key={title} title={title}>
            {text}
          </Fact>
        ))}
        <Fact title="提交人">{detail.submitter}</Fact>
        <Fact title="提交时间">{timeInZone(detail.submittedAt).slice(0, 16)}</Fact>
        {detail.waited !== null && (
          <Fact title="已等待">
            <span className={detail.late ? "exam__wait--late" : ""}>{hoursText(detail.waited)}</span>
          </Fact>
        )}
      </dl>
      <dl className="facts exam__why" style={{ "--cols": 1 } as CSSProperties}>
        <Fact title="原因">{detail.reason || "—"}</Fact>
      </dl>
      {detail.obstacle && (
        <div className="exam__no fs-13 bad" role="alert">
          现在不能通过：{detail.obstacle}
        </div>
      )}
      {detail.preview.map((table) => (
        <Preview key={table.title} table={table} />
      ))}
      {detail.files.length > 0 && (
        <>
          <h3>附件</h3>
          <Papers
            files={detail.files}
            pathOf={(fileId) => `/system/api/v3/examine/${detail.id}/file/${fileId}`}
          />
        </>
      )}
      <h3>审批流程</h3>
      <Way detail={detail} />
      <h3>处理记录</h3>
      <Timeline moments={momentsOf(detail)} />
      {detail.history.length > 0 && (
        <>
          <h3>记录动态</h3>
          <Timeline moments={detail.history.map(({ id, ...moment }) => ({ key: id, ...moment }))} />
        </>
      )}
    </div>
  );
}

const Fact = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </>
);

/** What the act does, as the submitter saw it. */
const Preview = ({ table }: { table: ExamineDetail["preview"][number] }) => (
  <>
    <h3>{table.title}</h3>
    <div className="box">
      <table className="tbl tbl--flat">
        <Heads of={table.columns.map(({ title, kind }) => (kind === "money" ? [title, "num"] : title))} />
        <tbody>
          {table.rows.map((row, i) => (
            <tr key={i}>
              {row.map((cell, k) =>
                table.columns[k]?.kind === "money" ? (
                  <td key={k} className="num">
                    <Money fen={cell as number | null} />
                  </td>
                ) : (
                  <td key={k}>{cell ?? "—"}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </>
);

/** Every decision of every round, newest first, and the submission below them. */
function momentsOf(detail: ExamineDetail): Moment[] {
  const nameOf = (order: number) => detail.nodes[order - 1]?.name ?? `节点 ${order}`;
  const decided = detail.steps
    .filter((s) => s.decidedAt && s.state !== "skipped")
    .map((s) => ({
      key: s.id,
      at: s.decidedAt!,
      who: s.name,
      what: `${nameOf(s.order)}：${STEP_STATE[s.state][0]}${s.transferredTo ? `给 ${s.transferredTo}` : ""}`,
      note: s.comment,
      tone: STEP_STATE[s.state][1] as Tone,
    }));
  const submitted: Moment = {
    key: "submitted",
    at: detail.submittedAt,
    who: detail.submitter,
    what: "提交审批",
    note: detail.reason,
  };
  return [submitted, ...decided].toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
}
