import { timeInZone } from "../../../platform/kernel/day.ts";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import type { ExamineDetail, ExamineStep } from "./examine.contract.ts";
import { MODES, STEP_STATE } from "./engine.rules.ts";
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
