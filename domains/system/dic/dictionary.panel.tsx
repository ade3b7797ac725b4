import { Switch } from "antd";
import { useState } from "react";
import { Link } from "react-router";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import { ImportDialog } from "../../../platform/console/files/importing.tsx";
import { InlineText } from "../../../platform/console/inputs/inline.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { useBusy } from "../../../platform/console/parts/button.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Permit } from "../../../platform/kernel/call.ts";
import type { WholeImportCalls } from "../import/import.contract.ts";
import type { DicCalls, DicItem } from "./dic.contract.ts";
import { DIC_STATE, USED, groupsOf, shownIn } from "./dic.rules.ts";
import { FacilityMark, ItemForm, MergeForm, OrderForm } from "./item.form.tsx";

type Of = { calls: DicCalls; item: DicItem };

/** A field that whoever may edit changes in its row. */
export function FieldCell({ calls, item, field }: Of & { field: "name" | "hint" }) {
  const act = useAct();
  if (!may(`${calls.code}.edit` as Permit)) return item[field] || NONE;
  return (
    <InlineText
      value={item[field]}
      label={field === "name" ? "名称" : "提示"}
      max={field === "name" ? 20 : 50}
      save={(next) =>
        act(
          calls.edit,
          { params: { id: item.id }, body: { [field]: next, version: item.version } },
          { done: "已保存" },
        )
      }
    />
  );
}

/** Whether the word is offered, as a switch for whoever may turn it. */
export function StateCell({ calls, item }: Of) {
  const act = useAct();
  const [busy, start] = useBusy();
  const on = item.state === "on";
  const needs = [`${calls.code}.edit`, `${calls.code}.${on ? "disable" : "enable"}`] as Permit[];
  if (!may(needs)) return <WordTag words={DIC_STATE} code={item.state} />;
  return (
    <Switch
      size="small"
      checked={on}
      loading={busy}
      aria-label={`${on ? "停用" : "启用"} ${item.name}`}
      onChange={(enabled) =>
        void start(() =>
          act(
            calls.edit,
            { params: { id: item.id }, body: { enabled, version: item.version } },
            { done: enabled ? "已启用" : "已停用" },
          ),
        )
      }
    />
  );
}

/** In how many records of which kind the word stands; each number leads to the list of them. */
export function UsesCell({ calls, item }: Of) {
  if (item.uses === null) return NONE;
  if (!item.uses) return "0";
  const held = groupsOf(calls.kind)[item.group]?.keeps === "code" ? item.code : item.name;
  return Object.entries(item.usedIn).map(([table, n], i) => {
    const { unit, list } = shownIn(calls.kind, item.group, table);
    const to = list && reach(list.path, { ...list.more, [list.key]: held });
    const text = `${n} ${unit}`;
    return (
      <span key={table}>
        {i > 0 && " · "}
        {to ? <Link to={to}>{text}</Link> : text}
      </span>
    );
  });
}

/** How many channels call the word otherwise outside, and where. */
export function MappedCell({ item }: { item: DicItem }) {
  if (item.mapped === null) return NONE;
  const to = reach("/configuration/ApartmentSync", { tab: "channels" });
  return item.mapped && to ? <Link to={to}>{item.mapped}</Link> : item.mapped;
}

type Open = { kind: "add" | "import" | "order" } | { kind: "edit" | "merge"; item: DicItem };

/** A dictionary: its groups as tabs, the words of one group below; `imported` where a spreadsheet may bring words. */
export function Dictionary({ calls, imported }: { calls: DicCalls; imported?: WholeImportCalls }) {
  const { kind, code } = calls;
  const groups = groupsOf(kind);
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
          { key: "name", width: 180, show: (item) => <FieldCell calls={calls} item={item} field="name" /> },
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
                { key: "icon" as const, show: (item: DicItem) => <FacilityMark icon={item.icon} /> },
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
          imported && { label: "导入", need: imported.check.needs, run: () => setOpen({ kind: "import" }) },
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
          deleteAction(calls.remove, item, {
            title: "删除字典项",
            body: `确定删除“${item.name}”吗？`,
            ok: "删除",
            need: `${code}.delete` as "58.delete",
            why: item.builtIn ? "系统内置项不能删除，可改名或停用" : item.uses ? USED : undefined,
          }),
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
