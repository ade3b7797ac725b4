import { useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import type { Body } from "../../../platform/console/form/form-drawer.tsx";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { RENT_MODES, ROOM_KINDS, wordOf } from "../room/words.rules.ts";
import type { apartment } from "./apartment.contract.ts";
import { changeRentMode, previewRentMode } from "./mode.contract.ts";
import { RoomsFields } from "./rooms.form.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";

type Form = Body<typeof changeRentMode>;

/** From a day on the flat is let in another way: which rooms retire and which begin is shown before it is done. */
export function ModeForm({ flat, onClose }: { flat: Reply<typeof apartment>; onClose: () => void }) {
  const refresh = useRefresh();
  const today = useOperator()?.today;
  const form = useForm<Form>(changeRentMode.body, {
    version: flat.version,
    unit: "month",
    rentMode: flat.rentMode === "whole" ? "shared" : "whole",
    ...(today && { from: today }),
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
          <RoomsFields form={form} />
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
