import type { ReactNode } from "react";
import { Button } from "../parts/button.tsx";
import { Drawer } from "../parts/drawer.tsx";
import { Foot } from "./form-foot.tsx";

/** The drawer around a form whose fields are put together by hand: saved by its button or the enter key. */
export function FormFrame(p: {
  title: string;
  width: number;
  form: { busy: boolean; errors: object; alert: string | undefined };
  submit: () => unknown;
  close: () => unknown;
  /** Beside the buttons: what will happen. */
  note?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Drawer
      title={p.title}
      width={p.width}
      modal
      onClose={() => void p.close()}
      footer={
        <Foot
          form={p.form}
          cancel={() => void p.close()}
          note={p.note && <span className="sub">{p.note}</span>}
        >
          <Button look="main" busy={p.form.busy} run={() => void p.submit()}>
            保存
          </Button>
        </Foot>
      }
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void p.submit();
        }}
      >
        {p.children}
        <button type="submit" hidden aria-hidden />
      </form>
    </Drawer>
  );
}
