import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { VillagesSelect } from "../../../platform/console/inputs/selects.tsx";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { IconInput } from "./icon.form.tsx";
import type { DicCalls, DicItem } from "./dic.contract.ts";
import { groupsOf } from "./dic.rules.ts";

type Props = { calls: DicCalls; group: string; item?: DicItem; onClose: () => void };

/** A word of a group, with what its group knows beside the name. */
export function ItemForm({ calls, group, item, onClose }: Props) {
  const { title, one = title, keeps, extra } = groupsOf(calls.kind)[group]!;
  const renamed =
    item && keeps === "name" && item.uses ? `改名后，${item.uses} 处使用记录随之修改` : undefined;
  const more =
    extra === "colour"
      ? (["colour"] as const)
      : extra === "cleaning"
        ? (["hint", "photo"] as const)
        : extra === "facility"
          ? [
              { key: "icon" as const, input: (p: InputProps<string>) => <IconInput {...p} /> },
              {
                key: "villageIds" as const,
                help: "不选则全部门店可用",
                input: (p: React.ComponentProps<typeof VillagesSelect>) => <VillagesSelect {...p} />,
              },
            ]
          : [];
  const coded = !item || (!item.uses && !item.builtIn);
  const fields = [
    { key: "name" as const, must: true, ...(renamed && { help: renamed }) },
    ...(coded ? [{ key: "code" as const, ...(!item && { help: "留空自动生成，使用后不能修改" }) }] : []),
    ...more,
  ];
  const { code, ...rest } = item ?? {};
  return item ? (
    <FormDialog
      call={calls.edit}
      title={`编辑${one}`}
      done="已保存"
      params={{ id: item.id }}
      initial={{ ...rest, ...(coded && { code }) } as never}
      fields={fields as never}
      onClose={onClose}
    />
  ) : (
    <FormDialog
      call={calls.add}
      title={`新增${one}`}
      done="已新增"
      initial={{ group } as never}
      fields={fields as never}
      onClose={onClose}
    />
  );
}
