import { useState } from "react";
import { OneField } from "../../../platform/console/form/form-field.tsx";
import type { FormState } from "../../../platform/console/form/form-state.ts";
import { TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { Lines } from "../../../platform/console/form/lines.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { roomNamesOf } from "../../../platform/kernel/names.ts";
import { isDivided, type RentMode } from "../room/words.rules.ts";

type Given = {
  name: string;
  area: number;
  capacity?: number | undefined;
  listPrice?: number | null | undefined;
  lowestPrice?: number | null | undefined;
};
type Divided = {
  rentMode: RentMode;
  wholeToo?: boolean | undefined;
  rooms?: Given[] | undefined;
  whole?: Omit<Given, "name" | "area"> | null | undefined;
};

/** How a flat is let and by which rooms: one price for the whole, or a line for each room or bed. */
export function RoomsFields<V extends Divided>({ form }: { form: FormState<V> }) {
  const values = form.values as Partial<Divided>;
  const divided = values.rentMode !== undefined && isDivided(values.rentMode);
  const seesLowest = may("#601");
  const whole = (title: string) => (
    <>
      <OneField form={form} path="whole.listPrice" more={{ title, unit: "元" }} />
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
        heads={["房间名", "面积", "可住人数", "标价", ...(seesLowest ? ["底价"] : [])]}
        fields={["name", "area", "capacity", "listPrice", ...(seesLowest ? (["lowestPrice"] as const) : [])]}
        blank={{}}
        least={1}
        most={50}
        add="添加一间"
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
