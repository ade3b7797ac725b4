import { ask } from "../../../platform/console/calls/request.ts";
import { useCurrent } from "../../../platform/console/form/current.ts";
import { FormDialog, FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import { DicSuggest } from "../../../platform/console/inputs/dic.tsx";
import { TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { PicturesInput } from "../room/pictures.panel.tsx";
import { editListing, holdListings, listing } from "./listing.contract.ts";

/** Keeps rooms off every channel, or listings off theirs, with the reason that people will read. */
export const HoldForm = ({
  title,
  note,
  body,
  onClose,
  onDone,
}: {
  title: string;
  note: string;
  body: { ids?: number[]; roomIds?: number[] };
  onClose: () => void;
  onDone?: () => void;
}) => (
  <FormDialog
    call={holdListings}
    title={title}
    ok="暂不发布"
    done="已暂不发布"
    initial={{ ...body, hold: true }}
    fields={[
      {
        key: "reason",
        must: true,
        help: note,
        input: (p) => (
          <DicSuggest {...p} kind="house" group="holdReason" max={50} placeholder="请填写原因（2-50字）" />
        ),
      },
    ]}
    onClose={onClose}
    {...(onDone && { onDone })}
  />
);

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
