import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { ConfirmDrawer } from "../../../platform/console/form/confirm-drawer.tsx";
import { type Body, FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { DayInput } from "../../../platform/console/inputs/days.tsx";
import { NumberInput } from "../../../platform/console/inputs/inputs.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { RowActions } from "../../../platform/console/parts/actions.tsx";
import { Facts } from "../../../platform/console/detail/facts.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { useToday } from "../../../platform/console/session/operator.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { applyRate, listItems, previewRate, removeItem, setItem } from "./einvoice.contract.ts";
import { ELEMENT, ITEM_TAX } from "./einvoice.rules.ts";

type Row = Reply<typeof listItems>[number];
type Item = NonNullable<Row["now"]>;
type Given = Body<typeof setItem>;

const rateText = ({ taxMode, taxRate }: Pick<Item, "taxMode" | "taxRate">) =>
  taxMode === "rate" ? `${Number((Number(taxRate) * 100).toPrecision(6))}%` : ITEM_TAX[taxMode][0];

/** 科目映射: what each fee subject is on an invoice today, and from later days on. */
export function Items({ id }: { id: number }) {
  const [editing, setEditing] = useState<number>();
  const [applying, setApplying] = useState<Row>();
  const act = useAct();
  const takeBack = ({ feeSubjectId, name }: Row, { fromDay, version, ...item }: Item) =>
    act(
      removeItem,
      { params: { id }, query: { feeSubjectId, fromDay, version } },
      {
        done: "已撤销",
        ask: {
          title: "撤销科目映射",
          body: `${name} 自 ${fromDay} 起的 ${rateText(item)} 不再起用；已应用到未出账账单的税额不变，需要时再次应用。`,
        },
      },
    );
  const { data, error, refetch } = useQuery(ask(listItems, { params: { id } }));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={6} />;
  // as a colleague saves it, not as it was clicked
  const edited = data.find((r) => r.feeSubjectId === editing);
  return (
    <>
      <RowTable
        schema={listItems.reply!}
        rows={data}
        flat
        columns={[
          "name",
          "usual",
          { own: "code", title: "税收分类编码", show: (r) => r.now?.itemCode || NONE },
          { own: "itemName", title: "项目名称", show: (r) => r.now?.itemName || NONE },
          {
            own: "tax",
            title: "税目方式",
            show: (r) =>
              r.locked ? "不开票" : r.now ? rateText(r.now) : <StatusTag tone="gold">未维护</StatusTag>,
          },
          {
            own: "element",
            title: "特定要素",
            show: (r) => (r.now?.element === "lease" ? ELEMENT.lease[0] : NONE),
          },
          { own: "policy", title: "优惠政策", show: (r) => r.now?.policy || NONE },
          {
            own: "from",
            title: "生效日期",
            show: (r) =>
              [r.now?.fromDay, ...r.later.map((item) => `${item.fromDay} 起 ${rateText(item)}`)]
                .filter(Boolean)
                .join("，") || NONE,
          },
          {
            own: "acts",
            title: "操作",
            show: (r) =>
              !r.locked && (
                <RowActions
                  actions={[
                    { label: "设置", does: setItem, run: () => setEditing(r.feeSubjectId) },
                    r.now !== null && {
                      label: "应用到未出账",
                      does: applyRate,
                      run: () => setApplying(r),
                    },
                    ...r.later.map((item) => ({
                      label: `撤销 ${item.fromDay} 起`,
                      does: removeItem,
                      danger: true,
                      run: () => takeBack(r, item),
                    })),
                  ]}
                />
              ),
          },
        ]}
      />
      {edited && <ItemForm id={id} of={edited} onClose={() => setEditing(undefined)} />}
      {applying && <RateForm id={id} of={applying} onClose={() => setApplying(undefined)} />}
    </>
  );
}

function ItemForm({ id, of, onClose }: { id: number; of: Row; onClose: () => void }) {
  const today = useToday();
  const now = of.later.at(-1) ?? of.now;
  const days = [...of.earlier, ...(of.now ? [of.now] : []), ...of.later];
  const versionOf = (day: string | undefined) => days.find((item) => item.fromDay === day)?.version ?? 0;
  return (
    <FormDialog
      call={setItem}
      params={{ id }}
      title={`科目映射 · ${of.name}`}
      width={560}
      done="已保存，从生效日期起新生成的账单按此计税"
      onClose={onClose}
      initial={{
        feeSubjectId: of.feeSubjectId,
        fromDay: now?.fromDay ?? today,
        version: versionOf(now?.fromDay ?? today),
        taxMode: now?.taxMode ?? (of.usualMode === "none" ? "exempt" : of.usualMode),
        taxRate: Number(now?.taxRate ?? of.usualRate),
        itemCode: now?.itemCode ?? "",
        itemName: now?.itemName ?? of.name,
        policy: now?.policy ?? "",
        element: now?.element ?? (of.code === "rent" ? "lease" : "none"),
      }}
      fields={(set) => [
        "taxMode",
        {
          key: "taxRate",
          must: true,
          when: (v: Partial<Given>) => v.taxMode === "rate",
          input: (p) => <NumberInput {...p} unit="%" scale={100} />,
        },
        {
          key: "itemCode",
          must: true,
          placeholder: "19位数字",
          when: (v: Partial<Given>) => v.taxMode !== "none",
        },
        {
          key: "itemName",
          must: true,
          help: "票面上的 *分类* 由编码带出，不用填写",
          when: (v: Partial<Given>) => v.taxMode !== "none",
        },
        { key: "policy", when: (v: Partial<Given>) => v.taxMode !== "none" },
        { key: "element", when: (v: Partial<Given>) => v.taxMode !== "none" },
        {
          key: "fromDay",
          help: "已出账的账单税额不变",
          input: (p) => (
            <DayInput
              {...p}
              onChange={(day) => {
                p.onChange(day);
                set("version", versionOf(day));
              }}
            />
          ),
        },
      ]}
    />
  );
}

/** 应用到未出账账单: the tax of planned bills anew, their amounts as they are. */
function RateForm({ id, of, onClose }: { id: number; of: Row; onClose: () => void }) {
  const [fromDay, setFromDay] = useState(useToday());
  const query = { feeSubjectId: of.feeSubjectId, fromDay };
  return (
    <ConfirmDrawer
      title={`应用到未出账账单 · ${of.name}`}
      ok="应用"
      onClose={onClose}
      of={ask(previewRate, { params: { id }, query })}
      take={async ({ hash }, idempotencyKey) => {
        const { lines, more } = await send(
          applyRate,
          { params: { id }, body: { ...query, previewHash: hash } },
          { idempotencyKey },
        );
        return `已更新 ${lines} 项费用的税额${more ? "，还有账单未处理，请再次执行" : ""}`;
      }}
      why={(preview) => (preview.lines ? undefined : "没有税率不同的未出账账单")}
      note={(preview) => `${preview.bills} 笔账单，${preview.lines} 项费用`}
    >
      {(preview) => (
        <>
          <div className="row gap-4">
            <label htmlFor="planned-from">起始出账日</label>
            <DayInput id="planned-from" value={fromDay} onChange={(day) => day && setFromDay(day)} />
          </div>
          <p className="sub">
            出账日在此日及以后的未出账账单改按 {preview.rate}，含税金额不变。
            {preview.more && "账单较多，本次只处理列出的部分，应用后请再次执行。"}
          </p>
          <Facts call={previewRate} data={preview} facts={["amount", "before", "after"]} />
        </>
      )}
    </ConfirmDrawer>
  );
}
