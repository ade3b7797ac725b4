import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { History } from "../../../platform/console/detail/history.tsx";
import { VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { doing, type Actions } from "../../../platform/console/parts/actions.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { hoursText } from "../../../platform/kernel/duration.ts";
import { MODES } from "../examine/engine.rules.ts";
import { FieldInput } from "./condition.form.tsx";
import { ENABLED } from "../examine/condition.rules.ts";
import {
  type ModuleDetail,
  type ModuleRow,
  addModule,
  disableModule,
  enableModule,
  getModule,
  removeModule,
  trialModule,
  updateVillages,
} from "./module.contract.ts";
import { type ProcessShown, removeProcess } from "./process.contract.ts";
import "../examine/examine.css";

type TrialProps = {
  module: ModuleDetail;
  /** Which of the module's own lanes is taken now. */
  onTaken: (at: number | null) => void;
};

/** 试算: typed values and a village give the lane that would be taken, and whom it would ask. */
export function Trial({ module, onTaken }: TrialProps) {
  const [villageId, setVillage] = useState<number | undefined>(module.villages[0]?.id);
  const [values, setValues] = useState<Record<string, number | undefined>>({});
  const given = Object.fromEntries(
    Object.entries(values).filter((pair): pair is [string, number] => Number.isFinite(pair[1])),
  );
  const ready = villageId !== undefined && Object.keys(given).length > 0;
  const { data, error } = useQuery({
    queryKey: [trialModule.path, module.moduleType, module.version, villageId, given],
    queryFn: async ({ signal }) => {
      const body = { moduleType: module.moduleType, villageId: villageId!, values: given };
      const reply = await send(trialModule, { body }, { signal });
      onTaken(reply.moduleId === module.id ? reply.process : null);
      return reply;
    },
    enabled: ready,
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <section aria-label="试算">
      <div className="audit__trial">
        <label>
          <span className="audit__cap fs-12 dim">门店</span>
          <VillageSelect value={villageId} onChange={setVillage} />
        </label>
        {module.fields.map((field) => (
          <label key={field.key}>
            <span className="audit__cap fs-12 dim">{field.title}</span>
            <FieldInput
              field={field}
              value={values[field.key]}
              onChange={(value) => setValues({ ...values, [field.key]: value })}
            />
          </label>
        ))}
      </div>
      <p className="audit__said" role="status">
        {error ? (
          <span className="bad">{sentence(error)}</span>
        ) : !ready || !data ? (
          <span className="dim">填写金额等条件，查看适用的流程和审批人</span>
        ) : data.moduleId === null ? (
          "该门店没有启用的审批配置，直接生效"
        ) : (
          <>
            {data.moduleName}：<b>{data.processName}</b>（{data.condition}）
            {data.nodes.length
              ? data.nodes.map((node, i) => (
                  <span key={i}>
                    {" → "}
                    {node.name} <b>{node.people.join("、") || "没有可用的审批人"}</b>
                    {node.people.length > 1 && `（${MODES[node.mode][0]}）`}
                  </span>
                ))
              : " → 免审批，直接生效"}
          </>
        )}
      </p>
    </section>
  );
}

/** A form over a module, to be opened with the whole of it. */
export type Opening = { form: "edit" | "copy" | "villages"; id: number };

const WHY = "该审批配置含您不能管理的门店，请由可管理其全部门店的人员修改";

export function moduleActions(
  module: Pick<ModuleRow, "id" | "name" | "enabled" | "editable" | "open" | "version">,
  open: (opening: Opening) => void,
): Actions {
  const { id, version } = module;
  const why = module.editable ? undefined : WHY;
  const on = module.enabled === "on";
  const sent = { params: { id }, body: { version } };
  return [
    { label: "编辑", need: "49.edit", why, run: () => open({ form: "edit", id }) },
    { label: "设置门店", does: updateVillages, why, run: () => open({ form: "villages", id }) },
    on
      ? {
          label: "停用",
          why,
          ...doing(disableModule, sent, "已停用", {
            title: "停用审批配置",
            body: `停用 ${module.name} 后，新提交的操作直接生效；正在进行的审批继续按原流程完成。`,
          }),
        }
      : { label: "启用", why, ...doing(enableModule, sent, "已启用") },
    { label: "复制", does: addModule, run: () => open({ form: "copy", id }) },
    deleteAction(removeModule, module, {
      title: "删除审批配置",
      body: `确定删除 ${module.name} 吗？`,
      why: why ?? (module.open ? `有 ${module.open} 条审批进行中` : undefined),
    }),
  ];
}

/** One module: its villages, its lanes, and a try of them. */
export const ModuleDrawer = ({ id, open }: { id: number; open: (opening: Opening) => void }) => {
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
      actions={(module) => moduleActions(module, open)}
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
