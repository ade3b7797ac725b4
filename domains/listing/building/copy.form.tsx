import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { ManySelect, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import type { copyCall } from "./copy.contract.ts";
import { namedBy, patternFor } from "./copy.rules.ts";
import { useStructure } from "./place.panel.tsx";

export type Source = {
  id: number;
  name: string;
  villageId: number;
  floorId: number | null;
  floorName: string;
};

type Props = {
  call: ReturnType<typeof copyCall>;
  /** 公共区域; copies are counted by 处. */
  one: string;
  source: Source;
  onClose: () => void;
};

/** Makes the same record on other floors, or in other buildings as a whole. */
export function CopyToPlaces({ call, one, source, onClose }: Props) {
  const structure = useStructure(source.villageId);
  const byFloor = source.floorId !== null;
  const floors = new Map(
    structure?.flatMap((b) => b.floors.map((floor) => [floor.id, { b, floor }] as const)),
  );
  const buildings = new Map(structure?.map((b) => [b.id, b]));
  return (
    <FormDialog
      call={call}
      params={{ id: source.id }}
      width={560}
      title={`复制 ${source.name}`}
      ok="复制"
      initial={{ pattern: byFloor ? patternFor(source.name, source.floorName) : "{名称} {楼栋}" }}
      fields={[
        byFloor
          ? {
              key: "floorIds",
              title: "到楼层",
              must: true,
              input: (p: InputProps<number[]>) => (
                <Places
                  {...p}
                  options={structure?.map((b) => ({
                    label: b.name,
                    options: b.floors
                      .filter((floor) => floor.id !== source.floorId)
                      .map((floor) => ({
                        label: floor.name,
                        value: floor.id,
                        search: `${b.name} ${floor.name}`,
                      })),
                  }))}
                />
              ),
            }
          : {
              key: "buildingIds",
              title: "到楼栋",
              must: true,
              input: (p: InputProps<number[]>) => (
                <Places
                  {...p}
                  options={structure?.map((b) => ({ label: b.name, value: b.id, search: b.name }))}
                />
              ),
            },
        { key: "pattern", help: "{名称}、{楼栋}、{楼层} 由系统代入；图片和资产不随之复制" },
      ]}
      note={(v) => {
        const names = byFloor
          ? (v.floorIds ?? []).map((id) => {
              const at = floors.get(id);
              // without its unit, as the server names it
              return at && { building: at.b.name, floor: at.floor.name.split(" ").at(-1)! };
            })
          : (v.buildingIds ?? []).map((id) => ({ building: buildings.get(id)?.name ?? "", floor: "" }));
        const said = names
          .filter((at) => at !== undefined)
          .map((at) => namedBy(v.pattern ?? "", source.name, at));
        return (
          said.length > 0 &&
          `将新增 ${said.length} 处：${said.slice(0, 3).join("、")}${said.length > 3 ? "…" : ""}`
        );
      }}
      onDone={({ made }) => toast(`已新增 ${made.length} 处${one}`)}
      onClose={onClose}
    />
  );
}

type Option = { label: string; value: number; search: string };

type Places = InputProps<number[]> & {
  options: (Option | { label: string; options: Option[] })[] | undefined;
};
const Places = (p: Places) => <ManySelect {...p} searched="search" />;
