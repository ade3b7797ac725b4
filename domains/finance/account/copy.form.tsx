import { Select } from "antd";
import { useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { ChoiceInput } from "../../../platform/console/inputs/inputs.tsx";
import { send } from "../../../platform/console/calls/request.ts";
import { useVillages } from "../../../platform/console/inputs/source.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { copyBindings, previewCopy } from "./binding.contract.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";

const HOW = { fill: ["仅补充未配置的", "grey"], replace: ["一并更换已配置的", "grey"] } as const;

/** Carries a store's accounts over to others: what would change is shown first. */
export function BindingCopy({ from, onClose }: { from: { id: number; name: string }; onClose: () => void }) {
  const refresh = useRefresh();
  const { data: stores = [] } = useVillages();
  const [villageIds, setVillageIds] = useState<number[]>([]);
  const [replace, setReplace] = useState(false);
  const [told, setTold] = useState<Reply<typeof previewCopy>>();
  const sent = { body: { villageId: from.id, villageIds, replace } };
  const changed = told?.filter((store) => store.changes.length) ?? [];
  const copy = async () => {
    await send(copyBindings, sent);
    toast(`已复制到 ${changed.length} 个门店`);
    onClose();
    await refresh();
  };
  const footer = (
    <Foot cancel={onClose}>
      {told ? (
        <Button look="main" why={changed.length ? undefined : "所选门店没有需要变更的配置"} run={copy}>
          确认复制
        </Button>
      ) : (
        <Button
          look="main"
          why={villageIds.length ? undefined : "请选择门店"}
          run={async () => setTold(await send(previewCopy, sent))}
        >
          预览变更
        </Button>
      )}
    </Foot>
  );
  return (
    <Dialog title={`复制 ${from.name} 的收款配置到…`} width={560} footer={footer} onClose={onClose}>
      <div className="accounts__change grid gap-6">
        <span className="dim">门店</span>
        <Select
          mode="multiple"
          aria-label="复制到的门店"
          placeholder="请选择门店"
          value={villageIds}
          maxTagCount="responsive"
          showSearch={{ optionFilterProp: "search" }}
          options={stores.filter((store) => store.value !== from.id)}
          onChange={(next) => {
            setVillageIds(next);
            setTold(undefined);
          }}
        />
        <span className="dim">方式</span>
        <ChoiceInput
          value={replace ? "replace" : "fill"}
          words={HOW}
          onChange={(how) => {
            setReplace(how === "replace");
            setTold(undefined);
          }}
        />
      </div>
      <p className="sub">
        只复制公司本部的账户；门店自己持有的账户留在原门店。新账单将收入新账户，历史流水不变。
      </p>
      {told?.map((store) => (
        <section key={store.villageId}>
          <h3 className="form__section">{store.villageName}</h3>
          {store.changes.length ? (
            <ul className="accounts__changes">
              {store.changes.map((c) => (
                <li key={c.place}>
                  {c.place}：<del>{c.from ?? "未配置"}</del> → <b>{c.to}</b>
                </li>
              ))}
            </ul>
          ) : (
            <p className="dim">没有变更</p>
          )}
        </section>
      ))}
    </Dialog>
  );
}
