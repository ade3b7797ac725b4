import { FormDialog, type Body } from "../../../platform/console/form/form-drawer.tsx";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import { moveAssets, type roomAssets } from "./asset.contract.ts";
import { AREAS, ROOMS } from "./places.panel.tsx";

type Where = Partial<Body<typeof moveAssets>>;

/** Where an asset goes: a room or a public area. */
export const AssetMove = ({ asset, onClose }: { asset: Row<typeof roomAssets>; onClose: () => void }) => (
  <FormDialog
    call={moveAssets}
    title={`转移 ${asset.name} ${asset.code}`}
    ok="转移"
    done="已转移"
    initial={{ ids: [asset.id] }}
    fields={[
      {
        key: "roomId",
        title: "到房间",
        when: (v: Where) => !v.publicAreaId,
        input: (p) => <RecordSelect {...p} source={ROOMS} />,
      },
      {
        key: "publicAreaId",
        title: "到公共区域",
        when: (v: Where) => !v.roomId,
        input: (p) => <RecordSelect {...p} source={AREAS} />,
      },
      "reason",
    ]}
    note={(v) => !v.roomId && !v.publicAreaId && "房间和公共区域选择一处"}
    onClose={onClose}
  />
);
