import { FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import type { Body } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { PicturesInput } from "../room/pictures.panel.tsx";
import { addAssetDic, editAssetDic, type listAssetDic } from "./dic.contract.ts";

const OnePicture = ({ value, onChange, ...rest }: InputProps<number>) => (
  <PicturesInput
    {...rest}
    value={value ? [value] : []}
    // null takes the old one away
    onChange={(ids) => onChange((ids?.[0] ?? null) as number)}
    most={1}
    cap={2}
  />
);

const FIELDS: readonly Field<Body<typeof addAssetDic>>[] = [
  "name",
  "category",
  { key: "spec", placeholder: "如 1.5m×2.0m" },
  { key: "unit", placeholder: "如 张、台、把" },
  "price",
  { key: "damagePrice", help: "退房验收时损坏一件的默认赔偿；改后只影响以后的结算" },
  "lifeMonths",
  { key: "warrantyMonths", help: "0 表示没有质保" },
  { key: "needsSerial", help: "每一件都要登记自己的编号，如门锁、电器的序列号", wide: true },
  { key: "pictureFileId", wide: true, input: (p) => <OnePicture {...p} /> },
];

/** A kind of asset, new or as it stands. */
export function AssetDicForm({ item, onClose }: { item?: Row<typeof listAssetDic>; onClose: () => void }) {
  const shared = { cols: 2, width: 720, onClose };
  if (!item)
    return (
      <FormDrawer
        {...shared}
        call={addAssetDic}
        fields={FIELDS}
        title="新增资产类别"
        done="已新增"
        initial={{ category: "furniture" }}
      />
    );
  return (
    <FormDrawer
      {...shared}
      call={editAssetDic}
      fields={FIELDS as never}
      params={{ id: item.id }}
      initial={item}
      title={`编辑 ${item.name}`}
      done="已保存"
    />
  );
}
