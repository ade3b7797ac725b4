import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../../../platform/console/calls/request.ts";
import { VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { MODES } from "../examine/engine.rules.ts";
import { FieldInput } from "./condition.form.tsx";
import { trialModule, type ModuleDetail } from "./module.contract.ts";

/** 试算: typed values and a village give the lane that would be taken, and whom it would ask. */
export function Trial({
  module,
  onTaken,
}: {
  module: ModuleDetail;
  /** Which of the module's own lanes is taken now. */
  onTaken: (at: number | null) => void;
}) {
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
