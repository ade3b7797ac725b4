import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { copyAssets } from "./asset.contract.ts";
import { AREAS, ROOMS, type At } from "./places.panel.tsx";

/** Sets up here what stands in a place that is furnished already; rooms from rooms, areas from areas. */
export const AssetCopy = ({ at, name, onClose }: { at: At; name: string; onClose: () => void }) => {
  const room = "roomId" in at;
  return (
    <FormDialog
      call={copyAssets}
      title={`复制资产到 ${name}`}
      ok="复制"
      initial={room ? { toRoomIds: [at.roomId] } : { toPublicAreaIds: [at.publicAreaId] }}
      fields={
        room
          ? [
              {
                key: "roomId",
                title: "来源房间",
                must: true,
                help: "来源房间在用和损坏的资产各复制一份，编号由系统给出",
                input: (p) => <RecordSelect {...p} source={ROOMS} />,
              },
            ]
          : [
              {
                key: "publicAreaId",
                title: "来源区域",
                must: true,
                help: "来源区域在用和损坏的资产各复制一份，编号由系统给出",
                input: (p) => <RecordSelect {...p} source={AREAS} />,
              },
            ]
      }
      onDone={({ made }) => toast(`已复制 ${made} 项资产`)}
      onClose={onClose}
    />
  );
};
