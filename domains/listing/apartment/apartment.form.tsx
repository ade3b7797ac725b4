import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { send, ask } from "../../../platform/console/calls/request.ts";
import type { Body } from "../../../platform/console/form/form-drawer.tsx";
import { type Field, OneField } from "../../../platform/console/form/form-field.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { DicInput, DicsInput } from "../../../platform/console/inputs/dic.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { useAddress } from "../../../platform/console/screens/page.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { PicturesInput } from "../room/pictures.panel.tsx";
import { addApartment, addApartments, type apartment, editApartment } from "./apartment.contract.ts";
import { RoomsFields } from "./rooms.form.tsx";
import { useQuery } from "@tanstack/react-query";
import { useId, useState, type ReactNode } from "react";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import type { FormState } from "../../../platform/console/form/form-state.ts";
import { OptionSelect, VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { buildingTree } from "../building/building.contract.ts";

export type Placed = { buildingId: number; unitId?: number | null | undefined; floorId: number };

/** Village, building, unit and floor, each offering what stands in the one before. */
export function PlaceFields<V extends Placed>({
  form,
  villageId,
  onVillage,
}: {
  form: FormState<V>;
  villageId: number | undefined;
  /** Absent: the village cannot be changed any more. */
  onVillage?: (next: number | undefined) => void;
}) {
  const label = useId();
  const { data = [] } = useQuery({
    ...ask(buildingTree, { query: { villageId: villageId ?? 0 } }),
    enabled: villageId !== undefined,
  });
  const values = form.values as Partial<Placed>;
  const building = data.find((b) => b.id === values.buildingId);
  const unitId = values.unitId ?? null;
  const set = (changes: Partial<Record<keyof Placed, number | null | undefined>>) => {
    for (const [key, value] of Object.entries(changes)) form.set(key, value);
  };
  const buildings = data.map((b) => ({
    value: b.id,
    label: [b.communityName, b.name].filter(Boolean).join(" "),
  }));
  const units = (building?.units ?? []).map((u) => ({ value: u.id, label: u.name }));
  const floors = (building?.floors ?? [])
    .filter((f) => f.unitId === unitId)
    .map((f) => ({ value: f.id, label: f.name }));
  const place = (
    path: keyof Placed,
    title: string,
    placeholder: string,
    options: { value: number; label: string }[],
    more: { clear?: boolean; onChange?: (next: number | undefined) => void } = {},
  ) => (
    <OneField
      form={form}
      path={path}
      more={{
        title,
        input: (p) => (
          <OptionSelect
            {...(p as InputProps<number>)}
            {...{ placeholder, options }}
            notFoundContent="没有可选项"
            {...more}
          />
        ),
      }}
    />
  );
  return (
    <>
      {onVillage && (
        <div className="fi">
          <label className="fi__label fi__label--must" htmlFor={label}>
            门店
          </label>
          <div className="fi__in">
            <VillageSelect
              id={label}
              value={villageId}
              onChange={(next) => {
                onVillage(next);
                set({ buildingId: undefined, unitId: undefined, floorId: undefined });
              }}
            />
          </div>
        </div>
      )}
      {place("buildingId", "楼栋", villageId ? "请选择楼栋" : "请先选择门店", buildings, {
        onChange: (next) => set({ buildingId: next, unitId: undefined, floorId: undefined }),
      })}
      {units.length > 0 &&
        place("unitId", "单元", "请选择单元", units, {
          clear: true,
          onChange: (next) => set({ unitId: next, floorId: undefined }),
        })}
      {place("floorId", "楼层", building ? "请选择楼层" : "请先选择楼栋", floors)}
    </>
  );
}

type Facts = Body<typeof addApartment> & Body<typeof editApartment>;

/** What a flat is, whether it is new or edited. */
export const LAYOUT: readonly Field<Facts>[] = [
  { section: "户型" },
  "bedrooms",
  "halls",
  "baths",
  "kitchens",
  "grossArea",
  "innerArea",
  { key: "layoutTags", input: (p) => <DicsInput {...p} kind="house" group="layoutTag" /> },
  { key: "orientation", input: (p) => <DicInput {...p} kind="house" group="orientation" /> },
  { key: "decoration", input: (p) => <DicInput {...p} kind="house" group="decoration" /> },
];
/** Whose it is. */
export const TITLE: readonly Field<Facts>[] = [
  { key: "source", input: (p) => <DicInput {...p} kind="house" group="source" keeps="code" /> },
  { key: "headLeaseEnd", when: (v) => v.source === "leased" },
  "certificateNo",
  { key: "remark", wide: true },
];

type One = Body<typeof addApartment>;
type Many = Body<typeof addApartments>;
type Shared = Omit<One, "name" | "pictures">;

const FACTS: readonly Field<Shared>[] = [
  ...(LAYOUT as readonly Field<Shared>[]),
  { section: "出租" },
  "rentMode",
  "unit",
  "gender",
  { key: "firstDay", help: "不填为今天" },
  "minTermMonths",
];
const MORE: readonly Field<Shared>[] = [
  { section: "配置与产权" },
  {
    key: "facilities",
    title: "设施",
    wide: true,
    input: (p) => <DicsInput {...p} kind="facility" group="room" />,
  },
  {
    key: "tags",
    title: "标签",
    wide: true,
    input: (p) => <DicsInput {...p} kind="house" group="roomTag" free placeholder="选择或输入，最多 10 个" />,
  },
  ...(TITLE as readonly Field<Shared>[]),
];

/** A new flat with its rooms and prices, or the same flat behind many doors of one floor. */
export function ApartmentForm({ many, onClose }: { many: boolean; onClose: () => void }) {
  const [address, set] = useAddress();
  const refresh = useRefresh();
  const number = (key: string) => Number(address.get(key)) || undefined;
  const start = {
    rentMode: "whole" as const,
    unit: "month" as const,
    gender: "any" as const,
    source: "own" as const,
    buildingId: number("buildingId"),
    unitId: number("unitId"),
    floorId: number("floorId"),
  };
  const one = useForm<One>(addApartment.body, start as Partial<One>);
  const several = useForm<Many>(addApartments.body, start as Partial<Many>);
  const form = many ? several : one;
  const [villageId, setVillageId] = useState(number("villageIds"));
  const onVillage = (next: number | undefined) => {
    setVillageId(next);
    // products of the other store are not for this one
    const { rooms, whole } = form.values as Partial<One>;
    if (rooms)
      form.set(
        "rooms",
        rooms.map((room) => ({ ...room, productId: undefined })),
      );
    if (whole) form.set("whole", { ...whole, productId: undefined });
  };
  const close = async () => {
    if (form.busy || (form.dirty && !(await confirmLeave()))) return;
    onClose();
  };
  const save = async () => {
    let id: number | undefined;
    const sent = many
      ? await several.submit(async (body) => {
          const { ids } = await send(addApartments, { body });
          toast(`已新增 ${ids.length} 套房源`);
        })
      : await one.submit(async (body) => {
          ({ id } = await send(addApartment, { body }));
          toast("房源已新增");
        });
    if (!sent) return;
    onClose();
    if (id) set({ view: undefined, id });
    await refresh();
  };
  return (
    <Frame title={many ? "批量新增房源" : "新增房源"} width={860} {...{ form, save, close }}>
      <FormFields form={form as typeof one} cols={2} fields={[{ section: "位置" }]}>
        {many ? (
          <PlaceFields form={several} {...{ villageId, onVillage }} />
        ) : (
          <PlaceFields form={one} {...{ villageId, onVillage }} />
        )}
      </FormFields>
      {many ? (
        <FormFields
          form={several}
          cols={2}
          fields={[
            {
              key: "names",
              title: "门牌",
              wide: true,
              placeholder: "1201，1202，1203",
              help: "用逗号分开，一次最多 500 套",
            },
            ...(FACTS as readonly Field<Many>[]),
          ]}
        >
          <RoomsFields form={several} villageId={villageId} />
        </FormFields>
      ) : (
        <FormFields form={one} cols={2} fields={["name", ...(FACTS as readonly Field<One>[])]}>
          <RoomsFields form={one} villageId={villageId} />
        </FormFields>
      )}
      <FormFields form={form as typeof one} cols={2} fields={MORE as readonly Field<One>[]} />
      {!many && (
        <FormFields
          form={one}
          fields={[
            { section: "图片", note: "用于这套房源的每个房间" },
            { key: "pictures", title: "图片", wide: true, input: (p) => <PicturesInput {...p} /> },
          ]}
        />
      )}
    </Frame>
  );
}

/** The drawer of a form in several parts, saved by its button alone. */
const Frame = (p: {
  title: string;
  width: number;
  form: { busy: boolean; errors: object; alert: string | undefined };
  save: () => Promise<void>;
  close: () => Promise<void>;
  children: ReactNode;
}) => (
  <Drawer
    title={p.title}
    width={p.width}
    modal
    footer={
      <Foot form={p.form} cancel={p.close}>
        <Button look="main" busy={p.form.busy} run={() => void p.save()}>
          保存
        </Button>
      </Foot>
    }
    onClose={() => void p.close()}
  >
    <form className="stacked" noValidate onSubmit={(event) => event.preventDefault()}>
      {p.children}
    </form>
  </Drawer>
);

type Form = Body<typeof editApartment>;

const FIELDS: readonly Field<Form>[] = [
  ...(LAYOUT as readonly Field<Form>[]),
  { section: "其他" },
  "gender",
  ...(TITLE as readonly Field<Form>[]),
];

/** The facts of a flat and where it stands. How it is let is changed apart, from a day on. */
export function EditApartmentForm({ flat, onClose }: { flat: Reply<typeof apartment>; onClose: () => void }) {
  const refresh = useRefresh();
  const form = useForm<Form>(editApartment.body, flat as Partial<Form>);
  const close = async () => {
    if (form.busy || (form.dirty && !(await confirmLeave()))) return;
    onClose();
  };
  const save = async () => {
    const sent = await form.submit((body) => send(editApartment, { params: { id: flat.id }, body }));
    if (!sent) return;
    toast("已保存");
    onClose();
    await refresh();
  };
  return (
    <Frame title={`编辑 ${flat.fullName}`} width={760} {...{ form, save, close }}>
      <FormFields form={form} cols={2} fields={[{ section: "位置", note: "修改后房间全名随之更新" }, "name"]}>
        <PlaceFields form={form} villageId={flat.villageId} />
      </FormFields>
      <FormFields form={form} cols={2} fields={FIELDS} />
    </Frame>
  );
}
