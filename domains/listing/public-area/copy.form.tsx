import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { ManySelect, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { copyArea } from "./area.contract.ts";
import { namedBy, patternFor } from "./area.rules.ts";
import { useStructure } from "./place.panel.tsx";

export type Source = {
  id: number;
  name: string;
  villageId: number;
  floorId: number | null;
  floorName: string;
};

/** Makes the same area on other floors, or in other buildings as a whole. */
export function AreaCopy({ area, onClose }: { area: Source; onClose: () => void }) {
  const structure = useStructure(area.villageId);
  const byFloor = area.floorId !== null;
  const floors = new Map(
    structure?.flatMap((b) => b.floors.map((floor) => [floor.id, { b, floor }] as const)),
  );
  const buildings = new Map(structure?.map((b) => [b.id, b]));
  return (
    <FormDialog
      call={copyArea}
      params={{ id: area.id }}
      width={560}
      title={`复制 ${area.name}`}
      ok="复制"
      initial={{ pattern: byFloor ? patternFor(area.name, area.floorName) : "{名称} {楼栋}" }}
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
                      .filter((floor) => floor.id !== area.floorId)
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
          .map((at) => namedBy(v.pattern ?? "", area.name, at));
        return (
          said.length > 0 &&
          `将新增 ${said.length} 处：${said.slice(0, 3).join("、")}${said.length > 3 ? "…" : ""}`
        );
      }}
      onDone={({ made }) => toast(`已新增 ${made.length} 处公共区域`)}
      onClose={onClose}
    />
  );
}

type Option = { label: string; value: number; search: string };

type Places = InputProps<number[]> & {
  options: (Option | { label: string; options: Option[] })[] | undefined;
};
const Places = (p: Places) => <ManySelect {...p} searched="search" />;
