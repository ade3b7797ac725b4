import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { type BatchOutcome, changeBatch, previewBatch } from "../operator/batch.contract.ts";
import { listOperators } from "../operator/operator.contract.ts";
import { roleOptions } from "../role/role.contract.ts";
import { AssignmentsInput, VillagesInput } from "./assignments.form.tsx";

type Someone = { id: number; realName: string };
export type BatchOpened = { kind: "villages" | "roles" | "copy"; people: readonly Someone[]; from?: Someone };

const TITLES = { villages: "批量调整门店", roles: "批量调整角色", copy: "复制权限" };
type Change = {
  addVillages?: number[];
  removeVillages?: number[];
  addRoles?: { departmentId: number; roleId: number }[];
  removeRoles?: number[];
};

/** Other villages or roles for many people: who gains and loses what is shown before anything is written. */
export function BatchForm({ opened, onClose }: { opened: BatchOpened; onClose: () => void }) {
  const { kind, from } = opened;
  const refresh = useRefresh();
  const [ids, setIds] = useState(opened.people.map((p) => p.id));
  const [change, setChange] = useState<Change>({});
  const [told, setTold] = useState<BatchOutcome>();
  const set = (more: Change) => {
    setChange({ ...change, ...more });
    setTold(undefined);
  };
  const sent = { body: { ids, kind, ...change, ...(from && { fromId: from.id }) } };
  const chosen = kind === "copy" || Object.values(change).some((list) => list.length > 0);
  const why = ids.length ? (chosen ? undefined : "请选择要增加或移除的内容") : "请选择员工";
  const changed = told?.filter((row) => !row.why) ?? [];
  const apply = async () => {
    const done = await send(changeBatch, sent);
    toast(`已调整 ${done.filter((row) => !row.why).length} 人，下一次操作起生效`);
    onClose();
    await refresh();
  };
  return (
    <Dialog
      title={from ? `复制 ${from.realName} 的权限` : `${TITLES[kind]} · ${ids.length} 人`}
      width={640}
      onClose={onClose}
      footer={
        <Foot cancel={onClose}>
          {told ? (
            <Button look="main" why={changed.length ? undefined : "没有可以调整的员工"} run={apply}>
              确认调整 {changed.length} 人
            </Button>
          ) : (
            <Button look="main" why={why} run={async () => setTold(await send(previewBatch, sent))}>
              预览变更
            </Button>
          )}
        </Foot>
      }
    >
      <div className="batch">
        {kind === "copy" && (
          <>
            <span>复制给</span>
            <PeopleInput
              value={ids}
              without={from?.id}
              onChange={(next) => {
                setIds(next);
                setTold(undefined);
              }}
            />
            <span />
            <p className="sub">对方的部门、角色和门店范围将与 {from?.realName} 完全一致。</p>
          </>
        )}
        {kind === "villages" && (
          <>
            <span>增加门店</span>
            <VillagesInput
              label="增加门店"
              placeholder="不增加"
              value={change.addVillages}
              onChange={(next) => set({ addVillages: next ?? [] })}
            />
            <span>移除门店</span>
            <VillagesInput
              label="移除门店"
              placeholder="不移除"
              value={change.removeVillages}
              onChange={(next) => set({ removeVillages: next ?? [] })}
            />
          </>
        )}
        {kind === "roles" && (
          <>
            <span>增加角色</span>
            <AssignmentsInput value={change.addRoles} onChange={(next) => set({ addRoles: next ?? [] })} />
            <span>移除角色</span>
            <RolesInput value={change.removeRoles ?? []} onChange={(next) => set({ removeRoles: next })} />
          </>
        )}
      </div>
      {told && <Told rows={told} />}
    </Dialog>
  );
}

/** Per person: what they gain and lose, or why nothing changes. */
const Told = ({ rows }: { rows: BatchOutcome }) => (
  <ul className="gains" aria-label="变更预览">
    {rows.map((row) => (
      <li key={row.id}>
        <b>{row.realName}</b> <span className="dim">{row.account}</span>
        {row.why && <StatusTag tone="grey">不调整：{row.why}</StatusTag>}
        {row.gains.map((text) => (
          <p key={text} className="good">
            + {text}
          </p>
        ))}
        {row.loses.map((text) => (
          <p key={text} className="bad">
            − {text}
          </p>
        ))}
      </li>
    ))}
  </ul>
);

function RolesInput({ value, onChange }: { value: number[]; onChange: (ids: number[]) => void }) {
  const { data = [] } = useQuery(ask(roleOptions, { query: {} }));
  return (
    <Select
      mode="multiple"
      aria-label="移除角色"
      placeholder="不移除"
      value={value}
      showSearch={{ optionFilterProp: "label" }}
      options={data.map((r) => ({ value: r.id, label: r.name }))}
      onChange={onChange}
    />
  );
}

type PeopleInputProps = { value: number[]; onChange: (ids: number[]) => void; without: number | undefined };
function PeopleInput({ value, onChange, without }: PeopleInputProps) {
  const { data, isLoading } = useQuery(ask(listOperators, { query: { pageSize: 200, want: "rows" } }));
  return (
    <Select
      mode="multiple"
      aria-label="复制给"
      placeholder="请选择员工"
      loading={isLoading}
      value={value}
      showSearch={{ optionFilterProp: "search" }}
      options={(data?.list ?? [])
        .filter((o) => o.id !== without && o.superType === "")
        .map((o) => ({
          value: o.id,
          label: o.realName,
          search: `${o.realName} ${o.account}`,
          note: o.departments,
        }))}
      optionRender={({ data: o }) => (
        <span className="row">
          <span className="grow cut">{o.label}</span>
          <small className="dim">{o.note}</small>
        </span>
      )}
      onChange={onChange}
    />
  );
}
