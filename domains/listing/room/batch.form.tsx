import { useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { ChoiceInput } from "../../../platform/console/inputs/inputs.tsx";
import { send } from "../../../platform/console/calls/request.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { PicturesInput } from "./pictures.panel.tsx";
import { editRooms } from "./room.contract.ts";
import { DicsInput } from "../../../platform/console/inputs/dic.tsx";
import "../village/village.css";
import { Foot } from "../../../platform/console/form/form-foot.tsx";

const MODES = { add: ["增加", "grey"], remove: ["移除", "grey"], replace: ["替换为", "grey"] } as const;
type Mode = keyof typeof MODES;
const TITLES = { tags: "标签", facilities: "设施", pictures: "图片" } as const;

/** The same change for all picked rooms, all or none. */
export function BatchForm({
  ids,
  what,
  onClose,
}: {
  ids: number[];
  what: keyof typeof TITLES;
  onClose: () => void;
}) {
  const refresh = useRefresh();
  const [mode, setMode] = useState<Mode>("add");
  const [words, setWords] = useState<string[]>([]);
  const [pictures, setPictures] = useState<number[]>([]);
  const empty = what === "pictures" ? !pictures.length : !words.length;
  const save = async () => {
    const change = what === "pictures" ? { mode, values: pictures } : { mode, values: words };
    await send(editRooms, { body: { ids, [what]: change } });
    toast(`已修改 ${ids.length} 间`);
    onClose();
    await refresh();
  };
  const footer = (
    <Foot cancel={onClose}>
      <Button look="main" why={empty && mode !== "replace" ? `请填写${TITLES[what]}` : undefined} run={save}>
        修改 {ids.length} 间
      </Button>
    </Foot>
  );
  return (
    <Dialog title={`批量修改${TITLES[what]}`} width={560} footer={footer} onClose={onClose}>
      <div className="copying grid gap-6 sub">
        <label htmlFor="batch-mode">方式</label>
        <ChoiceInput
          id="batch-mode"
          value={mode}
          words={MODES}
          onChange={(next) => setMode((next ?? "add") as Mode)}
        />
        <label htmlFor="batch-what">{TITLES[what]}</label>
        {what === "tags" && (
          <DicsInput
            id="batch-what"
            kind="house"
            group="roomTag"
            free
            value={words}
            onChange={(next) => setWords(next ?? [])}
          />
        )}
        {what === "facilities" && (
          <DicsInput
            id="batch-what"
            kind="facility"
            group="room"
            value={words}
            onChange={(next) => setWords(next ?? [])}
          />
        )}
        {what === "pictures" && (
          <PicturesInput id="batch-what" value={pictures} onChange={(next) => setPictures(next ?? [])} />
        )}
      </div>
      {what === "pictures" && <p className="dim">图片只能设置给同一门店的房间</p>}
    </Dialog>
  );
}
