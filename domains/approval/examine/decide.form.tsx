import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import type { Permit } from "../../../platform/kernel/call.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { listHolders } from "../../access/operator/operator.contract.ts";
import { decideExamine, type ExamineDetail } from "./examine.contract.ts";
import { takerOptions } from "./taker.rules.ts";

export type Asked = "approve" | "reject" | "return" | "transfer";

const TITLES: Record<Asked, { title: string; ok: string; done: string; comment: string }> = {
  approve: { title: "通过审批", ok: "通过", done: "已通过", comment: "审批意见" },
  reject: { title: "驳回审批", ok: "驳回", done: "已驳回", comment: "驳回原因" },
  return: { title: "退回到之前的节点", ok: "退回", done: "已退回", comment: "退回原因" },
  transfer: { title: "转交审批", ok: "转交", done: "已转交", comment: "转交原因" },
};

type DecideFormProps = { detail: ExamineDetail; decision: Asked; onDone: () => void; onClose: () => void };

export function DecideForm({ detail, decision, onDone, onClose }: DecideFormProps) {
  const said = TITLES[decision];
  const me = useOperator()?.operatorId;
  const own = detail.movable.find((p) => p.id === me) ?? detail.movable[0];
  const people = useQuery({
    ...ask(listHolders, { query: { permit: detail.permit as Permit, villageId: detail.villageId } }),
    enabled: decision === "transfer",
  });
  const taken = [
    detail.submitterId,
    ...detail.steps.filter((s) => s.state === "waiting").map((s) => s.operatorId),
  ];
  const must = decision !== "approve";
  return (
    <FormDialog
      call={decideExamine}
      params={{ id: detail.id }}
      title={said.title}
      ok={said.ok}
      done={said.done}
      initial={{
        decision,
        version: detail.version,
        ...(decision === "return" && { toOrder: detail.order - 1 }),
        ...(decision === "transfer" && own && own.id !== me && { fromOperatorId: own.id }),
      }}
      onDone={onDone}
      onClose={onClose}
      fields={[
        {
          key: "fromOperatorId",
          title: "代为转交",
          when: () => decision === "transfer" && detail.movable.some((p) => p.id !== me),
          input: (p) => (
            <Select
              id={p.id}
              value={p.value ?? own?.id}
              options={detail.movable.map((one) => ({ value: one.id, label: one.name }))}
              onChange={(id) => p.onChange(id === me ? undefined : id)}
            />
          ),
        },
        {
          key: "toOperatorId",
          must: true,
          when: () => decision === "transfer",
          help: "可查看该门店且有该页面权限的在职人员",
          input: (p) => (
            <Select
              id={p.id}
              value={p.value ?? null}
              loading={people.isFetching}
              placeholder="请选择人员"
              showSearch={{ optionFilterProp: "label" }}
              options={takerOptions(people.data ?? [], { not: taken })}
              onChange={(id) => p.onChange(id)}
            />
          ),
        },
        {
          key: "toOrder",
          title: "退回到",
          must: true,
          when: () => decision === "return",
          input: (p) => (
            <Select
              id={p.id}
              value={p.value ?? null}
              options={detail.nodes
                .filter((n) => n.order < detail.order)
                .map((n) => ({ value: n.order, label: `${n.order}. ${n.name}` }))}
              onChange={(order) => p.onChange(order)}
            />
          ),
        },
        { key: "comment", title: said.comment, must, placeholder: must ? "2-200字" : "选填" },
      ]}
    />
  );
}
