import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Drawer } from "./drawer.tsx";

/** Beside the buttons: how many fields are still wrong. */
export function Wrong({ form }: { form: { errors: object } }) {
  const wrong = Object.keys(form.errors).length;
  return wrong > 0 && <span className="form__note">{wrong} 处需要修改</span>;
}

/** The drawer around a form whose fields are put together by hand: saved by its button or the enter key. */
export function FormFrame(p: {
  title: string;
  width: number;
  form: { busy: boolean; errors: object };
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
        <>
          <Button look="main" busy={p.form.busy} run={() => void p.submit()}>
            保存
          </Button>
          <Button run={() => void p.close()}>取消</Button>
          <Wrong form={p.form} />
          {p.note && <span className="sub">{p.note}</span>}
        </>
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
