import { useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { send } from "../../../platform/console/calls/request.ts";
import type { Body } from "../../../platform/console/form/form-drawer.tsx";
import { OneField } from "../../../platform/console/form/form-field.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import type { FormState } from "../../../platform/console/form/form-state.ts";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { Lines } from "../../../platform/console/form/lines.tsx";
import { type InputProps, TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { roomNamesOf } from "../../../platform/kernel/texts/names.ts";
import { ProductInput } from "../product/choice.panel.tsx";
import {
  RENT_MODES,
  ROOM_KINDS,
  type RentMode,
  type RoomKind,
  isDivided,
  kindOf,
  wordOf,
} from "../room/words.rules.ts";
import { type apartment, changeRentMode, previewRentMode } from "./apartment.contract.ts";

type Given = {
  name: string;
  area: number;
  capacity?: number | undefined;
  productId?: number | null | undefined;
  listPrice?: number | null | undefined;
  lowestPrice?: number | null | undefined;
};
type Divided = {
  rentMode: RentMode;
  wholeToo?: boolean | undefined;
  rooms?: Given[] | undefined;
  whole?: Omit<Given, "name" | "area"> | null | undefined;
};

const FOLLOWS = "选择了产品又不填标价的，价格跟随产品";

type FieldsProps<V> = { form: FormState<V>; villageId: number | undefined };
/** How a flat is let and by which rooms: product and price of the whole, or a line for each room or bed. */
export function RoomsFields<V extends Divided>({ form, villageId }: FieldsProps<V>) {
  const values = form.values as Partial<Divided>;
  const divided = values.rentMode !== undefined && isDivided(values.rentMode);
  const seesLowest = may("#601");
  const product = (kind: RoomKind) => (p: unknown) => (
    <ProductInput {...(p as InputProps<number>)} kind={kind} villageId={villageId ?? 0} />
  );
  const kind = kindOf(values.rentMode ?? "whole");
  const whole = (title: string) => (
    <>
      {villageId !== undefined && (
        <OneField
          form={form}
          path="whole.productId"
          more={{ title: "产品", input: product(divided ? "whole" : kind) }}
        />
      )}
      <OneField
        form={form}
        path="whole.listPrice"
        more={{ title, unit: "元", ...(villageId !== undefined && { help: FOLLOWS }) }}
      />
      {seesLowest && <OneField form={form} path="whole.lowestPrice" more={{ title: "底价", unit: "元" }} />}
      <OneField form={form} path="whole.capacity" more={{ unit: "人" }} />
    </>
  );
  if (!divided) return whole("标价");
  return (
    <>
      <OneField form={form} path="wholeToo" more={{ title: "也可整租" }} />
      {values.wholeToo && whole("整租标价")}
      <NameList
        names={(values.rooms ?? []).map((room) => room?.name ?? "")}
        onNames={(names) => form.set("rooms", withNames(values.rooms ?? [], names))}
      />
      <Lines<Divided, Given>
        form={form as unknown as FormState<Divided>}
        name="rooms"
        heads={[
          "房间名",
          "面积",
          "可住人数",
          ...(villageId === undefined ? [] : ["产品"]),
          "标价",
          ...(seesLowest ? ["底价"] : []),
        ]}
        fields={[
          "name",
          "area",
          "capacity",
          ...(villageId === undefined ? [] : [{ key: "productId" as const, input: product(kind) }]),
          "listPrice",
          ...(seesLowest ? (["lowestPrice"] as const) : []),
        ]}
        blank={{}}
        least={1}
        most={50}
        add="添加一间"
        foot={() => villageId !== undefined && <span className="dim fs-12">{FOLLOWS}</span>}
      />
    </>
  );
}

/** Lines for the names: a room keeps what was typed for it, a new one takes what the last one has. */
function withNames(rooms: readonly Partial<Given>[], names: readonly string[]): Partial<Given>[] {
  const last = rooms.at(-1) ?? {};
  return names.map((name) => rooms.find((room) => room.name === name) ?? { ...last, name });
}

function NameList({ names, onNames }: { names: readonly string[]; onNames: (names: string[]) => void }) {
  const [typed, setTyped] = useState<string>();
  return (
    <div className="fi fi--wide">
      <label className="fi__label" htmlFor="room-names">
        房间名
      </label>
      <div className="fi__in">
        <TextInput
          id="room-names"
          placeholder="A，B，C"
          value={typed ?? names.filter(Boolean).join("，")}
          onChange={(text) => setTyped(text ?? "")}
          onBlur={() => {
            if (typed !== undefined) onNames(typed.trim() ? roomNamesOf(typed) : []);
            setTyped(undefined);
          }}
        />
        <div className="fi__help fs-12 dim">用逗号分开，离开后生成下面的明细</div>
      </div>
    </div>
  );
}

type Form = Body<typeof changeRentMode>;

/** From a day on the flat is let in another way: which rooms retire and which begin is shown before it is done. */
export function ModeForm({ flat, onClose }: { flat: Reply<typeof apartment>; onClose: () => void }) {
  const refresh = useRefresh();
  const today = useToday();
  const form = useForm<Form>(changeRentMode.body, {
    version: flat.version,
    unit: "month",
    rentMode: flat.rentMode === "whole" ? "shared" : "whole",
    from: today,
  });
  const [preview, setPreview] = useState<{ of: string; told: Reply<typeof previewRentMode> }>();
  const now = JSON.stringify(form.values);
  const told = preview?.of === now ? preview.told : undefined;
  const params = { id: flat.id };
  const close = async () => {
    if (form.busy || (form.dirty && !(await confirmLeave()))) return;
    onClose();
  };
  const look = () =>
    form.submit(async (body) => setPreview({ of: now, told: await send(previewRentMode, { params, body }) }));
  const save = async () => {
    if (!(await form.submit((body) => send(changeRentMode, { params, body })))) return;
    toast("出租方式已变更");
    onClose();
    await refresh();
  };
  const named = (rooms: readonly { name: string; kind: string }[]) =>
    rooms.map((r) => `${r.name}（${wordOf(ROOM_KINDS, r.kind)}）`).join("、") || "无";
  const footer = (
    <Foot form={form} cancel={close}>
      <Button look="main" busy={form.busy} run={() => void (told ? save() : look())}>
        {told ? "确认变更" : "预览"}
      </Button>
    </Foot>
  );
  return (
    <Drawer
      title={`改出租方式 ${flat.fullName}`}
      width={760}
      modal
      footer={footer}
      onClose={() => void close()}
    >
      <form className="stacked" noValidate onSubmit={(event) => event.preventDefault()}>
        <p className="dim">
          现为{RENT_MODES[flat.rentMode][0]}
          。生效日起原有房间不再计入房源，历史保留；任何一间在生效日之后仍有租约、预订或封房时不能变更。
        </p>
        <FormFields form={form} cols={2} fields={["from", "rentMode", "unit"]}>
          <RoomsFields form={form} villageId={flat.villageId} />
        </FormFields>
        {told && (
          <section aria-live="polite">
            <h3 className="form__section">变更后</h3>
            <p>
              {form.values.from} 起停止：{named(told.retire)}
            </p>
            <p>
              {form.values.from} 起开始：{named(told.begin)}
            </p>
          </section>
        )}
      </form>
    </Drawer>
  );
}
