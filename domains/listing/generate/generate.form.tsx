import { useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { type Body, FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { DicInput } from "../../../platform/console/inputs/dic.tsx";
import { ChoiceInput, TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { type RentMode, isDivided } from "../room/words.rules.ts";
import { addBuilding, editBuilding } from "../building/building.contract.ts";
import { generate, previewGenerate } from "./generate.contract.ts";

type Form = Body<typeof generate>;
type Preview = Reply<typeof previewGenerate>;

const START: Partial<Form> = {
  buildings: "1栋",
  units: 1,
  unitPattern: "{unit}单元",
  floorFrom: 1,
  floorTo: 18,
  perFloor: 4,
  pattern: "{floor}{no:2}",
  rentMode: "whole",
  existing: "refuse",
};
const EXISTING = { refuse: ["不生成任何房源", "grey"], skip: ["跳过已有的", "grey"] } as const;
const divided = (v: Partial<Form>) => v.rentMode !== undefined && isDivided(v.rentMode as RentMode);
const numbersOf = (text: string) =>
  text
    .split(/[,，、\s]+/)
    .filter(Boolean)
    .map(Number);

/** Whole buildings by a pattern: first what would be made, then one act that makes all of it. */
export function GenerateForm({
  village,
  onClose,
}: {
  village: { id: number; mode: string };
  onClose: () => void;
}) {
  const refresh = useRefresh();
  const form = useForm<Form>(generate.body, { ...START, villageId: village.id });
  const [preview, setPreview] = useState<{ of: string; told: Preview }>();
  const [skip, setSkip] = useState("");
  const now = JSON.stringify(form.values);
  const shown = preview?.of === now ? preview.told : undefined;
  const close = async () => {
    if (form.busy || (form.dirty && !(await confirmLeave()))) return;
    onClose();
  };
  const look = () =>
    form.submit(async (body) => {
      setPreview({ of: now, told: await send(previewGenerate, { body }) });
    });
  const make = async () => {
    let told: Reply<typeof generate> | undefined;
    const sent = await form.submit(async (body) => {
      told = await send(generate, { body });
    });
    if (!sent) return;
    toast(`已生成 ${told!.apartments} 套房源`);
    onClose();
    await refresh();
  };
  const blocked =
    shown && shown.existing.length && form.values.existing !== "skip" ? "有已存在的房源" : undefined;
  const footer = (
    <Foot form={form} cancel={close}>
      {shown ? (
        <Button
          look="main"
          busy={form.busy}
          why={shown.apartments ? blocked : "没有要生成的房源"}
          run={() => void make()}
        >
          生成 {shown.apartments} 套
        </Button>
      ) : (
        <Button look="main" busy={form.busy} run={() => void look()}>
          预览
        </Button>
      )}
    </Foot>
  );
  return (
    <Drawer title="批量生成楼栋和房源" width={820} modal footer={footer} onClose={() => void close()}>
      <form className="stacked" noValidate onSubmit={(event) => event.preventDefault()}>
        <FormFields
          form={form}
          cols={2}
          label={104}
          fields={
            [
              { section: "楼栋与楼层" },
              ...(village.mode === "scattered" ? (["communityName", "address"] as const) : []),
              {
                key: "buildings",
                placeholder: "1栋，2栋，3栋",
                help: "用逗号分开；已有的楼栋会继续使用",
                wide: true,
              },
              { key: "units", help: "0 表示没有单元" },
              { key: "unitPattern", when: (v) => (v.units ?? 0) > 0, help: "{unit} 为单元序号" },
              "floorFrom",
              "floorTo",
              {
                key: "skip",
                title: "跳过楼层",
                input: (p) => (
                  <TextInput
                    id={p.id}
                    disabled={p.disabled}
                    placeholder="如 4,14"
                    value={skip}
                    onChange={(text) => {
                      setSkip(text ?? "");
                      p.onChange(numbersOf(text ?? ""));
                    }}
                  />
                ),
              },
              "perFloor",
              {
                key: "pattern",
                help: "{floor} 楼层，{no} 序号，{unit} 单元序号，{building} 楼栋；{no:2} 补足两位",
              },
              {
                key: "existing",
                title: "遇到已有门牌",
                input: (p) => (
                  <ChoiceInput
                    {...p}
                    words={EXISTING}
                    onChange={(v) => p.onChange(v as "skip" | undefined)}
                  />
                ),
              },
              { section: "每套房源" },
              "rentMode",
              { key: "roomNames", when: divided, placeholder: "A，B，C", help: "每套都有这些房间" },
              { key: "wholeToo", title: "也可整租", when: divided },
              "bedrooms",
              "halls",
              "baths",
              "kitchens",
              "grossArea",
              { key: "roomArea", when: divided },
              {
                key: "orientation",
                input: (p) => <DicInput {...p} kind="house" group="orientation" />,
              },
              {
                key: "decoration",
                input: (p) => <DicInput {...p} kind="house" group="decoration" />,
              },
              { key: "capacity", help: "每间可住人数" },
              { key: "listPrice", unit: "元/月" },
              ...(may("#601") ? ([{ key: "lowestPrice", unit: "元/月" }] as const) : []),
              { key: "firstDay", help: "不填为今天" },
            ] satisfies Field<Form>[]
          }
        />
        {shown && <Shown told={shown} />}
      </form>
    </Drawer>
  );
}

const Shown = ({ told }: { told: Preview }) => (
  <section aria-live="polite">
    <h3 className="form__section">将生成</h3>
    <p>
      {told.buildings} 个楼栋、{told.units} 个单元、{told.floors} 个楼层、<b>{told.apartments} 套房源</b>、
      {told.rooms} 个房间
      {told.skipped > 0 && (
        <span className="neg">
          ；{told.skipped} 套已存在：{told.existing.slice(0, 8).join("、")}
          {told.skipped > 8 && " 等"}
        </span>
      )}
    </p>
    {told.sample.map((building) =>
      building.units.map((unit) => (
        <details
          key={`${building.name} ${unit.name}`}
          open={told.sample[0] === building && building.units[0] === unit}
        >
          <summary>
            {building.name} {unit.name}{" "}
            <small className="dim">{building.isNew ? "新楼栋" : "已有楼栋"}</small>
          </summary>
          {unit.floors.toReversed().map((floor) => (
            <p key={floor.name} className="doors">
              <small className="dim">{floor.name}</small>
              {floor.doors.map((door) => (
                <code key={door}>{door}</code>
              ))}
            </p>
          ))}
        </details>
      )),
    )}
  </section>
);

type Fields = Body<typeof addBuilding>;
type Building = Fields & { id: number; version: number };

/** Where a village is scattered its buildings lie in many places, so each says where. */
const fieldsOf = (scattered: boolean): readonly Field<Fields>[] => [
  ...(scattered ? (["communityName"] as const) : []),
  "name",
  { key: "address", ...(scattered && { title: "地址" }) },
  { key: "kind", input: (p) => <DicInput {...p} kind="house" group="buildingKind" /> },
  "floorsAbove",
  "floorsBelow",
  "elevators",
  "builtYear",
  { key: "sort", help: "数值小的排在前面" },
];

/** A building, new or as it stands. */
export function BuildingForm({
  village,
  building,
  onClose,
}: {
  village: { id: number; mode: string };
  building?: Building | undefined;
  onClose: () => void;
}) {
  const fields = fieldsOf(village.mode === "scattered");
  return building ? (
    <FormDialog
      call={editBuilding}
      params={{ id: building.id }}
      initial={building}
      title={`编辑 ${building.name}`}
      done="已保存"
      fields={fields as never}
      onClose={onClose}
    />
  ) : (
    <FormDialog
      call={addBuilding}
      initial={{ villageId: village.id, floorsAbove: 18 }}
      title="新增楼栋"
      done="已保存"
      fields={fields}
      onClose={onClose}
    />
  );
}
