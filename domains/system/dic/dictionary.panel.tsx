import { useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import type { DicCalls, DicItem } from "./dic.contract.ts";
import { groupsOf, USED } from "./dic.rules.ts";
import { FieldCell, MappedCell, StateCell, UsesCell } from "./cells.panel.tsx";
import { FacilityMark, ItemForm, MergeForm } from "./item.form.tsx";
import { OrderForm } from "./order.form.tsx";
import { ImportDialog } from "../../../platform/console/files/importing.tsx";
import type { WholeImportCalls } from "../import/import.contract.ts";

type Open = { kind: "add" | "import" | "order" } | { kind: "edit" | "merge"; item: DicItem };

/** A dictionary: its groups as tabs, the words of one group below; `imported` where a spreadsheet may bring words. */
export function Dictionary({ calls, imported }: { calls: DicCalls; imported?: WholeImportCalls }) {
  const { kind, code } = calls;
  const groups = groupsOf(kind);
  const act = useAct();
  const [address] = useAddress();
  const [open, setOpen] = useState<Open>();
  const asked = address.get("group") ?? "";
  const group = asked in groups ? asked : Object.keys(groups)[0]!;
  const { extra, title, one = title } = groups[group]!;
  const close = () => setOpen(undefined);
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
        filters={["state", "keyword"]}
        columns={[
          {
            key: "name",
            width: 180,
            show: (item) => <FieldCell calls={calls} item={item} field="name" />,
          },
          "code",
          ...(extra === "colour" ? (["colour"] as const) : []),
          ...(extra === "cleaning"
            ? [
                {
                  key: "hint" as const,
                  show: (item: DicItem) => <FieldCell calls={calls} item={item} field="hint" />,
                },
                "photo" as const,
              ]
            : []),
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
          { key: "uses", show: (item) => <UsesCell calls={calls} item={item} /> },
          ...(calls.kind === "customer"
            ? []
            : [{ key: "mapped" as const, show: (item: DicItem) => <MappedCell item={item} /> }]),
          "sort",
          { key: "state", show: (item) => <StateCell calls={calls} item={item} /> },
          "builtIn",
          "updaterName",
          "updatedAt",
        ]}
        toolbar={[
          {
            label: `新增${one}`,
            icon: "plus",
            main: true,
            need: `${code}.add` as "58.add",
            run: () => setOpen({ kind: "add" }),
          },
          imported && {
            label: "导入",
            need: imported.check.needs,
            run: () => setOpen({ kind: "import" }),
          },
          { label: "调整顺序", need: `${code}.edit` as "58.edit", run: () => setOpen({ kind: "order" }) },
        ]}
        rowActions={(item) => [
          { label: "编辑", need: `${code}.edit` as "58.edit", run: () => setOpen({ kind: "edit", item }) },
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
                {
                  done: "已删除",
                  ask: { title: "删除字典项", body: `确定删除“${item.name}”吗？`, ok: "删除" },
                },
              ),
          },
        ]}
        exportCall={calls.exported}
        emptyText="还没有字典项，可以新增"
      />
      {open?.kind === "add" && <ItemForm calls={calls} group={group} onClose={close} />}
      {open?.kind === "edit" && <ItemForm calls={calls} group={group} item={open.item} onClose={close} />}
      {open?.kind === "merge" && <MergeForm calls={calls} item={open.item} onClose={close} />}
      {open?.kind === "import" && imported && (
        <ImportDialog
          title="导入字典项"
          calls={imported}
          undoSays={(b) =>
            `将删除 ${b.number} 导入的 ${b.rowCount} 个字典项；其中任何一项已被使用时不能撤销。`
          }
          onClose={close}
        />
      )}
      {open?.kind === "order" && <OrderForm calls={calls} group={group} onClose={close} />}
    </>
  );
}
