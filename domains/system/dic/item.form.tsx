import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { sendWire } from "../../../platform/console/calls/request.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { Ordered } from "../../../platform/console/inputs/ordered.tsx";
import { RecordSelect, VillagesSelect } from "../../../platform/console/inputs/selects.tsx";
import { Dialog, confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { CLEARS } from "../../../platform/console/inputs/clears.tsx";
import type { Source } from "../../../platform/kernel/filter.ts";
import type { DicCalls, DicItem } from "./dic.contract.ts";
import { FACILITY_ICONS, type FacilityIcon, groupsOf } from "./dic.rules.ts";

export function FacilityMark({ icon }: { icon: string }) {
  const [title] = FACILITY_ICONS[icon as FacilityIcon] ?? [];
  if (!title) return NONE;
  return (
    <span className="row">
      <Icon name={icon as FacilityIcon} /> {title}
    </span>
  );
}

/** A facility's drawing, or none. */
export const IconInput = ({ value, onChange, onBlur, id, disabled }: InputProps<string>) => (
  <Select
    id={id}
    value={value || null}
    disabled={disabled}
    allowClear={CLEARS}
    showSearch={{ optionFilterProp: "title" }}
    placeholder="请选择"
    options={Object.entries(FACILITY_ICONS).map(([key, [title]]) => ({
      value: key,
      title,
      label: <FacilityMark icon={key} />,
    }))}
    onChange={(next: string | null | undefined) => onChange(next ?? "")}
    onBlur={onBlur}
  />
);

type Props = { calls: DicCalls; group: string; item?: DicItem; onClose: () => void };

export function ItemForm({ calls, group, item, onClose }: Props) {
  const { title, one = title, keeps, extra } = groupsOf(calls.kind)[group]!;
  const renamed =
    item && keeps === "name" && item.uses ? `改名后，${item.uses} 处使用记录随之修改` : undefined;
  const more =
    extra === "colour"
      ? (["colour"] as const)
      : extra === "cleaning"
        ? (["hint", "photo"] as const)
        : extra === "facility"
          ? [
              { key: "icon" as const, input: (p: InputProps<string>) => <IconInput {...p} /> },
              {
                key: "villageIds" as const,
                help: "不选则全部门店可用",
                input: (p: React.ComponentProps<typeof VillagesSelect>) => <VillagesSelect {...p} />,
              },
            ]
          : [];
  const coded = !item || (!item.uses && !item.builtIn);
  const fields = [
    { key: "name" as const, must: true, ...(renamed && { help: renamed }) },
    ...(coded ? [{ key: "code" as const, ...(!item && { help: "留空自动生成，使用后不能修改" }) }] : []),
    ...more,
  ];
  const { code, ...rest } = item ?? {};
  return item ? (
    <FormDialog
      call={calls.edit}
      title={`编辑${one}`}
      done="已保存"
      params={{ id: item.id }}
      initial={{ ...rest, ...(coded && { code }) } as never}
      fields={fields as never}
      onClose={onClose}
    />
  ) : (
    <FormDialog
      call={calls.add}
      title={`新增${one}`}
      done="已新增"
      initial={{ group } as never}
      fields={fields as never}
      onClose={onClose}
    />
  );
}

/** The other words of its group; what is chosen is named by its id. */
const others = (calls: DicCalls, item: DicItem): Source => ({
  call: calls.list,
  query: { group: item.group },
  option: (row: DicItem) => ({
    value: row.id,
    label: row.name,
    ...(row.id === item.id && { note: "本项" }),
    ...(row.state === "off" && { note: "已停用" }),
  }),
});

type MergeFormProps = { calls: DicCalls; item: DicItem; onClose: () => void };

/** 合并到…: every use goes over to another word of the group, and this one is gone. */
export const MergeForm = ({ calls, item, onClose }: MergeFormProps) => (
  <FormDialog
    call={calls.merge}
    title={`合并${groupsOf(calls.kind)[item.group]!.title}“${item.name}”`}
    ok="合并"
    done="已合并"
    params={{ id: item.id }}
    initial={{ version: item.version }}
    fields={[
      {
        show: () => (
          <p className="sub">
            {item.uses ? `${item.uses} 处使用记录将改为所选项，` : "没有使用记录，"}“{item.name}”随后删除
          </p>
        ),
      },
      { key: "into", input: (p) => <RecordSelect {...p} source={others(calls, item)} /> },
    ]}
    onClose={onClose}
  />
);

type OrderFormProps = { calls: DicCalls; group: string; onClose: () => void };

export function OrderForm({ calls, group, onClose }: OrderFormProps) {
  const act = useAct();
  const [chosen, setChosen] = useState<number[]>();
  const { data, error, refetch } = useQuery({
    queryKey: ["dic", calls.kind, group, "order"],
    queryFn: ({ signal }) =>
      sendWire<{ list: DicItem[] }>(
        calls.list,
        { query: { group, pageSize: 200, sort: "sort", order: "asc", want: "rows" } },
        { signal },
      ),
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
  const was = data?.list.map((item) => item.id) ?? [];
  const ids = chosen ?? was;
  const named = new Map(data?.list.map((item) => [item.id, item.name]));
  const dirty = ids.join() !== was.join();
  const close = async () => {
    if (!dirty || (await confirmLeave())) onClose();
  };
  const save = async () => {
    if (await act(calls.order, { body: { group, was, ids } }, { done: "顺序已保存" })) onClose();
  };
  return (
    <Dialog
      title={`${groupsOf(calls.kind)[group]!.title}的顺序`}
      width={420}
      onClose={() => void close()}
      footer={<Foot cancel={close} ok="保存" why={dirty ? undefined : "顺序没有变化"} run={save} />}
    >
      {error && !data ? (
        <Broken error={error} retry={refetch} />
      ) : data ? (
        <Ordered
          label="顺序"
          items={ids.map((id) => ({ key: id, title: named.get(id) ?? "" }))}
          onChange={setChosen}
        />
      ) : (
        <RowsSkeleton rows={6} />
      )}
    </Dialog>
  );
}
