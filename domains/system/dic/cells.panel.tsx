import { Switch } from "antd";
import { Link } from "react-router";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { useBusy } from "../../../platform/console/parts/button.tsx";
import { InlineText } from "../../../platform/console/inputs/inline.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import type { Permit } from "../../../platform/kernel/call.ts";
import type { DicCalls, DicItem } from "./dic.contract.ts";
import { DIC_STATE, groupsOf, shownIn } from "./dic.rules.ts";

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
