import { useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { ManyInput } from "../../../platform/console/inputs/inputs.tsx";
import { send } from "../../../platform/console/calls/request.ts";
import { VillagesSelect } from "../../../platform/console/inputs/selects.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { copySetting, previewSettingCopy, type SETTING_BLOCKS } from "./setting.contract.ts";
import "./village.css";
import { Foot } from "../../../platform/console/form/form-foot.tsx";

type Block = keyof typeof SETTING_BLOCKS;
const WORDS = {
  cleaning: ["退房保洁", "grey"],
  reservation: ["预订与看房", "grey"],
  lead: ["客源", "grey"],
  publish: ["发布", "grey"],
  quiet: ["免打扰", "grey"],
} as const;

/** Carries rules over to other villages: what would change is shown first. */
export function SettingCopy({ from, onClose }: { from: { id: number; name: string }; onClose: () => void }) {
  const refresh = useRefresh();
  const [blocks, setBlocks] = useState<Block[]>(Object.keys(WORDS) as Block[]);
  const [villageIds, setVillageIds] = useState<number[]>([]);
  const [told, setTold] = useState<Reply<typeof previewSettingCopy>>();
  const sent = { params: { id: from.id }, body: { blocks, villageIds } };
  const why = !blocks.length ? "请选择要复制的设置" : !villageIds.length ? "请选择门店" : undefined;
  const changed = told?.filter((village) => village.changes.length) ?? [];
  const copy = async () => {
    await send(copySetting, sent);
    toast(`已复制到 ${changed.length} 个门店`);
    onClose();
    await refresh();
  };
  const footer = (
    <Foot cancel={onClose}>
      {told ? (
        <Button look="main" why={changed.length ? undefined : "所选门店的设置都相同"} run={copy}>
          确认复制
        </Button>
      ) : (
        <Button look="main" why={why} run={async () => setTold(await send(previewSettingCopy, sent))}>
          预览差异
        </Button>
      )}
    </Foot>
  );
  return (
    <Dialog title={`复制 ${from.name} 的设置到…`} width={560} footer={footer} onClose={onClose}>
      <div className="copying grid gap-6 sub">
        <label htmlFor="copy-blocks">设置</label>
        <ManyInput
          id="copy-blocks"
          value={blocks}
          words={WORDS}
          onChange={(next) => {
            setBlocks((next ?? []) as Block[]);
            setTold(undefined);
          }}
        />
        <span>门店</span>
        <VillagesSelect
          value={villageIds}
          width={400}
          placeholder="请选择门店"
          onChange={(next) => {
            setVillageIds(next.filter((id) => id !== from.id));
            setTold(undefined);
          }}
        />
      </div>
      {told?.map((village) => (
        <section key={village.villageId}>
          <h3 className="form__section">{village.villageName}</h3>
          {village.changes.length ? (
            <ul className="changes">
              {village.changes.map((c) => (
                <li key={c.field}>
                  {c.title}：<del>{c.from}</del> → <b>{c.to}</b>
                </li>
              ))}
            </ul>
          ) : (
            <p className="dim">没有差异</p>
          )}
        </section>
      ))}
    </Dialog>
  );
}
