import { useCurrent } from "../../../platform/console/form/current.ts";
import { FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import { TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { PicturesInput } from "../room/pictures.panel.tsx";
import { editListing, listing } from "./listing.contract.ts";

/** Words and pictures for one channel or for all; what is left empty is the room's own. */
export function CopyForm({ id, onClose }: { id: number; onClose: () => void }) {
  const { data } = useCurrent(ask(listing, { params: { id } }));
  if (!data) return null;
  return (
    <FormDrawer
      call={editListing}
      params={{ id }}
      title={`编辑文案 ${data.roomName}`}
      done="文案已保存"
      initial={{ ...data.own, version: data.version, all: false }}
      fields={[
        { key: "title", placeholder: data.shown.title, help: "留空时由系统按门店、户型、面积生成" },
        {
          key: "description",
          help: "留空时使用房间描述",
          input: (p) => <TextInput {...p} rows={6} max={1000} />,
        },
        {
          key: "pictures",
          help: "不选时使用房间图片，第一张是封面",
          input: (p) => (
            <PicturesInput {...p} onChange={(ids) => p.onChange(ids?.length ? ids : undefined)} />
          ),
        },
        "all",
      ]}
      onClose={onClose}
    />
  );
}
