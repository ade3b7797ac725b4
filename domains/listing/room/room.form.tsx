import { useQuery } from "@tanstack/react-query";
import type { Reply } from "../../../platform/kernel/call.ts";
import { FormDrawer } from "../../../platform/console/formdrawer.tsx";
import { ask } from "../../../platform/console/request.ts";
import { PicturesInput } from "./pictures.panel.tsx";
import { editRoom, room } from "./room.contract.ts";
import { TagsInput, WordInput, WordsInput } from "./tags.panel.tsx";
import { FACILITIES, ORIENTATIONS } from "./words.rules.ts";

/** Everything of a room that may be changed without moving or dividing it. */
export function RoomForm({ id, onClose }: { id: number; onClose: () => void }) {
  const { data } = useQuery(ask(room, { params: { id } }));
  return data ? <Loaded record={data} onClose={onClose} /> : null;
}

function Loaded({ record, onClose }: { record: Reply<typeof room>; onClose: () => void }) {
  const isTop = record.parentRoomId === null && !["room", "bed"].includes(record.kind);
  return (
    <FormDrawer
      call={editRoom}
      params={{ id: record.id }}
      initial={
        {
          ...record,
          orientation: ORIENTATIONS.find((word) => word === record.orientation) ?? "",
          pictures: record.pictureIds,
        } as never
      }
      title={`编辑 ${record.fullName}`}
      done="已保存"
      cols={2}
      width={760}
      fields={[
        { section: "房间" },
        { key: "name", disabled: isTop, ...(isTop && { help: "整套的名称就是门牌，请在房源中修改" }) },
        "area",
        {
          key: "orientation",
          input: (p) => <WordInput {...p} words={ORIENTATIONS} onChange={(v) => p.onChange(v as "南")} />,
        },
        { key: "capacity", unit: "人" },
        "minTermMonths",
        { key: "sort", help: "同一套内的顺序" },
        { section: "配置" },
        {
          key: "facilities",
          wide: true,
          input: (p) => <WordsInput {...p} words={FACILITIES} onChange={(v) => p.onChange(v as ["床"])} />,
        },
        { key: "tags", wide: true, input: (p) => <TagsInput {...p} /> },
        { key: "description", wide: true },
        { key: "remark", wide: true },
        { section: "图片" },
        { key: "pictures", title: "图片", wide: true, input: (p) => <PicturesInput {...p} /> },
      ]}
      onClose={onClose}
    />
  );
}
