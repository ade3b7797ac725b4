import { useState } from "react";
import { hoursText } from "../../../platform/kernel/duration.ts";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { History } from "../../../platform/console/detail/history.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { MODES } from "../examine/words.rules.ts";
import { moduleActions, type Opening } from "./acts.panel.tsx";
import { getModule, type ModuleDetail } from "./module.contract.ts";
import { removeProcess, type ProcessShown } from "./process.contract.ts";
import { Trial } from "./trial.panel.tsx";
import { ENABLED } from "./words.rules.ts";
import "../examine/examine.css";

/** One module: its villages, its lanes, and a try of them. */
export const ModuleDrawer = ({ id, open }: { id: number; open: (opening: Opening) => void }) => {
  const act = useAct();
  return (
    <Detail
      call={getModule}
      sent={{ params: { id } }}
      width={960}
      title={(module) => module.name}
      tags={(module) => <WordTag words={ENABLED} code={module.enabled} />}
      facts={[
        "typeName",
        "fallback",
        { title: "待审", show: (m) => `${m.open} 条` },
        {
          title: "门店",
          wide: true,
          show: (m) =>
            `${m.villages.map((v) => v.name).join("、")}${
              m.villageCount > m.villages.length ? ` 等 ${m.villageCount} 个` : ""
            }`,
        },
      ]}
      actions={(module) => moduleActions(module, { act, open })}
      tabs={[
        { key: "way", title: "审批流程", view: (m) => <Lanes module={m} /> },
        ...(may(["130.query", "49.get"])
          ? [
              {
                key: "log",
                title: "修改记录",
                view: (m: ModuleDetail) => <History kind="module" id={m.id} />,
              },
            ]
          : []),
      ]}
    />
  );
};

/** Each process drawn: condition, then node after node with who is asked. */
function Lanes({ module }: { module: ModuleDetail }) {
  const [taken, setTaken] = useState<number | null>(null);
  const act = useAct();
  return (
    <>
      <Trial module={module} onTaken={setTaken} />
      {module.processes.map((process, i) => (
        <div key={process.id} className={`audit__lane ${taken === i ? "audit__lane--on" : ""}`}>
          <Lane
            process={process}
            remove={
              !process.isDefault && module.editable && may("49.edit")
                ? () =>
                    act(
                      removeProcess,
                      { params: { id: process.id } },
                      {
                        done: "流程已删除",
                        ask: {
                          title: "删除流程",
                          body: `确定删除流程 ${process.name} 吗？正在进行的审批不受影响。`,
                        },
                      },
                    )
                : undefined
            }
          />
        </div>
      ))}
    </>
  );
}

const Lane = ({ process, remove }: { process: ProcessShown; remove: (() => unknown) | undefined }) => (
  <div className="lane">
    <div className="lane__one row gap-0">
      <div className="lane__box lane__box--if">
        <b>{process.name}</b>
        <small>{process.isDefault ? "以上条件都不满足时" : process.condition}</small>
        {remove && (
          <div>
            <button type="button" className="linkish" onClick={() => void remove()}>
              删除
            </button>
          </div>
        )}
      </div>
    </div>
    {process.nodes.map((node, i) => (
      <div key={node.id} className="lane__one row gap-0">
        <div className="lane__box">
          <b>
            {i + 1}. {node.name}
          </b>
          <small>
            {node.who}
            {(node.people.length > 1 || node.by === "role") && ` · ${MODES[node.mode][0]}`}
            {node.remindHours > 0 && ` · 超过 ${hoursText(node.remindHours)}提醒`}
          </small>
          {node.people.length > 0 && (
            <ul className="lane__who">
              {node.people.map((person) => (
                <li key={person.name} className={person.active ? "" : "lane__lost"}>
                  {person.name}
                  {!person.active && "（已停用）"}
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    ))}
    {process.nodes.length === 0 && (
      <div className="lane__one row gap-0">
        <div className="lane__box">
          <b>免审批</b>
          <small>直接生效</small>
        </div>
      </div>
    )}
  </div>
);
