import type { ReactNode } from "react";
import { showFailure } from "../../../platform/console/calls/failure.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { confirmLeave, Dialog } from "../../../platform/console/parts/dialog.tsx";
import type { LightForm } from "../../../platform/console/shell/light-field.tsx";
import "../session/login.css";

/** Says what the server refused on the fields it names, or as a toast. */
export const complain = (
  form: Pick<LightForm<object>, "refused">,
  error: unknown,
  names?: Record<string, string>,
) => {
  if (!form.refused(error, names).length) showFailure(error);
};

type OwnDialogProps = {
  title: string;
  form: LightForm<Record<string, string>>;
  onClose: (() => void) | undefined;
  save: () => unknown;
  children: ReactNode;
};

/** A dialog that changes what one signs in with; it asks before what was typed is thrown away. */
export function OwnDialog({ title, form, onClose, save, children }: OwnDialogProps) {
  const close = async () => {
    if (Object.values(form.values).some(Boolean) && !(await confirmLeave())) return;
    onClose?.();
  };
  return (
    <Dialog
      title={title}
      width={360}
      onClose={() => void close()}
      footer={<Foot cancel={close} ok="确定" run={save} />}
    >
      {children}
    </Dialog>
  );
}
