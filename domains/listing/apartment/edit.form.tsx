import type { Reply } from "../../../platform/kernel/call.ts";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import type { Body } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { send } from "../../../platform/console/calls/request.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { editApartment, type apartment } from "./apartment.contract.ts";
import { LAYOUT, TITLE } from "./apartment.form.tsx";
import { PlaceFields } from "./place.form.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";

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
  const footer = (
    <Foot form={form} cancel={close}>
      <Button look="main" busy={form.busy} run={() => void save()}>
        保存
      </Button>
    </Foot>
  );
  return (
    <Drawer title={`编辑 ${flat.fullName}`} width={760} modal footer={footer} onClose={() => void close()}>
      <form className="stacked" noValidate onSubmit={(event) => event.preventDefault()}>
        <FormFields
          form={form}
          cols={2}
          fields={[{ section: "位置", note: "修改后房间全名随之更新" }, "name"]}
        >
          <PlaceFields form={form} villageId={flat.villageId} fixed />
        </FormFields>
        <FormFields form={form} cols={2} fields={FIELDS} />
      </form>
    </Drawer>
  );
}
