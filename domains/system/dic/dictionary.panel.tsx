import { useState } from "react";
import { useAct } from "../../../platform/console/act.ts";
import { ListPage } from "../../../platform/console/list.tsx";
import { useAddress } from "../../../platform/console/page.ts";
import type { DicCalls, DicItem } from "./dic.contract.ts";
import { DIC_STATE, groupsOf, USED } from "./dic.rules.ts";
import { FacilityMark } from "./icon.form.tsx";
import { ItemForm } from "./item.form.tsx";
import { MergeForm } from "./merge.form.tsx";
import { OrderForm } from "./order.form.tsx";

type Open = { kind: "add" } | { kind: "order" } | { kind: "edit" | "merge"; item: DicItem };

/** A dictionary: its groups as tabs, the words of one group below. */
export function Dictionary({ calls }: { calls: DicCalls }) {
  const { kind, code } = calls;
  const groups = groupsOf(kind);
  const act = useAct();
  const [address] = useAddress();
  const [open, setOpen] = useState<Open>();
  const group = address.get("group") ?? Object.keys(groups)[0]!;
  const { extra, title } = groups[group] ?? { title: "" };
  const close = () => setOpen(undefined);
  const turn = (item: DicItem, enabled: boolean) =>
    act(
      calls.edit,
      { params: { id: item.id }, body: { enabled, version: item.version } },
      { done: enabled ? "已启用" : "已停用" },
    );
  return (
    <>
      <ListPage
        call={calls.list}
        fixed={{ uses: "1" }}
        unit="项"
        tabs={{
          key: "group",
          counts: calls.counts,
          items: Object.entries(groups).map(([key, g]) => ({ key, title: g.title })),
        }}
        sort={{ sort: "sort", order: "asc" }}
        filters={[
          { kind: "choice", key: "state", title: "状态", words: DIC_STATE },
          { kind: "keyword", key: "keyword", title: "名称、编码" },
        ]}
        columns={[
          { key: "name", width: 180 },
          "code",
          ...(extra === "colour" ? (["colour"] as const) : []),
          ...(extra === "cleaning" ? (["hint", "photo"] as const) : []),
          ...(extra === "facility"
            ? [
                {
                  key: "icon" as const,
                  show: (item: DicItem) => <FacilityMark icon={item.icon} />,
                },
                {
                  key: "villageIds" as const,
                  show: (item: DicItem) =>
                    item.villageIds.length ? `${item.villageIds.length} 个门店` : "全部门店",
                },
              ]
            : []),
          "uses",
          "sort",
          "state",
          "builtIn",
          "updaterName",
          "updatedAt",
        ]}
        toolbar={[
          {
            label: `新增${title}`,
            icon: "plus",
            main: true,
            need: `${code}.add` as "58.add",
            run: () => setOpen({ kind: "add" }),
          },
          { label: "调整顺序", need: `${code}.edit` as "58.edit", run: () => setOpen({ kind: "order" }) },
        ]}
        rowActions={(item) => [
          { label: "编辑", need: `${code}.edit` as "58.edit", run: () => setOpen({ kind: "edit", item }) },
          item.state === "on"
            ? { label: "停用", need: `${code}.disable` as "58.disable", run: () => turn(item, false) }
            : { label: "启用", need: `${code}.enable` as "58.enable", run: () => turn(item, true) },
          {
            label: "合并到…",
            need: `${code}.edit` as "58.edit",
            why: item.builtIn ? "系统内置项不能合并" : undefined,
            run: () => setOpen({ kind: "merge", item }),
          },
          {
            label: "删除",
            need: `${code}.delete` as "58.delete",
            danger: true,
            why: item.builtIn ? "系统内置项不能删除，可改名或停用" : item.uses ? USED : undefined,
            run: () =>
              act(
                calls.remove,
                { params: { id: item.id } },
                { done: "已删除", ask: { title: "删除字典项", body: `确定删除“${item.name}”吗？` } },
              ),
          },
        ]}
        exportCall={calls.exported}
        emptyText="还没有字典项，可以新增"
      />
      {open?.kind === "add" && <ItemForm calls={calls} group={group} onClose={close} />}
      {open?.kind === "edit" && <ItemForm calls={calls} group={group} item={open.item} onClose={close} />}
      {open?.kind === "merge" && <MergeForm calls={calls} item={open.item} onClose={close} />}
      {open?.kind === "order" && <OrderForm calls={calls} group={group} onClose={close} />}
    </>
  );
}
